package io.holdfast.lock.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.exceptions.JedisException;

/** Paces and reports the failures of a subscription, and pauses before the next try. Used by one thread. */
final class Resubscription {

    static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
    private static final Logger LOG = System.getLogger(Resubscription.class.getPackageName());

    /** Before the next connection, if this one fails. */
    private long pauseNanos = SHORTEST_PAUSE.toNanos();

    /** A name is subscribed to: the next failure is the first of a row. */
    void succeeded() {
        pauseNanos = SHORTEST_PAUSE.toNanos();
    }

    boolean firstOfARow() {
        return pauseNanos == SHORTEST_PAUSE.toNanos();
    }

    /** Pauses, longer after each failure. */
    void pauseAfterFailure() {
        long longest = pauseNanos;
        pauseNanos = Math.min(2 * longest, LONGEST_PAUSE.toNanos());
        // Jittered, so that the clients of a restarted server do not all come back at the same moment.
        pause(ThreadLocalRandom.current().nextLong(longest / 2, longest));
    }

    /** Pauses for a moment. */
    void pauseShortly() {
        pause(SHORTEST_PAUSE.toNanos());
    }

    /** May end early, at the cost of one attempt to connect. */
    private void pause(long nanos) {
        LockSupport.parkNanos(this, nanos);
        forgetInterrupt();
    }

    /** An interrupt would end every later wait at once. The only one that is meant comes with the close of the feed. */
    static void forgetInterrupt() {
        boolean unused = Thread.interrupted();
    }

    static void warn(String consequence, Throwable failure) {
        try {
            LOG.log(
                    Level.WARNING,
                    "The subscription to lock releases failed; " + consequence + ": " + failure.getMessage(),
                    failure instanceof JedisException ? null : failure);
        } catch (RuntimeException | Error broken) {
            // A handler of the application's log must not end this thread, which nothing restarts.
            failure.addSuppressed(broken);
        }
    }
}
