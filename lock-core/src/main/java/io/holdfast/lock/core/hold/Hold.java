package io.holdfast.lock.core.hold;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.claim.ClaimReaper;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.core.lease.Lease;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
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
 * <p>The deadline is the truth about the hold: past it the hold is not held, whatever the timers and the store's answers are doing.
 * Two locks, never taken in the other order: the claim, during I/O, and the mutex of the {@link Home}, which guards the state.
 */
public final class Hold implements Lease {

    private final Services services;
    private final Home home;
    private final ReentrantLock mutex;
    private final OwnerId owner;
    private final boolean renewedAutomatically;
    private final Grant grant;
    private final Validity validity;
    private final HoldRenewal renewal;

    /** The shares whose handles are not released; guarded by the mutex. */
    private final Set<HoldShare> shares = new LinkedHashSet<>();

    /** Written under the mutex. */
    private volatile State state = State.HELD;

    private volatile @Nullable LossCause lossCause;

    /** The share whose release gives the claim back; guarded by the mutex. */
    private @Nullable HoldShare lastShare;

    /** When the first release began that failed; null if none did, or if the log has told how it ended. */
    private final AtomicReference<@Nullable Long> failingRelease = new AtomicReference<>();

    /** True once a release was sent: a later NOT_HELD may be our own doing. Guarded by the claim. */
    private boolean releaseSent;

    private enum State {
        HELD,
        /** The last handle is being released, or its release had an unknown outcome. */
        RELEASING,
        RELEASED,
        LOST
    }

    /** Where a hold belongs. It shares its mutex with the hold, and hears of the hold's end without the mutex. */
    public interface Home {

        /** Guards the state of the hold. */
        ReentrantLock mutex();

        /**
         * The last handle is being released: nobody shares the hold any more, and the store is about to be asked. Called with the
         * mutex held, so that no close of the client comes in between.
         */
        void releasing(Hold hold);

        /** A release has ended. If it failed, the hold is over but the store may still have the claim. */
        void releaseEnded(Hold hold);

        /** The hold was lost or released, or the store has given up its claim: the lock may be free. */
        void mayBeFree(Hold hold);
    }

    /** What the release of a handle came to. */
    public enum Outcome {
        /** It was held until now. */
        RELEASED,
        /** It had been lost. */
        LOST,
        /** It was released before. */
        BEFORE
    }

    /** Creates a hold without handles. */
    public Hold(Services services, Home home, OwnerId owner, LockOptions options, Grant grant) {
        this.services = services;
        this.home = home;
        this.mutex = home.mutex();
        this.owner = owner;
        this.renewedAutomatically = options.isRenewed();
        this.grant = grant;
        this.validity = new Validity(grant.sentAt(), grant.deadline());
        this.renewal = new HoldRenewal(services, this);
    }

    public String lockName() {
        return claim().lockName();
    }

    public OwnerId owner() {
        return owner;
    }

    @Override
    public SerialClaim claim() {
        return grant.claim();
    }

    @Override
    public boolean isRenewedAutomatically() {
        return renewedAutomatically;
    }

    @Override
    public long deadline() {
        return validity.deadline();
    }

    Optional<FencingToken> fencingToken() {
        return grant.answer().fencingToken();
    }

    /** Whether this hold's token proves that the other's grant is over. */
    public boolean isFencedAfter(Hold other) {
        return fencingToken().isPresent()
                && other.fencingToken().isPresent()
                && fencingToken().get().compareTo(other.fencingToken().get()) > 0;
    }

    LossCause lossCause() {
        LossCause cause = lossCause;
        return cause == null ? LossCause.EXPIRED : cause;
    }

    /** The hold as listeners and the log name it. */
    public LockEvent event() {
        return new LockEvent(lockName(), claim().request().ownerId(), fencingToken());
    }

    /** Whether the lock is held now. Once it is not, it never is again. */
    public boolean isHeld() {
        if (isHeldAt(services.now())) {
            return true;
        }
        // A renewal that is just moving the deadline comes first.
        mutex.lock();
        try {
            return isHeldAt(services.now());
        } finally {
            mutex.unlock();
        }
    }

    private boolean isAtRisk() {
        return isHeld() && validity.isLow(services.now());
    }

    @Override
    public boolean isHeldAt(long now) {
        return state == State.HELD && !validity.isOver(now);
    }

    /** How long the lock is held at least. */
    public Duration remaining() {
        return validity.remaining(services.now());
    }

    /** The handle of the acquire that was granted. Called with the mutex held. */
    public HoldHandle firstHandle() {
        return newHandle(claim().request().claimant().thread());
    }

    private HoldHandle newHandle(String thread) {
        HoldHandle handle = new HoldHandle(this, thread, services.now());
        shares.add(handle.share());
        return handle;
    }

    /** Another handle, without asking the store; empty if the lock is not held any more. */
    public Optional<HoldHandle> share() {
        mutex.lock();
        try {
            return isHeld() ? Optional.of(newHandle(Thread.currentThread().getName())) : Optional.empty();
        } finally {
            mutex.unlock();
        }
    }

    /**
     * Another handle for the same owner. If less than a third of the lease is left, the store is asked to prolong it first: the
     * nested work should not begin on a lease that is about to end.
     */
    public Optional<HoldHandle> reenter() {
        return validity.isComfortable(services.now()) || renew() ? share() : Optional.empty();
    }

    /** Asks the store to prolong the lease; false if the hold is over. */
    public boolean renew() {
        return renewal.renew();
    }

    /** Moves the deadline; false if the hold is over, which an answer that comes after the deadline cannot change. */
    boolean extend(long newDeadline) {
        mutex.lock();
        try {
            long now = services.now();
            if (!isHeldAt(now)) {
                return false;
            }
            validity.extend(now, newDeadline);
            return true;
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public boolean isRenewalWanted() {
        warnOfDroppedHandles();
        mutex.lock();
        try {
            return !shares.stream().allMatch(HoldShare::isDropped);
        } finally {
            mutex.unlock();
        }
    }

    private void warnOfDroppedHandles() {
        List<HoldShare> dropped = new ArrayList<>();
        mutex.lock();
        try {
            shares.stream().filter(HoldShare::takeWarning).forEach(dropped::add);
        } finally {
            mutex.unlock();
        }
        long now = services.now();
        dropped.forEach(share -> services.events()
                .log()
                .dropped(event(), share.thread(), Duration.ofNanos(now - share.since()), validity.remaining(now)));
    }

    @Override
    public void renewalBegan() {
        renewal.began();
    }

    @Override
    public void renewalAnswered(Renewal answer, long sentAt) {
        renewal.answered(answer, sentAt);
    }

    @Override
    public void renewalFailed(LockException failure) {
        renewal.failed(failure);
    }

    @Override
    public boolean isRenewalPending() {
        return renewal.isPending();
    }

    @Override
    public void renewalIsLate() {
        renewal.reportLate();
    }

    @Override
    public void warn() {
        Duration left = remaining();
        if (isAtRisk()) {
            if (isRenewalWanted()) {
                services.events().log().atRisk(event(), left);
            }
            services.events().emit(listener -> listener.atRisk(event(), remaining()));
        }
    }

    /** Ends the hold if its deadline has passed. A renewal that came just in time keeps it. */
    @Override
    public void expire() {
        warnOfDroppedHandles();
        lose(isRenewalPending() ? LossCause.STORE_LOST : LossCause.EXPIRED, () -> validity.isOver(services.now()));
    }

    /** Ends the hold and tells its holders, once; later calls, and calls after a release, do nothing. */
    public void lose(LossCause cause) {
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
        services.keeper().drop(this);
        tellLoss(holders, cause);
        if (cause != LossCause.TAKEN_OVER && cause != LossCause.SESSION_ENDED) {
            // The store may still have the claim, for instance after a renewal whose reply never came.
            undo();
        }
    }

    private void tellLoss(List<HoldShare> holders, LossCause cause) {
        services.events().log().lost(event(), cause, since(grant.sentAt()), renewal.failure());
        services.events().emit(listener -> listener.lost(event(), cause));
        holders.forEach(share -> services.events().dispatch(() -> share.tellLoss(cause)));
        home.mayBeFree(this);
    }

    /** Releases one handle, and with the last one the claim. */
    Outcome release(HoldHandle handle) {
        try {
            return release(handle.share());
        } finally {
            // A handle is not dropped while it is being released.
            Reference.reachabilityFence(handle);
        }
    }

    private Outcome release(HoldShare share) {
        if (!isHeld()) {
            expire();
        }
        mutex.lock();
        try {
            if (!share.isReleased()) {
                share.markReleased();
                shares.remove(share);
                if (state != State.HELD) {
                    return Outcome.LOST;
                }
                if (!shares.isEmpty()) {
                    return Outcome.RELEASED;
                }
                become(State.RELEASING, null);
                lastShare = share;
            } else if (share != lastShare) {
                return Outcome.BEFORE;
            }
            home.releasing(this);
        } finally {
            mutex.unlock();
        }
        services.keeper().drop(this);
        try {
            return giveBack(share);
        } finally {
            home.releaseEnded(this);
        }
    }

    private Outcome giveBack(HoldShare last) {
        long began = services.now();
        // Exclusively to the end: a second release of the handle must not take what the first one did for a loss.
        return claim().exclusively(() -> {
            if (state != State.RELEASING) {
                return Outcome.BEFORE;
            }
            boolean sentBefore = releaseSent;
            releaseSent = true;
            Release found = releaseOrUndo(began);
            if (found == Release.NOT_HELD && !sentBefore) {
                LossCause cause = validity.isOver(services.now()) ? LossCause.EXPIRED : LossCause.TAKEN_OVER;
                become(State.LOST, cause);
                tellLoss(List.of(last), cause);
                return Outcome.LOST;
            }
            becomeReleased(began);
            home.mayBeFree(this);
            return found == Release.RELEASED ? Outcome.RELEASED : Outcome.BEFORE;
        });
    }

    /** After a failure the caller gets the exception, and the store is asked again in the background: others wait. */
    private Release releaseOrUndo(long began) {
        try {
            return claim().release();
        } catch (LockException unknown) {
            failingRelease.compareAndSet(null, began);
            services.events().log().releaseFailed(event(), since(began), unknown);
            undo();
            throw unknown;
        }
    }

    private void becomeReleased(long began) {
        become(State.RELEASED, null);
        Long failedFrom = failingRelease.getAndSet(null);
        if (failedFrom == null) {
            services.events().log().released(event(), since(grant.sentAt()), since(began));
        } else {
            services.events().log().releasedAtLast(event(), since(failedFrom));
        }
        services.events().emit(listener -> listener.released(event()));
    }

    private Duration since(long began) {
        return Duration.ofNanos(services.now() - began);
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
    void discard(HoldHandle handle) {
        try {
            Outcome unused = release(handle);
        } catch (LockException unknown) {
            // Nobody is there to be told; the store is being asked again.
            return;
        }
    }

    /** Has the claim released in the background. */
    public void undo() {
        long began = services.now();
        services.reaper().release(claim(), ClaimReaper.Until.ANSWERED, () -> undone(began), this::leaseEnded);
    }

    private void undone(long began) {
        boolean unused = claim().exclusively(() -> {
            boolean releasing = state == State.RELEASING;
            if (releasing) {
                becomeReleased(began);
            }
            return releasing;
        });
        home.mayBeFree(this);
    }

    private void leaseEnded() {
        Long failedFrom = failingRelease.getAndSet(null);
        if (failedFrom != null) {
            services.events().log().neverReleased(event(), since(failedFrom));
            become(State.RELEASED, null);
        }
        home.mayBeFree(this);
    }
}
