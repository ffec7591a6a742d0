package io.holdfast.lock.core.memory;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Locks in the memory of this JVM. All open providers of one store name share one store, so several clients exclude each other
 * as they would over a network. The store goes when the last of its providers is closed, with all locks in it.
 *
 * <p>It can do most that the SPI has a word for: fencing tokens (which grow for as long as the JVM lives), first in, first out
 * across clients, wake-up by message, holds counted by the store. It has no thread and no timer: a lease that has run out is
 * noticed by the next call that meets it. Thread-safe.
 *
 * <p>For the author of a backend: this class makes the claims, {@link MemoryClaim} is one of them, and {@link MemoryStore} stands
 * where yours has a server.
 */
public final class MemoryLockProvider implements LockProvider {

    private static final Pattern STORE_NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final LockCapabilities CAPABILITIES = LockCapabilities.BASIC
            .withFencing(Fencing.VOLATILE)
            .withOrdering(Ordering.FIFO)
            .withWakeUp(WakeUp.PUSH)
            .withReentrancy(Reentrancy.STORE);

    private final String storeName;
    private final MemoryStore store;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Supplier<MemoryStore> client = this::store;

    private MemoryLockProvider(Builder builder) {
        this.storeName = builder.storeName;
        this.store = MemoryStore.open(storeName, builder.clock);
    }

    /**
     * Starts to build a provider.
     *
     * @param storeName the name of the store: 1 to 64 letters, digits, dots, underscores and hyphens
     * @return a builder
     * @throws LockConfigurationException if the name is anything else
     */
    public static Builder builder(String storeName) {
        Objects.requireNonNull(storeName, "storeName");
        if (!STORE_NAME.matcher(storeName).matches()) {
            throw new LockConfigurationException("The memory store's name is '" + storeName
                    + "'; allowed are 1 to 64 letters, digits, dots, underscores and hyphens, as in memory:test");
        }
        return new Builder(storeName);
    }

    @Override
    public LockCapabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(signals, "signals");
        return new MemoryClaim(client, request, signals);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        Objects.requireNonNull(name, "name");
        return store().holder(DistributedLock.requireValidName(name));
    }

    /** As {@link LockProvider#highestToken}; all memory stores of the JVM count together. */
    @Override
    public long highestToken() {
        MemoryStore unused = store();
        return MemoryLock.highestToken();
    }

    /** As {@link LockProvider#raiseTokens}; all memory stores of the JVM count together. */
    @Override
    public void raiseTokens(long above) {
        MemoryStore unused = store();
        MemoryLock.raiseTokens(above);
    }

    /**
     * Removes the record of a lock as an operator of a real store would: its holders have lost it, and hear of it.
     *
     * @param name the name of the lock
     * @return true if somebody held it
     */
    public boolean remove(String name) {
        Objects.requireNonNull(name, "name");
        return store().remove(DistributedLock.requireValidName(name));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            store.leave(client);
        }
    }

    /**
     * The store, for as long as this provider is open.
     *
     * @throws LockStoreException if the provider was closed
     */
    MemoryStore store() {
        if (closed.get()) {
            throw new LockStoreException("The provider of the memory store '" + storeName + "' is closed");
        }
        return store;
    }

    @Override
    public String toString() {
        return "memory:" + storeName;
    }

    /** Builds a {@link MemoryLockProvider}. Not thread-safe. */
    public static final class Builder {

        private final String storeName;
        private @Nullable LongSupplier clock;

        private Builder(String storeName) {
            this.storeName = storeName;
        }

        /**
         * Sets the clock of the store, by which leases end. The provider that opens a store chooses its clock; without this call
         * that is {@link System#nanoTime()}, or the clock of the store that is open already.
         *
         * @param nanoseconds a monotonic clock that counts nanoseconds from any point; called from any thread
         * @return this builder
         */
        public Builder clock(LongSupplier nanoseconds) {
            Objects.requireNonNull(nanoseconds, "nanoseconds");
            this.clock = nanoseconds;
            return this;
        }

        /**
         * Opens the store, or joins it.
         *
         * @return the provider
         * @throws LockConfigurationException if the store is open with another clock than the one set here
         */
        public MemoryLockProvider build() {
            return new MemoryLockProvider(this);
        }
    }
}
