package io.holdfast.wrong;

import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Faults;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/** A new store of the in-memory provider that is published, each of whose providers is wrapped into a wrong one. */
public final class WrappedMemory implements LockHarness {

    private final String storeName = "tck-" + UUID.randomUUID();
    private final MemoryLockProvider operator =
            MemoryLockProvider.builder(storeName).build();
    private final Cut cut;
    private final Function<MemoryLockProvider, LockProvider> wrapping;

    /**
     * Makes the store.
     *
     * @param cut what cuts the store off; the wrong providers ask it before each call
     * @param wrapping makes a wrong provider from a right one
     */
    public WrappedMemory(Cut cut, Function<MemoryLockProvider, LockProvider> wrapping) {
        this.cut = cut;
        this.wrapping = wrapping;
    }

    @Override
    public LockProvider open() {
        return wrapping.apply(MemoryLockProvider.builder(storeName).build());
    }

    /** The store ends a lease to the nanosecond. */
    @Override
    public Duration expiryTolerance() {
        return Duration.ZERO;
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(operator::remove);
    }

    @Override
    public Faults faults() {
        return cut;
    }

    @Override
    public void close() {
        operator.close();
    }
}
