package io.holdfast.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;

/** How long a test waits for a real server, and how often it polls. */
public final class Waits {

    /** How long a call may take to fail during a fault: the time-outs of call, pool and connection, on a slow machine. */
    public static final Duration FAULT_BOUND = Duration.ofSeconds(20);

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration OFTEN = Duration.ofMillis(5);

    private Waits() {}

    /**
     * Waits for a condition.
     *
     * @return a wait of 30 seconds at most
     */
    public static ConditionFactory soon() {
        return await().atMost(BOUND).pollDelay(Duration.ZERO).pollInterval(OFTEN);
    }

    /**
     * Waits for a condition, and ignores store failures: each connection from before a fault may fail once.
     *
     * @return a wait of 30 seconds at most
     */
    public static ConditionFactory answered() {
        return soon().ignoreExceptionsInstanceOf(LockStoreException.class);
    }

    /**
     * The failure of an asynchronous call.
     *
     * @param call the call; the test fails if it succeeds, or takes longer than {@link #FAULT_BOUND}
     * @return its exception
     */
    public static Throwable failure(CompletableFuture<?> call) {
        Throwable thrown = catchThrowable(() -> call.get(FAULT_BOUND.toSeconds(), TimeUnit.SECONDS));
        assertThat(thrown).isInstanceOf(ExecutionException.class);
        return Objects.requireNonNull(thrown.getCause());
    }

    /**
     * Lets time pass where there is no condition to wait for.
     *
     * @param time how long
     */
    public static void letPass(Duration time) {
        await().pollDelay(time).until(() -> true);
    }
}
