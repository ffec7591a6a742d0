package io.holdfast.lock.core.migration;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Locks that move from one store to another while the clients that use them run. Thread-safe.
 *
 * <p>The clients of a fleet are restarted one by one in the phase {@link Phase#FROM_ONLY}, then in {@link Phase#BOTH}, then in
 * {@link Phase#TO_ONLY}. Clients in neighbouring phases exclude each other: in {@code BOTH} a lock is held only if both stores
 * have granted it. Fencing tokens grow over the whole move, for all names. Each step can be undone by going back one phase.
 *
 * <p>A client tells in the stores whose locks it takes that it is alive in its phase. One that starts in the first or the last
 * phase is refused while a client in the other one is alive, or has died so shortly before that its locks may be in force.
 * Clients that use a store without this provider cannot be seen.
 */
public final class MigratingLockProvider implements LockProvider {

    private final LockProvider from;
    private final LockProvider to;
    private final Phase phase;
    private final boolean fenced;
    private final LockCapabilities capabilities;
    private final Stay stay;
    private final List<BothFeeds> feeds = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private MigratingLockProvider(Builder builder) {
        this.from = builder.from;
        this.to = builder.to;
        this.phase = builder.phase;
        LockCapabilities stated = switch (phase) {
            case FROM_ONLY -> from.capabilities();
            case BOTH -> common(from.capabilities(), to.capabilities());
            case TO_ONLY -> to.capabilities();
        };
        this.fenced = builder.tokens && isFenced(from) && isFenced(to);
        this.capabilities = fenced ? stated : stated.withFencing(Fencing.NONE);
        this.stay = new Stay(from, to, phase, fenced);
    }

    private static boolean isFenced(LockProvider store) {
        return store.capabilities().fencing() != Fencing.NONE;
    }

    /** What both stores can do. */
    private static LockCapabilities common(LockCapabilities one, LockCapabilities other) {
        return LockCapabilities.BASIC
                .withFencing(one.fencing().compareTo(other.fencing()) < 0 ? one.fencing() : other.fencing())
                .withWakeUp(one.wakeUp() == WakeUp.PUSH ? other.wakeUp() : WakeUp.POLL)
                .withReentrancy(one.reentrancy() == Reentrancy.STORE ? other.reentrancy() : Reentrancy.CLIENT)
                .withLeaseControl(
                        one.leaseControl() == LeaseControl.PER_CLAIM ? other.leaseControl() : LeaseControl.SESSION);
    }

    /**
     * Starts to build a provider over those of two stores. It closes them when it is closed.
     *
     * @param from the old store
     * @param to the new store
     * @param phase the phase that this client is in
     * @return a builder
     */
    public static Builder between(LockProvider from, LockProvider to, Phase phase) {
        return new Builder(from, to, phase);
    }

    LockProvider from() {
        return from;
    }

    LockProvider to() {
        return to;
    }

    boolean isFenced() {
        return fenced;
    }

    /** Makes sure that this client is known to be alive in its phase. */
    void begin() {
        Object unused = stay.begin();
    }

    /** Notes which store a waiting claim asks now: it is woken by that store's releases. */
    void asks(String name, Claim waiting, LockProvider store) {
        feeds.forEach(feed -> feed.asks(name, waiting, store));
    }

    void waitsNoLonger(String name, Claim claim) {
        feeds.forEach(feed -> feed.waitsNoLonger(name, claim));
    }

    private List<LockProvider> stores() {
        return stay.stores();
    }

    /**
     * Which clients are alive in which phase. It asks both stores, some hundred times, and takes no lock.
     *
     * @return the clients of all phases
     * @throws LockStoreException if a store fails
     */
    public MigrationStatus status() {
        return MigrationStatus.of(from, to);
    }

    @Override
    public LockCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(signals, "signals");
        if (request.name().startsWith(Presence.PREFIX)) {
            throw new LockConfigurationException("The name of the lock is '" + request.name()
                    + "'; names that begin with " + Presence.PREFIX + " stand for the clients of a migration");
        }
        return phase == Phase.BOTH
                ? new BothClaim(this, request, signals)
                : new GuardedClaim(
                        stay, stores().get(0).newClaim(request, signals), request.name(), request.leaseTime());
    }

    @Override
    public int renewalBatch() {
        return stores().stream().mapToInt(LockProvider::renewalBatch).min().orElseThrow();
    }

    @Override
    public Object renewalGroup(Claim claim) {
        if (claim instanceof BothClaim both) {
            return List.of(from.renewalGroup(both.from()), to.renewalGroup(both.to()));
        }
        return stores().get(0).renewalGroup(((GuardedClaim) claim).claim());
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        Objects.requireNonNull(claims, "claims");
        List<Renewal> renewals = new ArrayList<>(claims.size());
        if (phase == Phase.BOTH) {
            List<BothClaim> all = claims.stream().map(BothClaim.class::cast).toList();
            List<Renewal> old = renewed(from, all.stream().map(BothClaim::from).toList());
            List<Renewal> young = renewed(to, all.stream().map(BothClaim::to).toList());
            for (int i = 0; i < all.size(); i++) {
                renewals.add(BothClaim.both(old.get(i), young.get(i)));
            }
        } else {
            List<GuardedClaim> all =
                    claims.stream().map(GuardedClaim.class::cast).toList();
            List<Renewal> answers = stores().get(0)
                    .renewAll(all.stream().map(GuardedClaim::claim).toList());
            for (int i = 0; i < all.size(); i++) {
                renewals.add(all.get(i).checked(answers.get(i)));
            }
        }
        return renewals;
    }

    private static List<Renewal> renewed(LockProvider store, List<Claim> claims) {
        try {
            return store.renewAll(claims);
        } catch (LockStoreException unknown) {
            return claims.stream()
                    .map(claim -> (Renewal) new Renewal.Unknown(unknown))
                    .toList();
        }
    }

    /** In BOTH of two stores that send messages, or wake by their claims; where one does neither, waiters poll. */
    @Override
    public Optional<ReleaseFeed> releases(ReleaseFeed.Listener listener) {
        Objects.requireNonNull(listener, "listener");
        if (capabilities.wakeUp() != WakeUp.PUSH || phase != Phase.BOTH) {
            return capabilities.wakeUp() == WakeUp.PUSH ? stores().get(0).releases(listener) : Optional.empty();
        }
        Optional<BothFeeds> both = BothFeeds.of(stores(), listener);
        both.ifPresent(feeds::add);
        return both.map(feed -> feed);
    }

    /**
     * If two claims hold the lock in one store each, that of the new one: the other one is refused there and gives the old one
     * back.
     */
    @Override
    public Optional<LockHolder> holder(String name) {
        Optional<LockHolder> holder = Optional.empty();
        for (LockProvider store : stores()) {
            Optional<LockHolder> before = holder;
            holder = store.holder(name)
                    .map(here -> withGreaterToken(here, before))
                    .or(() -> before);
        }
        return holder;
    }

    /** Of a claim in both stores the greater token counts. */
    private static LockHolder withGreaterToken(LockHolder holder, Optional<LockHolder> inTheOther) {
        return inTheOther
                .filter(other -> other.owner().equals(holder.owner()))
                .flatMap(LockHolder::fencingToken)
                .filter(token -> holder.fencingToken().map(token::isNewerThan).orElse(false))
                .map(holder::withFencingToken)
                .orElse(holder);
    }

    @Override
    public long highestToken() {
        requireFenced();
        return stores().stream().mapToLong(LockProvider::highestToken).max().orElseThrow();
    }

    @Override
    public void raiseTokens(long above) {
        requireFenced();
        stores().forEach(store -> store.raiseTokens(above));
    }

    @Override
    public void raiseTokens(String name, long above) {
        requireFenced();
        stores().forEach(store -> store.raiseTokens(name, above));
    }

    private void requireFenced() {
        if (!fenced) {
            throw new UnsupportedCapabilityException("A move without tokens has none that could be told or raised");
        }
    }

    /** Ends the stay of this client in its phase, and closes the providers of both stores. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            List<Runnable> closings = new ArrayList<>();
            closings.addAll(stay.closings());
            closings.add(from::close);
            closings.add(to::close);
            List<LockException> failures = new ArrayList<>();
            for (Runnable closing : closings) {
                try {
                    closing.run();
                } catch (LockException failed) {
                    failures.add(failed);
                }
            }
            if (!failures.isEmpty()) {
                LockException first = failures.remove(0);
                failures.forEach(first::addSuppressed);
                throw first;
            }
        }
    }

    @Override
    public String toString() {
        return "migrate:" + phase + "[" + from + " -> " + to + "]";
    }

    /** Builds a {@link MigratingLockProvider}. Not thread-safe. */
    public static final class Builder {
        private final LockProvider from;
        private final LockProvider to;
        private final Phase phase;
        private boolean tokens = true;

        private Builder(LockProvider from, LockProvider to, Phase phase) {
            this.from = Objects.requireNonNull(from, "from");
            this.to = Objects.requireNonNull(to, "to");
            this.phase = Objects.requireNonNull(phase, "phase");
        }

        /**
         * Gives up fencing tokens: for stores whose tokens cannot be raised.
         *
         * @return this builder
         */
        public Builder withoutTokens() {
            this.tokens = false;
            return this;
        }

        /**
         * Makes the provider, and tells in the stores that this client is alive in its phase. If this fails, the providers of
         * both stores are closed.
         *
         * @return the provider
         * @throws LockConfigurationException if a client two phases away is alive, the tokens of a store cannot be raised, or
         *     both stores are one
         * @throws LockStoreException if a store fails
         */
        public MigratingLockProvider build() {
            MigratingLockProvider provider;
            try {
                provider = new MigratingLockProvider(this);
            } catch (RuntimeException | Error failed) {
                closeFor(failed, from);
                closeFor(failed, to);
                throw failed;
            }
            try {
                provider.stay.requireRaisable();
                provider.begin();
                return provider;
            } catch (RuntimeException | Error refused) {
                closeFor(refused, provider);
                throw refused;
            }
        }

        private static void closeFor(Throwable failed, LockProvider opened) {
            try {
                opened.close();
            } catch (RuntimeException failure) {
                failed.addSuppressed(failure);
            }
        }
    }
}
