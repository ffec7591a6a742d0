package io.holdfast.lock.redisson;

import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;

/** How long a test waits for something that a real server does, and how often it looks. */
final class Waits {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration OFTEN = Duration.ofMillis(5);

    private Waits() {}

    static ConditionFactory soon() {
        return await().atMost(BOUND).pollDelay(Duration.ZERO).pollInterval(OFTEN);
    }

    /** Tries until it gets an answer at all: a connection that was open before the fault may fail once. */
    static ConditionFactory answered() {
        return soon().ignoreExceptionsInstanceOf(LockStoreException.class);
    }

    /** Lets time go by where nothing can be observed to be over. */
    static void letPass(Duration time) {
        await().pollDelay(time).until(() -> true);
    }
}
