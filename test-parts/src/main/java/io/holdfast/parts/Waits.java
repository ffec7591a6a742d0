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

/** How long a test waits for something that a real server does, and how often it looks. */
public final class Waits {

    /** How long a call may take that a fault makes fail: the time-outs of call, pool and connecting, on a slow machine. */
    public static final Duration FAULT_BOUND = Duration.ofSeconds(20);

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration OFTEN = Duration.ofMillis(5);

    private Waits() {}

    /**
     * Waits for a condition.
     *
     * @return what waits, for 30 seconds at most
     */
    public static ConditionFactory soon() {
        return await().atMost(BOUND).pollDelay(Duration.ZERO).pollInterval(OFTEN);
    }

    /**
     * Tries until it gets an answer at all: a connection that was open before the fault may fail once.
     *
     * @return what waits, for 30 seconds at most
     */
    public static ConditionFactory answered() {
        return soon().ignoreExceptionsInstanceOf(LockStoreException.class);
    }

    /**
     * What a call that runs elsewhere fails with.
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
     * Lets time go by where nothing can be observed to be over.
     *
     * @param time how long
     */
    public static void letPass(Duration time) {
        await().pollDelay(time).until(() -> true);
    }
}
