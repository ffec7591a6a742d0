package io.holdfast.lock.tck;

import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Faults;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** The in-memory provider under the kit: a new store for each harness. */
class MemoryHarness implements LockHarness {

    private final String storeName = "tck-" + UUID.randomUUID();
    private final MemoryLockProvider operator =
            MemoryLockProvider.builder(storeName).build();

    @Override
    public LockProvider open() {
        return MemoryLockProvider.builder(storeName).build();
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
        return Faults.none("the store is in this process");
    }

    @Override
    public void close() {
        operator.close();
    }
}
