package io.holdfast.lock.core.hold;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.core.lease.Lease;
import io.holdfast.lock.core.lease.LeaseEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One granted claim, from its grant to its release or loss, and the handles that share it. A claim that is passed on gets a new
 * hold.
 *
 * <p>The deadline is the truth about the hold: past it the hold is not held, whatever the timers and the store's answers are
 * doing. Two locks, never taken in the other order: the claim, during I/O, and the mutex of the {@link Home}, which guards the
 * state.
 */
public final class Hold {

    private final Services services;
    private final Home home;
    private final OwnerId owner;
    private final SerialClaim claim;

    /** The number of the fencing token; 0 if there is none. */
    private final long token;

    private final HandOvers handOvers;
    private final long since;

    /** A renewal only ever moves its end to a later reading. Written under the mutex, read by anybody. */
    private volatile Validity validity;

    private final HoldLease lease;

    /** One of the {@link #shares()}, and the others; guarded by the mutex. Mostly there is one. */
    private @Nullable HoldShare firstShare;

    private List<HoldShare> otherShares = List.of();

    /** Written under the mutex. */
    private volatile State state = State.HELD;

    /** Null until it is lost. Written under the mutex. */
    private volatile @Nullable Loss loss;

    /** Whether listeners know of the grant: they are told of a loss after it. Guarded by the mutex. */
    private boolean begun;

    /** Null until it begins; guarded by the mutex. */
    private @Nullable HoldRelease release;

    /** The share whose release gives the claim back, or passes it on; guarded by the mutex. */
    private @Nullable HoldShare lastShare;

    /** Who has the claim now; null if it was not passed on. Guarded by the mutex. */
    private @Nullable Hold successor;

    /** When the store signalled that the claim may end sooner; null once it was renewed after that. Written under the mutex. */
    private volatile @Nullable Long endsSoonerSince;

    private enum State {
        HELD,
        /** The last handle is being released, or its release had an unknown outcome. */
        RELEASING,
        RELEASED,
        /** Released, and the claim belongs to the {@link #successor}. */
        PASSED_ON,
        LOST
    }

    /**
     * The end of a hold that was not released.
     *
     * @param holders the shares whose handles were not released by then
     */
    private record Loss(LossCause cause, List<HoldShare> holders) {}

    /** Where a hold belongs. It shares its mutex with the hold, and hears of the hold's end without the mutex. */
    public interface Home {

        /** Guards the state of the hold. */
        ReentrantLock mutex();

        /**
         * The last handle is being released. Returns whether the claim was passed on to a waiter of this client, by {@link
         * Hold#passOn}. Called with the mutex held.
         */
        boolean passesOn(Hold hold);

        /** Whether others of this client wait for the lock. Called with the mutex held. */
        boolean hasWaiters();

        /** The claim was passed on. Called without the mutex. */
        void passedOn();

        /**
         * The last handle is being released: nobody shares the hold any more, and the store is about to be asked. Called with the
         * mutex held, so that no close of the client comes in between.
         */
        void releasing(Hold hold);

        /** A release has ended. If it failed, the hold is over but the store may still have the claim. */
        void releaseEnded(Hold hold);

        /**
         * The store has released the claim of the last handle. A store that keeps waiting claims in a line has told the next one.
         */
        void gaveBack(Hold hold);

        /** The hold was lost, or its release had an unknown outcome and has ended since: the lock may be free. */
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

    /** Creates the hold of a claim that the store has just granted, without handles. */
    public Hold(Services services, Home home, OwnerId owner, LockOptions options, Grant grant) {
        this(services, home, owner, options, grant, grant.sentAt());
    }

    private Hold(Services services, Home home, OwnerId owner, LockOptions options, Grant grant, long since) {
        this.since = since;
        this.services = services;
        this.home = home;
        this.owner = owner;
        this.claim = grant.claim();
        this.token = grant.fencingToken().map(FencingToken::value).orElse(0L);
        this.handOvers = grant.handOvers();
        this.validity = Validity.of(grant.sentAt(), grant.end());
        this.lease = new HoldLease(this, options.isRenewed());
    }

    public String lockName() {
        return claim().lockName();
    }

    public OwnerId owner() {
        return owner;
    }

    /** The lease time of its claim. */
    public Duration leaseTime() {
        return claim().request().leaseTime();
    }

    SerialClaim claim() {
        return claim;
    }

    /** The reading of the clock at which it ends, if it is not renewed. */
    public long deadline() {
        return validity.deadline();
    }

    /**
     * Begins the watch over its lease, and tells listeners of the grant. Then it tells of a loss, should there have been one
     * meanwhile: the client was closed, or a pause of the process has used up the lease.
     */
    public void begin() {
        services.keeper().keep(lease, validity.from());
        if (mayStillEndSooner()) {
            services.keeper().renewNow(lease);
        }
        services.events().emit(listener -> listener.acquired(event()));
        Loss lost;
        home.mutex().lock();
        try {
            begun = true;
            lost = loss;
        } finally {
            home.mutex().unlock();
        }
        if (lost != null) {
            tell(lost);
        } else if (!isHeld()) {
            expire();
        }
    }

    /** The hold as the keeper of leases sees it. */
    public Lease lease() {
        return lease;
    }

    Optional<FencingToken> fencingToken() {
        return token == 0 ? Optional.empty() : Optional.of(new FencingToken(token));
    }

    /** Whether this hold's token proves that the other's grant is over. */
    public boolean isFencedAfter(Hold other) {
        return token != 0 && other.token != 0 && token > other.token;
    }

    LossCause lossCause() {
        Loss lost = loss;
        return lost == null ? LossCause.EXPIRED : lost.cause();
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
        home.mutex().lock();
        try {
            return isHeldAt(services.now());
        } finally {
            home.mutex().unlock();
        }
    }

    /** Whether a third of the lease is left at most. */
    boolean isAtRisk() {
        return isHeld() && validity.isLow(services.now());
    }

    /** Whether the lock is held at a reading of the clock. */
    public boolean isHeldAt(long now) {
        return state == State.HELD && !validity.isOver(now);
    }

    /** How long the lock is held at least. */
    public Duration remaining() {
        return validity.remaining(services.now());
    }

    /** The shares whose handles are not released. */
    private List<HoldShare> shares() {
        HoldShare first = firstShare;
        if (first == null || otherShares.isEmpty()) {
            return first == null ? List.of() : List.of(first);
        }
        List<HoldShare> all = new ArrayList<>(otherShares);
        all.add(0, first);
        return all;
    }

    private void setShares(List<HoldShare> all) {
        firstShare = all.isEmpty() ? null : all.get(0);
        otherShares = all.size() > 1 ? List.copyOf(all.subList(1, all.size())) : List.of();
    }

    private void removeShare(HoldShare share) {
        if (otherShares.isEmpty()) {
            firstShare = firstShare == share ? null : firstShare;
        } else {
            setShares(shares().stream().filter(other -> other != share).toList());
        }
    }

    /** Adds the share of the acquire that was granted. Called with the mutex held. */
    void addFirst(HoldShare share) {
        firstShare = share;
    }

    /** Adds a share, without asking the store; false if the lock is not held any more. */
    boolean add(HoldShare share) {
        home.mutex().lock();
        try {
            boolean held = isHeld();
            if (held) {
                List<HoldShare> more = new ArrayList<>(shares());
                more.add(share);
                setShares(more);
            }
            return held;
        } finally {
            home.mutex().unlock();
        }
    }

    /**
     * Prepares a nested acquire. If less than a third of the lease is left, the store is asked to prolong it: the nested work
     * should not begin on a lease that is about to end. A renewal that is under way is not waited for: it may hang.
     */
    void prolongForReentry() {
        if (!validity.isComfortable(services.now()) && claim().tryLock()) {
            try {
                boolean unused = renew();
            } finally {
                claim().unlock();
            }
        }
    }

    /** Asks the store to prolong the lease; false if the hold is over. */
    public boolean renew() {
        return lease.renew();
    }

    /** The claim may end sooner than was known: has the store asked in the background, if the lease is renewed automatically. */
    public void mayEndSooner() {
        Hold present;
        home.mutex().lock();
        try {
            // Until then the claim may be passed on.
            present = present();
            // Its lease may not be kept yet: then it is renewed as soon as that begins.
            present.endsSoonerSince = services.now();
        } finally {
            home.mutex().unlock();
        }
        services.keeper().renewNow(present.lease);
    }

    /** Whether the claim may end sooner than was known, and was not renewed since. */
    boolean mayStillEndSooner() {
        return endsSoonerSince != null;
    }

    /**
     * Moves the deadline, by the answer to a renewal that was sent at a reading of the clock. False if the hold is over, which an
     * answer that comes after the deadline cannot change.
     */
    boolean extend(LeaseEnd end, long sentAt) {
        home.mutex().lock();
        try {
            long now = services.now();
            if (!isHeldAt(now)) {
                return false;
            }
            if (end.reading() - deadline() > 0) {
                validity = Validity.of(now, end);
            }
            Long since = endsSoonerSince;
            if (since != null && sentAt - since >= 0) {
                endsSoonerSince = null;
            }
            return true;
        } finally {
            home.mutex().unlock();
        }
    }

    /** Whether the application can release it still. Warns of the handles that it has dropped. */
    boolean isReachable() {
        warnOfDroppedHandles();
        home.mutex().lock();
        try {
            return !shares().stream().allMatch(HoldShare::isDropped);
        } finally {
            home.mutex().unlock();
        }
    }

    private void warnOfDroppedHandles() {
        List<HoldShare> dropped = new ArrayList<>();
        home.mutex().lock();
        try {
            shares().stream().filter(HoldShare::takeWarning).forEach(dropped::add);
        } finally {
            home.mutex().unlock();
        }
        long now = services.now();
        dropped.forEach(share -> services.events()
                .log()
                .dropped(event(), share.thread(), Duration.ofNanos(now - share.since()), validity.remaining(now)));
    }

    /** Ends the hold if its deadline has passed. A renewal that came just in time keeps it. */
    public void expire() {
        warnOfDroppedHandles();
        lose(
                causeOfEnd(lease.isRenewalPending() ? LossCause.STORE_LOST : LossCause.EXPIRED),
                () -> validity.isOver(services.now()));
    }

    private LossCause causeOfEnd(LossCause usual) {
        return validity.isCutShort(services.now()) ? LossCause.CLOCK_STEPPED : usual;
    }

    /**
     * Ends the hold and tells its holders, once; later calls, and calls after a release, do nothing. If the claim was passed on,
     * the loss is the successor's.
     */
    public void lose(LossCause cause) {
        lose(cause, () -> true);
        Hold present = present();
        if (present != this) {
            present.lose(cause);
        }
    }

    private void lose(LossCause cause, BooleanSupplier condition) {
        Loss lost;
        home.mutex().lock();
        try {
            if (state != State.HELD || !condition.getAsBoolean()) {
                return;
            }
            Loss end = new Loss(cause, shares());
            become(State.LOST, end);
            lost = begun ? end : null;
        } finally {
            home.mutex().unlock();
        }
        services.keeper().drop(lease);
        if (lost != null) {
            tell(lost);
        }
        // The store may still have the claim, for instance after a renewal whose reply never
        // came, or one of two stores.
        releaseInBackground();
    }

    private void tell(Loss lost) {
        LossCause cause = lost.cause();
        services.events().log().lost(event(), cause, age(), lease.failure());
        services.events().emit(listener -> listener.lost(event(), cause));
        lost.holders()
                .forEach(share -> services.events().dispatch(() -> loss(share).complete(cause)));
        home.mayBeFree(this);
    }

    private CompletableFuture<LossCause> loss(HoldShare share) {
        home.mutex().lock();
        try {
            return share.cause();
        } finally {
            home.mutex().unlock();
        }
    }

    /** Completes when the hold is lost before the share is released. */
    CompletionStage<LossCause> lost(HoldShare share) {
        home.mutex().lock();
        try {
            return share.lost();
        } finally {
            home.mutex().unlock();
        }
    }

    /**
     * Lets another thread of this client come back for the lock, if it did want it. The thread that passed the lock on has woken
     * this one, and a woken thread runs first: else this one would give the lock to another client a moment before the other
     * thread asks.
     */
    // Only the speed depends on it.
    @SuppressWarnings("ThreadPriorityCheck")
    private void letOthersCome() {
        long now = services.now();
        if (!handOvers.isPossibleAt(now)) {
            return; // As always if nobody else of this client wanted the lock.
        }
        boolean givenAway;
        home.mutex().lock();
        try {
            givenAway = canBePassedOnAt(now) && otherShares.isEmpty() && !home.hasWaiters();
        } finally {
            home.mutex().unlock();
        }
        if (givenAway) {
            Thread.yield();
        }
    }

    /** Releases one share, and with the last one the claim. */
    Outcome release(HoldShare share) {
        letOthersCome();
        if (!isHeld()) {
            expire();
        }
        home.mutex().lock();
        try {
            if (!share.isReleased()) {
                share.markReleased();
                removeShare(share);
                if (state != State.HELD) {
                    return Outcome.LOST;
                }
                if (firstShare != null) {
                    return Outcome.RELEASED;
                }
                lastShare = share;
                if (!home.passesOn(this)) {
                    become(State.RELEASING, null);
                }
            } else if (share != lastShare || state != State.RELEASING) {
                return Outcome.BEFORE;
            }
            if (state != State.PASSED_ON) {
                home.releasing(this);
            }
        } finally {
            home.mutex().unlock();
        }
        services.keeper().drop(lease);
        if (state == State.PASSED_ON) {
            home.passedOn();
            return Outcome.RELEASED;
        }
        try {
            return claimRelease().giveBack();
        } finally {
            home.releaseEnded(this);
        }
    }

    private HoldRelease claimRelease() {
        home.mutex().lock();
        try {
            HoldRelease present = release;
            if (present == null) {
                present = new HoldRelease(services, this);
                release = present;
            }
            return present;
        } finally {
            home.mutex().unlock();
        }
    }

    boolean isReleasing() {
        return state == State.RELEASING;
    }

    /** Whether the claim may go to another holder of this client without a call to the store. */
    public boolean canBePassedOnAt(long now) {
        return handOvers.isPossibleAt(now) && isHeldAt(now) && validity.isComfortable(now);
    }

    /**
     * The first reading of the clock at which {@link #canBePassedOnAt} is false, unless the lease is renewed; empty if it is now.
     */
    public OptionalLong canBePassedOnUntil(long now) {
        if (!canBePassedOnAt(now)) {
            return OptionalLong.empty();
        }
        long byNumberAndTime = handOvers.until();
        long byLease = validity.comfortableUntil();
        return OptionalLong.of(byNumberAndTime - byLease < 0 ? byNumberAndTime : byLease);
    }

    /**
     * Ends this hold by giving its claim to the next holder. Called with the mutex held, while {@link #canBePassedOnAt} is true.
     */
    public Hold passOn(OwnerId next, LockOptions options, long now) {
        Optional<FencingToken> following = fencingToken().map(used -> new FencingToken(used.value() + 1));
        Grant grant = new Grant(claim, following, validity.from(), validity.end(), handOvers.afterOne());
        Hold fresh = new Hold(services, home, next, options, grant, now);
        fresh.endsSoonerSince = endsSoonerSince;
        successor = fresh;
        state = State.PASSED_ON;
        return fresh;
    }

    /** Tells the log and listeners that this hold was released, as the claim was passed on. */
    public void tellPassedOn() {
        claimRelease().tellPassedOn();
    }

    /** The hold that has the claim now: this one, unless it was passed on. */
    Hold present() {
        home.mutex().lock();
        try {
            Hold present = this;
            for (Hold next = successor; next != null; next = next.successor) {
                present = next;
            }
            return present;
        } finally {
            home.mutex().unlock();
        }
    }

    /** The store has released the claim, or must have ended its lease. */
    void becomeReleased() {
        become(State.RELEASED, null);
    }

    /** The store did not have the claim any more when the last handle was released. */
    void becomeLostBeforeRelease() {
        LossCause cause = validity.isOver(services.now()) ? causeOfEnd(LossCause.EXPIRED) : LossCause.TAKEN_OVER;
        Loss lost;
        home.mutex().lock();
        try {
            lost = new Loss(cause, List.of(Objects.requireNonNull(lastShare)));
            become(State.LOST, lost);
        } finally {
            home.mutex().unlock();
        }
        tell(lost);
    }

    /** The store has released the claim. */
    void tellGivenBack() {
        home.gaveBack(this);
    }

    /** The store has the claim no longer: the lock may be free. */
    void tellFree() {
        home.mayBeFree(this);
    }

    private void become(State how, @Nullable Loss why) {
        home.mutex().lock();
        try {
            loss = why;
            state = how;
        } finally {
            home.mutex().unlock();
        }
    }

    /** Has the claim released in the background. */
    public void releaseInBackground() {
        claimRelease().inBackground();
    }

    Services services() {
        return services;
    }

    long now() {
        return services.now();
    }

    /** The reading of the clock at its grant. */
    long since() {
        return since;
    }

    Duration age() {
        return Duration.ofNanos(services.now() - since);
    }
}
