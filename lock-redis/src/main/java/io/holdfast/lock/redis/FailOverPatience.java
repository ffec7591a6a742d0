package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Repeats the attempts of a waiting claim while another server takes over as master: for some seconds no server answers as one. A
 * claim that does not wait attempts once: its caller wants one answer now, or the failure. Thread-safe.
 */
final class FailOverPatience {

    static final Duration DEFAULT = Duration.ofSeconds(15);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final Duration limit;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * Creates it.
     *
     * @param limit for how long after its first failure an attempt is repeated
     */
    FailOverPatience(Duration limit) {
        this.limit = limit;
    }

    /** For a server that has no stand-in. */
    static FailOverPatience none() {
        return new FailOverPatience(Duration.ZERO);
    }

    /**
     * Attempts, again and again while the failure may pass with a fail-over.
     *
     * @param intent whether the claim waits
     * @param once makes one attempt
     * @throws LockStoreException the failure of the last attempt
     */
    Attempt attempt(Intent intent, Supplier<Attempt> once) {
        PassedTime total = new PassedTime();
        PassedTime sinceFailure = null;
        Duration pause = SHORTEST_PAUSE;
        while (true) {
            Duration before = total.time();
            try {
                Attempt answer = once.get();
                return sinceFailure == null ? answer : countedFromTheRequest(answer, before);
            } catch (LockStoreException failure) {
                sinceFailure = sinceFailure == null ? new PassedTime() : sinceFailure;
                if (intent != Intent.WAIT
                        || !MasterFailures.mayPass(failure)
                        || !sinceFailure.isLessThan(limit)
                        || closedWithin(shorter(pause, sinceFailure.leftOf(limit)))) {
                    throw failure;
                }
                pause = shorter(pause.multipliedBy(2), LONGEST_PAUSE);
            }
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** The engine counts a grant from the start of the attempt; the failed requests came before the granted one. */
    private static Attempt countedFromTheRequest(Attempt answer, Duration before) {
        return answer instanceof Attempt.Granted granted ? granted.startedEarlier(before) : answer;
    }

    /**
     * Pauses, and returns true if the provider was closed. An interrupt does not end the pause, as an attempt cannot be
     * interrupted; it is kept.
     */
    boolean closedWithin(Duration pause) {
        PassedTime waited = new PassedTime();
        try (KeptInterrupt interrupt = new KeptInterrupt()) {
            while (true) {
                try {
                    return closed.await(waited.leftOf(pause).toNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupt.keep();
                }
            }
        }
    }

    /** Ends all pauses: from now on no attempt is repeated. */
    void end() {
        closed.countDown();
    }
}
