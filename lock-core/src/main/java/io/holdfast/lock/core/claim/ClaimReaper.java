package io.holdfast.lock.core.claim;

import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockException;
import io.holdfast.lock.core.runtime.Alarm;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.core.runtime.Nanos;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Releases abandoned claims in the background: an attempt or a release with an unknown outcome, a hold whose deadline passed
 * while the store did not answer, a grant that nobody needs. Otherwise the lock would stay taken until the lease ends.
 */
public final class ClaimReaper {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE_AFTER_A_FAILURE = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE_WHILE_CLOSING = Duration.ofSeconds(1);
    private static final Duration SHORTEST_WATCH_OF_A_SESSION = Duration.ofSeconds(30);

    /**
     * How long to ask for an answer about an attempt. A server that is paused grants what is in its sockets when it goes on, for
     * a whole lease from then.
     */
    private static final Duration LONGEST_PAUSE_OF_A_STORE = Duration.ofMinutes(5);

    private final EngineRuntime runtime;
    private final LeaseControl leaseControl;
    private final Set<AbandonedClaim> abandoned = ConcurrentHashMap.newKeySet();

    /** Creates a reaper without claims. */
    public ClaimReaper(EngineRuntime runtime, LeaseControl leaseControl) {
        this.runtime = runtime;
        this.leaseControl = leaseControl;
    }

    /** When to stop asking the store to release a claim. */
    public enum Until {
        /** At the first answer: the grant was known, so the answer is final. */
        ANSWERED,
        /** When a release found it: an attempt on its way may still reach the store after a release that found nothing. */
        RELEASED
    }

    /**
     * Releases a claim, and repeats that after a failure until the lease must be over. An attempt with an unknown outcome is
     * released for longer: until the store has answered, for five minutes at most, and then for one lease more. A claim that
     * lasts as long as the client's session is tried until the store answers.
     *
     * @param answered runs when the store has answered
     * @param leaseEnded runs if the lease is over before that
     */
    public void release(SerialClaim claim, Until until, Runnable answered, Runnable leaseEnded) {
        AbandonedClaim added = new AbandonedClaim(claim, until, answered, leaseEnded);
        abandoned.add(added);
        added.submit();
    }

    /** Releases every claim that is left, at once and with short pauses, until the store has answered. */
    public List<LastChance> hurry() {
        return abandoned.stream().map(AbandonedClaim::hurry).toList();
    }

    /**
     * A claim that the closing client still waits for.
     *
     * @param answered completes when the store has answered, or once the lease must have ended
     * @param failure the latest failure of the store, if there was one
     */
    public record LastChance(
            String lockName, CompletableFuture<Void> answered, Supplier<Optional<LockException>> failure) {}

    private final class AbandonedClaim implements Runnable {
        private final SerialClaim claim;
        private final Until until;
        private final Runnable whenAnswered;
        private final Runnable whenLeaseEnded;
        private final Duration watch;
        private final long unansweredUntil;
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private final ReentrantLock mutex = new ReentrantLock();
        private volatile @Nullable LockException failure;

        // Guarded by the mutex.
        private final Alarm alarm = new Alarm(runtime, mutex, this::submit);
        private long pause = FIRST_PAUSE.toNanos();
        private boolean hurried;
        private long answeredUntil;
        private boolean failed;

        AbandonedClaim(SerialClaim claim, Until until, Runnable whenAnswered, Runnable whenLeaseEnded) {
            this.claim = claim;
            this.until = until;
            this.whenAnswered = whenAnswered;
            this.whenLeaseEnded = whenLeaseEnded;
            Duration lease = claim.request().leaseTime();
            // The lease time means nothing to a session, and an attempt may be on its way for longer.
            this.watch = leaseControl == LeaseControl.SESSION ? longer(lease, SHORTEST_WATCH_OF_A_SESSION) : lease;
            this.answeredUntil = runtime.now() + Nanos.of(watch);
            Duration longest = until == Until.RELEASED ? longer(lease, LONGEST_PAUSE_OF_A_STORE) : lease;
            this.unansweredUntil = runtime.now() + Nanos.of(longest);
        }

        private static Duration longer(Duration a, Duration b) {
            return a.compareTo(b) < 0 ? b : a;
        }

        void submit() {
            try {
                runtime.releases().execute(this);
            } catch (RejectedExecutionException closed) {
                // The client is closed and the store cannot be asked any more: the claim ends with its lease.
                end();
            }
        }

        LastChance hurry() {
            boolean sleeping;
            mutex.lock();
            try {
                hurried = true;
                pause = FIRST_PAUSE.toNanos();
                sleeping = alarm.isSet();
                alarm.cancel();
            } finally {
                mutex.unlock();
            }
            if (sleeping) {
                submit();
            }
            return new LastChance(claim.lockName(), ended, () -> Optional.ofNullable(failure));
        }

        @Override
        public void run() {
            if (!claim.tryLock()) {
                // Another call of the claim hangs. Waiting for it would take this thread from other claims.
                mutex.lock();
                try {
                    alarm.set(runtime.now() + FIRST_PAUSE.toNanos());
                } finally {
                    mutex.unlock();
                }
                return;
            }
            boolean answered = false;
            boolean done = false;
            try {
                Release found = claim.release();
                answered = true;
                done = found == Release.RELEASED || until == Until.ANSWERED || isHurried();
            } catch (LockException unknown) {
                failure = unknown;
            } finally {
                claim.unlock();
                if (done) {
                    end();
                } else {
                    sleepBeforeNext(answered);
                }
            }
            if (done) {
                whenAnswered.run();
            }
        }

        private boolean isHurried() {
            mutex.lock();
            try {
                return hurried;
            } finally {
                mutex.unlock();
            }
        }

        private void sleepBeforeNext(boolean answered) {
            long now = runtime.now();
            boolean over;
            mutex.lock();
            try {
                if (answered && failed) {
                    // The store is back, and may grant from now on what was sent to it before.
                    answeredUntil = now + Nanos.of(watch);
                    pause = FIRST_PAUSE.toNanos();
                }
                failed = !answered;
                long end = answered ? answeredUntil : unansweredUntil;
                boolean ends = answered || leaseControl == LeaseControl.PER_CLAIM;
                over = ends && now - end >= 0;
                if (!over) {
                    alarm.set(ends && end - now < pause ? end : now + pause);
                    pause = nextPause(answered);
                }
            } finally {
                mutex.unlock();
            }
            if (over) {
                end();
                whenLeaseEnded.run();
            }
        }

        /** After an answer only an attempt on its way is left to catch, which grows less likely with each pause. */
        private long nextPause(boolean answered) {
            Duration longest = hurried ? LONGEST_PAUSE_WHILE_CLOSING : LONGEST_PAUSE_AFTER_A_FAILURE;
            return answered ? pause * 2 : Math.min(pause * 2, longest.toNanos());
        }

        private void end() {
            abandoned.remove(this);
            ended.complete(null);
        }
    }
}
