package io.holdfast.lock.core;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The store's side of one {@link Acquisition}: its claim, from the first attempt to the grant or the withdrawal. Its methods
 * are called serially, as an acquisition's steps are; the signals come from any thread.
 */
final class Bid implements ClaimSignals {

    private final Engine engine;
    private final Terms terms;
    private final ClaimRequest request;
    private final RetryPauses pauses;

    /** What there is to withdraw: null before the first attempt, and once the claim is a hold's, taken back or being so. */
    private @Nullable SerialClaim claim;

    private final long began;
    private long retryAt;
    private boolean grantedTooLate;

    private volatile Runnable wake;
    private volatile boolean signalled;

    private final ReentrantLock lossMutex = new ReentrantLock();
    private @Nullable Hold hold;
    private @Nullable LossCause earlyLoss;

    Bid(Engine engine, Terms terms, Runnable wake) {
        this.engine = engine;
        this.terms = terms;
        this.wake = wake;
        this.began = engine.now();
        this.pauses = new RetryPauses(engine.provider().capabilities().wakeUp());
        String claimId = engine.identity().nextClaimId();
        this.request = new ClaimRequest(
                terms.lockName(),
                claimId,
                terms.owner().toldToStore(claimId),
                terms.options().leaseTime(),
                terms.deadline().intent(),
                engine.identity().claimant());
    }

    /**
     * Bids once.
     *
     * @return a handle, or empty if the lock is contended
     * @throws LockException if the outcome is unknown; whatever the store made of the bid is being undone
     */
    Optional<EngineHandle> attempt() {
        SerialClaim bidder = claim;
        if (bidder == null) {
            Claim made = engine.storeCalls()
                    .run("claim", terms.lockName(), () -> engine.provider().newClaim(request, this));
            bidder = new SerialClaim(engine.storeCalls(), request, made);
            claim = bidder;
        }
        signalled = false;
        long sentAt = engine.now();
        Attempt answer = answerTo(bidder);
        if (answer instanceof Attempt.Granted grant) {
            return Optional.of(granted(bidder, grant, sentAt));
        }
        Attempt.Contended refusal = (Attempt.Contended) answer;
        retryAt = engine.now() + pauses.nextNanos(refusal);
        return Optional.empty();
    }

    private Attempt answerTo(SerialClaim bidder) {
        try {
            return bidder.attempt();
        } catch (LockException | Error unknown) {
            undo(bidder, AbandonedClaims.Until.RELEASED);
            throw unknown;
        }
    }

    private EngineHandle granted(SerialClaim bidder, Attempt.Granted grant, long sentAt) {
        claim = null;
        // The provider keeps its signals as long as the hold: through them it must not keep the acquire's handle.
        wake = () -> {};
        Hold fresh = new Hold(engine, terms, bidder, grant, sentAt);
        if (engine.now() - fresh.deadline() >= 0) {
            undo(bidder, AbandonedClaims.Until.ANSWERED);
            grantedTooLate = true;
            throw new LockStoreException("The lock '" + terms.lockName()
                    + "' was granted, but its time ran out on the way: the store is too slow, or the lease of "
                    + terms.options().leaseTime().toMillis() + " ms or the session's time-out too short");
        }
        EngineHandle handle = engine.adopt(fresh, sentAt);
        engine.events().log().granted(fresh.event(), Duration.ofNanos(engine.now() - began), fresh.remaining());
        LossCause alreadyLost = holdIs(fresh);
        if (alreadyLost != null) {
            fresh.lose(alreadyLost);
        }
        return handle;
    }

    private @Nullable LossCause holdIs(Hold granted) {
        lossMutex.lock();
        try {
            hold = granted;
            return earlyLoss;
        } finally {
            lossMutex.unlock();
        }
    }

    /** The owner as the store, the events and the log name it. */
    String owner() {
        return request.ownerId();
    }

    /** Whether it failed for its own lease only, over an answer of a store that works. */
    boolean wasGrantedTooLate() {
        return grantedTooLate;
    }

    /** When to bid again, after a contended attempt. */
    long retryAt() {
        return retryAt;
    }

    /** Takes a contended bid back, so that it leaves nothing in the store and never becomes a hold. */
    void withdraw() {
        SerialClaim bidder = claim;
        if (bidder == null) {
            return;
        }
        try {
            bidder.release();
            claim = null;
        } catch (LockException unknown) {
            // The acquire ends as it should; the bid is taken back in the background.
            undo(bidder, AbandonedClaims.Until.ANSWERED);
        } catch (Error broken) {
            undo(bidder, AbandonedClaims.Until.ANSWERED);
            throw broken;
        }
    }

    /** Has a contended bid taken back in the background. Nobody is woken: it has kept nobody from the lock. */
    void abandon() {
        SerialClaim bidder = claim;
        if (bidder != null) {
            undo(bidder, AbandonedClaims.Until.ANSWERED, () -> {});
        }
    }

    private void undo(SerialClaim bidder, AbandonedClaims.Until until) {
        undo(bidder, until, () -> engine.wakeContender(terms.lockName()));
    }

    private void undo(SerialClaim bidder, AbandonedClaims.Until until, Runnable settled) {
        claim = null;
        engine.abandoned().undo(bidder, terms, until, settled, () -> {});
    }

    @Override
    public void mayBeFree() {
        signalled = true;
        wake.run();
    }

    /**
     * Passes on the store's signals to another acquire from now on.
     *
     * @return whether there was one since the last attempt, which may have come too early for the other
     */
    boolean listenFor(Runnable newWake) {
        wake = newWake;
        return signalled;
    }

    @Override
    public void lost(LossCause cause) {
        Hold granted;
        lossMutex.lock();
        try {
            granted = hold;
            earlyLoss = cause;
        } finally {
            lossMutex.unlock();
        }
        if (granted != null) {
            granted.lose(cause);
        }
    }
}
