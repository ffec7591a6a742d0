package io.holdfast.lock.tck;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assertions;

/**
 * One claim, called by the kit in place of the engine. It remembers when it called the store, and what the store signalled.
 * Used by one thread at a time.
 */
final class DrivenClaim implements ClaimSignals {

    private static final Duration POLL = Duration.ofMillis(3);

    /** How often a waiting claim looks whether it is time to ask again. */
    private static final Duration GLANCE = Duration.ofMillis(50);

    private final OpenClaims open;
    private final Feed feed;
    private final LockProvider provider;
    private final ClaimRequest request;
    private final Claim claim;
    private final Runnable wakeUp = this::mayBeFree;
    private final AtomicInteger hints = new AtomicInteger();
    private final Semaphore wakeUps = new Semaphore(0);
    private final Queue<LossCause> losses = new ConcurrentLinkedQueue<>();
    private long calledAt;
    private long returnedAt;

    DrivenClaim(OpenClaims open, LockProvider provider, ClaimRequest request) {
        this.open = open;
        this.feed = open.feed(provider);
        this.provider = provider;
        this.request = request;
        this.claim = provider.newClaim(request, this);
    }

    Attempt attempt() {
        open.add(this);
        if (request.intent() == Intent.WAIT) {
            feed.asks(request.name(), wakeUp);
        }
        Attempt attempt = timed(claim::attempt);
        if (attempt instanceof Attempt.Granted) {
            feed.ends(request.name(), wakeUp);
            // A claim that tries once asks whether another one holds the lock; no rule relies on its lease.
            if (request.intent() == Intent.WAIT) {
                open.reliesOn(request.leaseTime());
            }
        } else if (request.intent() == Intent.WAIT) {
            feed.refused(request.name());
        }
        return attempt;
    }

    boolean isGranted() {
        return attempt() instanceof Attempt.Granted;
    }

    Attempt.Granted mustBeGranted(String because) {
        Attempt attempt = attempt();
        if (attempt instanceof Attempt.Granted granted) {
            return granted;
        }
        throw new AssertionError("the attempt must be granted, because " + because + ", but it was " + attempt);
    }

    Attempt.Contended mustBeContended(String because) {
        Attempt attempt = attempt();
        if (attempt instanceof Attempt.Contended contended) {
            return contended;
        }
        throw new AssertionError("the attempt must be contended, because " + because + ", but it was " + attempt);
    }

    /** Attempts until it is granted the lock, once more past the limit. Fails after that. */
    Takeover takeOver(Duration time, String because) {
        Pace.Limit limit = new Pace.Limit(time);
        long watchedUntil = Pace.now();
        boolean last = false;
        while (!isGranted()) {
            watchedUntil = calledAt;
            if (last) {
                throw new AssertionError("the lock must be had, because " + because + ", within " + limit);
            }
            Pace.pass(POLL);
            last = limit.isOver();
        }
        return new Takeover(watchedUntil, returnedAt);
    }

    Renewal renew() {
        return timed(claim::renew);
    }

    /** A call that begins a lease. */
    private <T> T timed(Supplier<T> call) {
        calledAt = Pace.now();
        T answer = open.timed(call);
        returnedAt = Pace.now();
        return answer;
    }

    Duration mustRenew(String because) {
        Renewal renewal = renew();
        if (renewal instanceof Renewal.Held held) {
            mustNotHaveLost(because);
            return held.validFor();
        }
        throw new AssertionError("the renewal must be held, because " + because + ", but it was " + renewal);
    }

    /** Fails if a loss was signalled: a loss is a fact, so no claim that holds the lock may get that signal. */
    void mustNotHaveLost(String because) {
        if (!losses.isEmpty()) {
            throw new AssertionError("no loss must be signalled, because " + because + ", but there were " + losses);
        }
    }

    void mustBeLost(String because) {
        Renewal renewal = renew();
        if (!(renewal instanceof Renewal.Lost)) {
            throw new AssertionError("the renewal must be lost, because " + because + ", but it was " + renewal);
        }
    }

    Release release() {
        feed.ends(request.name(), wakeUp);
        Release release = open.timed(claim::release);
        open.remove(this);
        return release;
    }

    void mustRelease(Release expected, String because) {
        Release release = release();
        if (release != expected) {
            throw new AssertionError(
                    "the release must be " + expected + ", because " + because + ", but it was " + release);
        }
    }

    /** Is granted the lock, and leaves it. */
    Attempt.Granted mustPass(String because) {
        Attempt.Granted granted = mustBeGranted(because);
        mustRelease(Release.RELEASED, "it holds the lock");
        return granted;
    }

    /** Plays a dead holder: neither the test nor the kit releases this claim. */
    void abandon() {
        open.remove(this);
    }

    /** Lets the whole life of the last grant or renewal pass. */
    void outlive(Duration life) {
        Pace.pass(life.minus(Pace.since(returnedAt)));
    }

    /** When the last attempt or renewal was called, by the monotonic clock: a lease that it began counts from here at the earliest. */
    long calledAt() {
        return calledAt;
    }

    Claim claim() {
        return claim;
    }

    /** The claim itself, for an attempt at an exact moment: nothing of the kit comes before it. */
    Claim opened() {
        open.add(this);
        return claim;
    }

    /** The same claim once more in the same client, as if its requests were sent twice. */
    DrivenClaim copy() {
        return new DrivenClaim(open, provider, request);
    }

    LockProvider provider() {
        return provider;
    }

    String name() {
        return request.name();
    }

    Duration lease() {
        return request.leaseTime();
    }

    String ownerId() {
        return request.ownerId();
    }

    /**
     * Attempts, again after each hint, until no more hints come.
     *
     * @return the number of hints so far
     */
    int mustWait() {
        Sleepers alone = new Sleepers();
        alone.add(this, "a hint");
        alone.settle();
        return hints();
    }

    int hints() {
        return hints.get();
    }

    /**
     * Finds the lock held, and attempts again on another thread, after each hint and at no other time, until it is granted the lock.
     * Returns when it waits, or has failed.
     *
     * @param patience how long it waits for a hint
     * @return the call, whose result is false if there was no hint for that long
     */
    Call<Boolean> waitingForHints(Duration patience) throws InterruptedException {
        return Call.begun(refused -> isGrantedByHints(patience, refused));
    }

    /** Does the same, and then leaves the lock, or the queue. */
    Call<Boolean> passingByHints(Duration patience) throws InterruptedException {
        return Call.begun(refused -> {
            boolean granted = isGrantedByHints(patience, refused);
            release();
            return granted;
        });
    }

    private boolean isGrantedByHints(Duration patience, CountDownLatch refused) throws InterruptedException {
        wakeUps.drainPermits();
        Attempt attempt = mustBeContended("the lock is held");
        refused.countDown();
        while (isToAskAgain(attempt, patience)) {
            wakeUps.drainPermits();
            attempt = attempt();
            if (attempt instanceof Attempt.Granted) {
                return true;
            }
        }
        return false;
    }

    /**
     * Attempts after each hint that came after some, and at no other time, until it is granted the lock. The store may not answer each
     * attempt at once: there was a fault.
     *
     * @param followed the hints that it has followed before
     */
    void mustBeGrantedByHints(int followed, String because) throws Exception {
        Pace.Limit limit = new Pace.Limit(Pace.LISTENS_WITHIN);
        int last = followed;
        boolean granted = false;
        while (!granted) {
            Assertions.assertFalse(
                    limit.isOver(),
                    () ->
                            "the provider declares wake-up PUSH, but a claim that attempts after each wake-up, and at no other time,"
                                    + " does not get a lock that was released: " + because);
            Pace.pass(POLL);
            int now = hints();
            granted = now > last
                    && Trouble.answered("an attempt after a wake-up", this::attempt) instanceof Attempt.Granted;
            last = now;
        }
    }

    /**
     * Attempts on another thread for a lock that is held, again and again, until that thread is interrupted. Returns after the first attempt.
     *
     * @return the call, whose result is false if the thread saw no interrupt for that long
     */
    Call<Boolean> askingUntilInterrupted(Duration time) throws InterruptedException {
        return Call.begun(begun -> seesInterrupt(time, begun));
    }

    private boolean seesInterrupt(Duration time, CountDownLatch begun) {
        Pace.Limit limit = new Pace.Limit(time);
        while (!Thread.interrupted()) {
            if (limit.isOver()) {
                return false;
            }
            try {
                attempt();
            } catch (LockStoreException interrupted) {
                // A call may end with the interrupt, if it leaves the thread interrupted.
                return Thread.interrupted();
            }
            begun.countDown();
        }
        return true;
    }

    /**
     * Waits for a hint, or until the store wants to be asked again: where many ask at once, perhaps none of them was granted the lock.
     * On a semaphore, without polling: only an attempt at once shows that a hint came before the lock was free.
     */
    private boolean isToAskAgain(Attempt refusal, Duration patience) throws InterruptedException {
        Optional<Duration> retryAfter =
                refusal instanceof Attempt.Contended contended ? contended.retryAfter() : Optional.empty();
        long start = Pace.now();
        Pace.Limit limit = new Pace.Limit(patience);
        boolean hinted = false;
        boolean due = false;
        while (!hinted && !due && !limit.isOver()) {
            hinted = wakeUps.tryAcquire(GLANCE.toMillis(), TimeUnit.MILLISECONDS);
            due = retryAfter.isPresent() && Pace.since(start).compareTo(retryAfter.get()) > 0;
        }
        return hinted || due;
    }

    static long token(Attempt.Granted granted) {
        Optional<FencingToken> token = granted.fencingToken();
        return token.orElseThrow(() ->
                        new AssertionError("the provider declares fencing, but the grant has no token: " + granted))
                .value();
    }

    /** Fails if a token is not greater than one of an earlier grant: no stall explains that. */
    static void mustBeNewer(long token, long earlier, String because) {
        if (token <= earlier) {
            throw new CertainError("the token of a later grant must be greater, because " + because + ", but " + token
                    + " came after " + earlier);
        }
    }

    @Override
    public void mayBeFree() {
        hints.incrementAndGet();
        wakeUps.release();
    }

    @Override
    public void lost(LossCause cause) {
        losses.add(cause);
    }

    /**
     * A change of holder, as the next holder saw it.
     *
     * @param watchedUntil when the last attempt was called that found the lock held
     * @param grantedAt when the grant had returned
     */
    record Takeover(long watchedUntil, long grantedAt) {

        /**
         * Whether the lock was watched up to shortly before a moment and not granted before it.
         *
         * @throws AssertionError if it was granted before
         */
        boolean notBefore(long moment, Duration gap, String because) {
            if (grantedAt - moment < 0) {
                throw new CertainError("the lock was granted to another claim "
                        + Duration.ofNanos(moment - grantedAt).toMillis() + " ms too early: " + because);
            }
            return moment - watchedUntil < gap.toNanos();
        }
    }
}
