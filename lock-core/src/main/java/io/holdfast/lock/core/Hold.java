package io.holdfast.lock.core;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One granted claim, from its grant to its release or loss, and the handles that share it.
 *
 * <p>Two locks, never taken in the other order: the claim's turn, held during I/O, and {@code mutex}, which guards the state and
 * is held for moments. The deadline is the truth about the hold: past it the hold is lost,
 * whatever the timers and the store's replies are doing.
 */
final class Hold {

    private final Engine engine;
    private final Terms terms;
    private final SerialClaim claim;
    private final Optional<FencingToken> fencingToken;
    private final long grantedAt;
    private final Validity validity;
    private final HoldRenewal renewal;
    private final ReentrantLock mutex = new ReentrantLock();

    /** The shares whose handles are not released; guarded by the mutex. */
    private final Set<HoldShare> shares = new LinkedHashSet<>();

    /** Written under the mutex. */
    private volatile State state = State.HELD;

    private volatile @Nullable LossCause lossCause;

    /** The share whose release gives the claim back; written under the mutex. */
    private volatile @Nullable HoldShare lastShare;

    /** Whether the store was asked to release the claim, so that it may be gone by that; touched in the claim's turn only. */
    private boolean releaseAsked;

    /** When the first release began that failed; null if none did, or if the log has told how it ended. */
    private final AtomicReference<@Nullable Long> failingRelease = new AtomicReference<>();

    /**
     * Creates a hold without handles.
     *
     * @param claim the claim that was granted
     * @param grant the store's answer
     * @param sentAt the reading of the clock just before the store was asked
     */
    Hold(Engine engine, Terms terms, SerialClaim claim, Attempt.Granted grant, long sentAt) {
        this.engine = engine;
        this.terms = terms;
        this.claim = claim;
        this.fencingToken = grant.fencingToken();
        this.grantedAt = sentAt;
        this.validity = new Validity(sentAt, sentAt + Nanos.of(grant.validFor()));
        this.renewal = new HoldRenewal(engine, this, claim);
    }

    private enum State {
        HELD,
        /** The last handle is being released, or its release had an unknown outcome. */
        RELEASING,
        RELEASED,
        LOST
    }

    /** What the release of a handle came to. */
    enum Outcome {
        /** It was held until now. */
        RELEASED,
        /** It had been lost. */
        LOST,
        /** It was released before. */
        BEFORE
    }

    HoldKey key() {
        return terms.holdKey();
    }

    OwnerId owner() {
        return terms.owner();
    }

    LockOptions options() {
        return terms.options();
    }

    SerialClaim claim() {
        return claim;
    }

    long deadline() {
        return validity.deadline();
    }

    Optional<FencingToken> fencingToken() {
        return fencingToken;
    }

    /** Whether this hold's token proves that the other's grant is over. */
    boolean isFencedAfter(Hold other) {
        return fencingToken.isPresent()
                && other.fencingToken.isPresent()
                && fencingToken.get().compareTo(other.fencingToken.get()) > 0;
    }

    LossCause lossCause() {
        LossCause cause = lossCause;
        return cause == null ? LossCause.EXPIRED : cause;
    }

    LockEvent event() {
        return new LockEvent(terms.lockName(), claim.request().ownerId(), fencingToken);
    }

    /** Whether the hold is in force now. Noticing that it is not makes the loss known. */
    boolean isInForce() {
        if (isCertainAt(engine.now())) {
            return true;
        }
        if (state == State.HELD) {
            expire();
        }
        // A renewal that was being taken in may have kept it.
        return isCertainAt(engine.now());
    }

    /** Whether its last handle was released, and the store has not confirmed it. */
    boolean isReleasing() {
        return state == State.RELEASING;
    }

    /** Whether the hold is in force at a reading of the clock, without making anything known. */
    boolean isCertainAt(long now) {
        return state == State.HELD && !validity.isOver(now);
    }

    /** Whether it is in force, and at most a third of its lease is left. */
    boolean isAtRisk() {
        return isInForce() && validity.isLow(engine.now());
    }

    Duration remaining() {
        return validity.remaining(engine.now());
    }

    /** The handle of the acquire that was granted. */
    EngineHandle firstHandle() {
        mutex.lock();
        try {
            return newHandle(claim.request().claimant().thread());
        } finally {
            mutex.unlock();
        }
    }

    private EngineHandle newHandle(String thread) {
        EngineHandle handle = new EngineHandle(this, thread, engine.now());
        shares.add(handle.share());
        return handle;
    }

    /** Whether the application can still release the hold. */
    boolean isWanted() {
        mutex.lock();
        try {
            return !shares.stream().allMatch(HoldShare::isDropped);
        } finally {
            mutex.unlock();
        }
    }

    /** Warns, once, of each handle that the application has dropped without a release. */
    void warnOfDroppedHandles() {
        List<HoldShare> dropped = new ArrayList<>();
        mutex.lock();
        try {
            for (HoldShare share : shares) {
                if (share.takeWarning()) {
                    dropped.add(share);
                }
            }
        } finally {
            mutex.unlock();
        }
        long now = engine.now();
        dropped.forEach(share -> engine.events()
                .log()
                .dropped(event(), share.thread(), Duration.ofNanos(now - share.since()), validity.remaining(now)));
    }

    /** Another handle, without asking the store; empty if the hold is no longer in force. */
    Optional<EngineHandle> share() {
        if (!isInForce()) {
            return Optional.empty();
        }
        mutex.lock();
        try {
            return state == State.HELD
                    ? Optional.of(newHandle(Thread.currentThread().getName()))
                    : Optional.empty();
        } finally {
            mutex.unlock();
        }
    }

    /**
     * Another handle for the same owner. Where less than a third of the lease is left, the store is asked to prolong it first:
     * the nested work should not begin on a lease that is about to end.
     */
    Optional<EngineHandle> reenter() {
        return validity.isComfortable(engine.now()) || renewal.renew() ? share() : Optional.empty();
    }

    HoldRenewal renewal() {
        return renewal;
    }

    /** Moves the deadline; false if the hold is over, which an answer that comes after the deadline cannot change. */
    boolean extend(long newDeadline) {
        if (!isInForce()) {
            return false;
        }
        mutex.lock();
        try {
            long now = engine.now();
            if (!isCertainAt(now)) {
                return false;
            }
            validity.extend(now, newDeadline);
            return true;
        } finally {
            mutex.unlock();
        }
    }

    /** Ends the hold because its deadline has passed. A renewal that came just in time keeps it. */
    void expire() {
        lose(renewal.isOpen() ? LossCause.STORE_LOST : LossCause.EXPIRED, () -> validity.isOver(engine.now()));
        if (state == State.HELD) {
            engine.keepWatching(this, engine.now());
        }
    }

    /** Ends the hold and tells its holders, once; later calls, and calls after a release, do nothing. */
    void lose(LossCause cause) {
        lose(cause, () -> true);
    }

    private void lose(LossCause cause, BooleanSupplier condition) {
        List<HoldShare> holders;
        mutex.lock();
        try {
            if (state != State.HELD || !condition.getAsBoolean()) {
                return;
            }
            become(State.LOST, cause);
            holders = List.copyOf(shares);
        } finally {
            mutex.unlock();
        }
        engine.forget(this);
        tellLoss(holders, cause);
        if (cause == LossCause.EXPIRED || cause == LossCause.STORE_LOST) {
            // By the store's clock the claim may still stand, for instance after a renewal whose reply never came.
            undo();
        }
    }

    private void tellLoss(List<HoldShare> holders, LossCause cause) {
        engine.events().log().lost(event(), cause, heldFor(), renewal.failure());
        engine.events().emit(listener -> listener.lost(event(), cause));
        holders.forEach(share -> engine.events().dispatch(() -> share.lost().complete(cause)));
        engine.wakeContender(terms.lockName());
    }

    /** Releases one handle, and with the last one the claim. */
    Outcome release(EngineHandle handle) {
        HoldShare share = handle.share();
        try {
            return engine.releasing(this, () -> releaseOrCount(share));
        } finally {
            // A handle is not dropped while it is being released.
            Reference.reachabilityFence(handle);
            if (share == lastShare) {
                engine.contenders().first(terms.lockName()).ifPresent(Acquisition::lookAgain);
            }
        }
    }

    private Outcome releaseOrCount(HoldShare share) {
        boolean inForce = isInForce();
        mutex.lock();
        try {
            if (share.isReleased()) {
                if (share != lastShare) {
                    return Outcome.BEFORE;
                }
            } else {
                share.markReleased();
                shares.remove(share);
                if (!inForce || state != State.HELD) {
                    return Outcome.LOST;
                }
                if (!shares.isEmpty()) {
                    return Outcome.RELEASED;
                }
                state = State.RELEASING;
                lastShare = share;
            }
        } finally {
            mutex.unlock();
        }
        engine.forget(this);
        return giveBack(share);
    }

    private Outcome giveBack(HoldShare last) {
        long began = engine.now();
        // To the end in one turn: a second release of the handle must not take what the first one did for a loss.
        return claim.alone(() -> {
            if (state != State.RELEASING) {
                return Outcome.BEFORE;
            }
            boolean askedBefore = releaseAsked;
            releaseAsked = true;
            Release found = releaseOrUndo(began);
            if (found == Release.NOT_HELD && !askedBefore) {
                LossCause cause = validity.isOver(engine.now()) ? LossCause.EXPIRED : LossCause.TAKEN_OVER;
                become(State.LOST, cause);
                tellLoss(List.of(last), cause);
                return Outcome.LOST;
            }
            becomeReleased(began);
            engine.wakeContender(terms.lockName());
            return found == Release.RELEASED ? Outcome.RELEASED : Outcome.BEFORE;
        });
    }

    /** The caller is told of a failure, and the store is asked again behind its back: others wait for the lock. */
    private Release releaseOrUndo(long began) {
        try {
            return claim.release();
        } catch (LockException | Error unknown) {
            failingRelease.compareAndSet(null, began);
            engine.events().log().releaseFailed(event(), since(began), unknown);
            undo();
            throw unknown;
        }
    }

    private void becomeReleased(long began) {
        become(State.RELEASED, null);
        Long failedFrom = failingRelease.getAndSet(null);
        if (failedFrom == null) {
            engine.events().log().released(event(), heldFor(), since(began));
        } else {
            engine.events().log().releasedAtLast(event(), since(failedFrom));
        }
        engine.events().emit(listener -> listener.released(event()));
    }

    private Duration heldFor() {
        return since(grantedAt);
    }

    private Duration since(long began) {
        return Duration.ofNanos(engine.now() - began);
    }

    private void become(State how, @Nullable LossCause why) {
        mutex.lock();
        try {
            lossCause = why;
            state = how;
        } finally {
            mutex.unlock();
        }
    }

    /** Releases a handle that nobody will use. */
    void discard(EngineHandle handle) {
        try {
            release(handle);
        } catch (LockException unknown) {
            // Nobody is there to be told; the store is being asked again.
            return;
        }
    }

    /** Has the store asked to give the claim back, in the background. */
    void undo() {
        long began = engine.now();
        engine.abandoned()
                .undo(claim, terms, AbandonedClaims.Until.ANSWERED, () -> undone(began), this::leaseEndedUnreleased);
    }

    private void undone(long began) {
        claim.alone(() -> {
            if (state == State.RELEASING) {
                becomeReleased(began);
            }
            return state;
        });
        engine.wakeContender(terms.lockName());
    }

    private void leaseEndedUnreleased() {
        Long failedFrom = failingRelease.getAndSet(null);
        if (failedFrom != null) {
            engine.events().log().neverReleased(event(), since(failedFrom));
        }
    }

    /** Has the claim given back, if it was lost because the client closes. */
    void giveUp() {
        if (lossCause == LossCause.CLIENT_CLOSED) {
            undo();
        }
    }
}
