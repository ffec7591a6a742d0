package io.holdfast.lock.core;

import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockException;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives back claims that nobody waits for any more: a bid or a release whose outcome is unknown, a hold whose deadline passed
 * while the store did not answer, a bid or a grant that is not needed. Without it the lock would stay taken, by nobody, until
 * the lease ends.
 */
final class AbandonedClaims {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE_AFTER_A_FAILURE = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE_WHILE_CLOSING = Duration.ofSeconds(1);

    private static final Duration SESSION_BID_FLIGHT = Duration.ofSeconds(30);

    /**
     * How long to ask for an answer about an attempt. A server that is paused grants what is in its sockets when it goes on, for
     * a whole lease from then.
     */
    private static final Duration LONGEST_PAUSE_OF_A_STORE = Duration.ofMinutes(5);

    private static final long AWAKE = 0;

    private final EngineRuntime runtime;
    private final LeaseControl leaseControl;
    private final Set<Undoing> undoings = ConcurrentHashMap.newKeySet();

    AbandonedClaims(EngineRuntime runtime, LeaseControl leaseControl) {
        this.runtime = runtime;
        this.leaseControl = leaseControl;
    }

    /** When to stop asking the store to release a claim. */
    enum Until {
        /** At the first answer: the grant was known, so the answer is final. */
        ANSWERED,
        /** When it was found and released: a bid may still reach the store after a release that found nothing. */
        RELEASED
    }

    /**
     * Releases a claim in the background, and again while that fails, until its lease must be over. An attempt with an unknown
     * outcome is released for longer: until the store has answered, for five minutes at most, and then for one lease more. A
     * claim that lasts as long as the client's session is released until the store answers.
     *
     * @param settled runs when the store has answered
     * @param leaseEnded runs if the lease is over before that
     */
    void undo(SerialClaim claim, Terms terms, Until until, Runnable settled, Runnable leaseEnded) {
        long flight = Nanos.of(longestFlight(terms.options().leaseTime()));
        Undoing undoing = new Undoing(claim, flight, until, settled, leaseEnded);
        undoings.add(undoing);
        undoing.submit();
    }

    /** How long to look out for a bid that may still be on its way; the lease time means nothing where the session is the lease. */
    private Duration longestFlight(Duration leaseTime) {
        return leaseControl == LeaseControl.SESSION && leaseTime.compareTo(SESSION_BID_FLIGHT) < 0
                ? SESSION_BID_FLIGHT
                : leaseTime;
    }

    /** Asks for every claim that is still to be given back, at once and often, until the store has answered. */
    List<LastChance> hurry() {
        return undoings.stream().map(Undoing::hurry).toList();
    }

    /**
     * A claim that the closing client still waits for.
     *
     * @param answered completes when the store has answered, or once the lease must have ended
     * @param failure why the store did not answer when it was asked last, if it was
     */
    record LastChance(String lockName, CompletableFuture<Void> answered, Supplier<Optional<LockException>> failure) {}

    private final class Undoing implements Runnable {
        private final SerialClaim claim;
        private final long flight;
        private final long unansweredUntil;
        private volatile long answeredUntil;
        private volatile boolean failed;
        private final Until until;
        private final Runnable settled;
        private final Runnable leaseEnded;
        private volatile long pauseNanos = FIRST_PAUSE.toNanos();
        private volatile boolean answered;
        private volatile boolean hurried;
        private final AtomicLong sleeps = new AtomicLong();
        private final AtomicLong asleep = new AtomicLong(AWAKE);
        private volatile @Nullable LockException failure;
        private final CompletableFuture<Void> lastAnswer = new CompletableFuture<>();

        Undoing(SerialClaim claim, long flight, Until until, Runnable settled, Runnable leaseEnded) {
            long now = runtime.ticker().nanos();
            this.claim = claim;
            this.flight = flight;
            this.answeredUntil = now + flight;
            this.unansweredUntil =
                    until == Until.RELEASED ? now + Math.max(flight, LONGEST_PAUSE_OF_A_STORE.toNanos()) : now + flight;
            this.until = until;
            this.settled = settled;
            this.leaseEnded = leaseEnded;
        }

        void submit() {
            try {
                runtime.undoings().execute(this);
            } catch (RejectedExecutionException closed) {
                // The client is closed and the store cannot be asked any more: the claim ends with its lease.
                undoings.remove(this);
            }
        }

        LastChance hurry() {
            hurried = true;
            pauseNanos = FIRST_PAUSE.toNanos();
            wake();
            return new LastChance(claim.lockName(), lastAnswer, () -> Optional.ofNullable(failure));
        }

        private void sleep(long nanos) {
            long sleep = sleeps.incrementAndGet();
            asleep.set(sleep);
            runtime.scheduler().schedule(() -> endSleep(sleep), nanos);
        }

        /** Ignored if the sleep was cut short. */
        private void endSleep(long sleep) {
            if (asleep.compareAndSet(sleep, AWAKE)) {
                submit();
            }
        }

        private void wake() {
            if (asleep.getAndSet(AWAKE) != AWAKE) {
                submit();
            }
        }

        private void end() {
            undoings.remove(this);
            lastAnswer.complete(null);
        }

        @Override
        public void run() {
            if (!undoings.contains(this)) {
                return;
            }
            boolean wasHurried = hurried;
            if (!claim.tryBeginTurn()) {
                // Waiting here would take the thread from the claims of others while a renewal hangs, say.
                sleep(FIRST_PAUSE.toNanos());
                return;
            }
            try {
                if (isSettled()) {
                    end();
                    settled.run();
                    return;
                }
            } catch (Error broken) {
                again(wasHurried);
                throw broken;
            } finally {
                claim.endTurn();
            }
            again(wasHurried);
        }

        private void again(boolean wasHurried) {
            boolean isHurried = hurried;
            boolean isBack = answered && failed;
            failed = !answered;
            long now = runtime.ticker().nanos();
            if (isBack) {
                // The store may grant from now on what was sent to it before.
                answeredUntil = now + flight;
            }
            // The closing of a client begins with short pauses again.
            long pause = isBack || (isHurried && !wasHurried) ? FIRST_PAUSE.toNanos() : pauseNanos;
            long left = (answered ? answeredUntil : unansweredUntil) - now;
            boolean ends = endsWithTheLease();
            if (ends && left <= 0) {
                end();
                leaseEnded.run();
                return;
            }
            pauseNanos = nextPause(pause);
            sleep(ends ? Math.min(pause, left) : pause);
            if (hurried != isHurried) {
                wake();
            }
        }

        /** After an answer there is only a bid to be caught that is still on its way, which grows less likely with each pause. */
        private long nextPause(long pause) {
            Duration longest = hurried ? LONGEST_PAUSE_WHILE_CLOSING : LONGEST_PAUSE_AFTER_A_FAILURE;
            return answered ? pause * 2 : Math.min(pause * 2, longest.toNanos());
        }

        private boolean endsWithTheLease() {
            return answered || leaseControl == LeaseControl.PER_CLAIM;
        }

        private boolean isSettled() {
            try {
                answered = false;
                Release found = claim.release();
                answered = true;
                return found == Release.RELEASED || until == Until.ANSWERED || hurried;
            } catch (LockException unknown) {
                // Trying again is all there is to do; the closing of the client tells of the last failure.
                failure = unknown;
                return false;
            }
        }
    }
}
