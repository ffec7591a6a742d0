package io.holdfast.lock.tck;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assertions;

/**
 * One claim, called by the kit in place of the engine. It remembers when it called the store.
 * Used by one thread at a time.
 */
final class DrivenClaim {

    private static final Duration POLL = Duration.ofMillis(3);
    /** What a store can know of a claim that is gone. */
    private static final Set<LossCause> CAUSES =
            EnumSet.of(LossCause.EXPIRED, LossCause.TAKEN_OVER, LossCause.SESSION_ENDED);

    private final OpenClaims open;
    private final Feed feed;
    private final LockProvider provider;
    private final ClaimRequest request;
    private final Claim claim;
    private final SeenSignals signals = new SeenSignals();
    private final Runnable wakeUp = signals::mayBeFree;
    private long calledAt = Pace.now();
    private long returnedAt;
    private Optional<Duration> retryAfter = Optional.empty();

    DrivenClaim(OpenClaims open, LockProvider provider, ClaimRequest request) {
        this.open = open;
        this.feed = open.feed(provider);
        this.provider = provider;
        this.request = request;
        this.claim = provider.newClaim(request, signals);
    }

    Attempt attempt() {
        return attemptFor(1);
    }

    /** As the engine does, which asks for more than one token if others of its client want the lock. */
    Attempt attemptFor(int tokens) {
        open.add(this);
        signals.forgetLosses();
        if (request.intent() == Intent.WAIT) {
            feed.asks(request.name(), wakeUp);
        }
        Attempt attempt = timed(() -> claim.attemptFor(tokens));
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
        return mustBeGranted(1, because);
    }

    /** Is granted the lock with so many tokens, or with fewer: not every store can reserve tokens. */
    Attempt.Granted mustBeGranted(int tokens, String because) {
        Attempt attempt = attemptFor(tokens);
        if (!(attempt instanceof Attempt.Granted granted)) {
            throw new AssertionError("the attempt must be granted, because " + because + ", but it was " + attempt);
        }
        Assertions.assertTrue(
                granted.tokens() <= tokens,
                () -> "a grant must not have more tokens than the " + tokens + " that were asked for: " + granted);
        return granted;
    }

    Attempt.Contended mustBeContended(String because) {
        Attempt attempt = attempt();
        if (attempt instanceof Attempt.Contended contended) {
            retryAfter = contended.retryAfter();
            return contended;
        }
        throw new AssertionError("the attempt must be contended, because " + because + ", but it was " + attempt);
    }

    /** How long after its attempt a contended claim asks again. */
    Duration asksAgainAfter() {
        return retryAfter.orElse(Pace.LONG_WAIT);
    }

    /** Lets a long time pass in which a contended claim need not ask again. */
    void waitLong() {
        Duration time = asksAgainAfter();
        Pace.pass((time.compareTo(Pace.LONG_WAIT) < 0 ? time : Pace.LONG_WAIT)
                .multipliedBy(9)
                .dividedBy(10));
    }

    /** Whether the store has told a contended claim to ask again by now: its place may be gone. */
    boolean isDue() {
        return retryAfter
                .filter(time -> Pace.since(calledAt).compareTo(time) > 0)
                .isPresent();
    }

    /** Inconclusive if it {@linkplain #isDue() is due}. */
    void mustNotBeDue() {
        if (isDue()) {
            throw InconclusiveError.tooSlow("a waiter should have asked again meanwhile, as the store told it");
        }
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

    /** Takes the lock over, and leaves it. */
    Takeover takeOverAndLeave(Duration time, String because) {
        Takeover takeover = takeOver(time, because);
        release();
        return takeover;
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
        long leasedAt = calledAt;
        Renewal renewal = renew();
        if (renewal instanceof Renewal.Held held) {
            mustNotHaveLost(because);
            return held.validFor();
        }
        mustBeLeasedSince(leasedAt);
        throw new AssertionError("the renewal must be held, because " + because + ", but it was " + renewal);
    }

    /** Fails as inconclusive if its lease may have ended since it was granted, or renewed by itself: other calls took so long. */
    void mustBeLeased() {
        mustBeLeasedSince(calledAt);
    }

    /** What a store says of a claim whose lease may have ended, as the calls before it took so long, shows nothing. */
    private void mustBeLeasedSince(long leasedAt) {
        if (Pace.since(leasedAt).compareTo(request.leaseTime()) > 0) {
            throw InconclusiveError.tooSlow(
                    "the claim's lease of " + request.leaseTime().toMillis() + " ms may have ended before the answer");
        }
    }

    /** Fails if a loss was signalled: a loss is a fact, so no claim that holds the lock may get that signal. */
    void mustNotHaveLost(String because) {
        if (!signals.losses().isEmpty()) {
            throw new AssertionError(
                    "no loss must be signalled, because " + because + ", but there were " + signals.losses());
        }
    }

    Renewal.Lost mustBeLost(String because) {
        Renewal renewal = renew();
        if (renewal instanceof Renewal.Lost lost) {
            Assertions.assertTrue(
                    CAUSES.contains(lost.cause()),
                    () -> "the cause of a loss that a renewal tells must be one of " + CAUSES
                            + ", as the engine alone can know others, but it was " + lost.cause());
            return lost;
        }
        throw new AssertionError("the renewal must be lost, because " + because + ", but it was " + renewal);
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
            if (expected == Release.RELEASED) {
                mustBeLeasedSince(calledAt);
            }
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

    /**
     * When the last attempt or renewal was called, by the monotonic clock: a lease that it began counts from here at the
     * earliest.
     */
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

    /** A copy that knows that this claim is granted. */
    DrivenClaim grantedCopy() {
        DrivenClaim copy = copy();
        copy.mustBeGranted("the store has this very claim as granted");
        return copy;
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

    /** The owner, for another claim. Throws if the claim has told its store that there is no other one. */
    String sharedOwnerId() {
        if (request.ownerId().equals(request.claimId())) {
            throw new IllegalStateException("The claim has an owner whom no other claim may share: make it owned()");
        }
        return request.ownerId();
    }

    /**
     * Attempts, again after each hint, until the feed listens and no more hints come.
     *
     * @return the number of hints so far
     */
    int mustWait() {
        Sleepers alone = new Sleepers();
        alone.add(this, "a hint");
        if (request.intent() == Intent.WAIT) {
            open.awaitListening(feed, request.name());
        }
        alone.settle();
        return hints();
    }

    int hints() {
        return signals.hints();
    }

    /**
     * Finds the lock held, and attempts again on another thread, after each hint and at no other time, until it is granted the
     * lock. Returns when it waits, or has failed.
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
        signals.forgetWakeUps();
        Attempt attempt = mustBeContended("the lock is held");
        refused.countDown();
        while (signals.isToAskAgain(attempt, patience)) {
            signals.forgetWakeUps();
            attempt = attempt();
            if (attempt instanceof Attempt.Granted) {
                return true;
            }
        }
        return false;
    }

    /**
     * Attempts after each hint that came after some, and at no other time, until it is granted the lock. The store may not answer
     * each attempt at once: there was a fault.
     *
     * @param followed the hints that it has followed before
     */
    void mustBeGrantedByHints(int followed, String because) throws Exception {
        mustBeGrantedByHints(followed, Pace.LISTENS_WITHIN, because);
    }

    /** As the other method, within a time. */
    void mustBeGrantedByHints(int followed, Duration time, String because) throws Exception {
        Pace.Limit limit = new Pace.Limit(time);
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
}
