package io.holdfast.lock.tck;

import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Faults;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The in-memory store with its faults, and providers that have a flaw, or none. */
class FaultyHarness implements LockHarness {

    private final String storeName = "tck-" + UUID.randomUUID();
    private final MemoryLockProvider operator =
            MemoryLockProvider.builder(storeName).build();
    private final FaultyStore store = new FaultyStore(operator);
    private final Flaw flaw;

    FaultyHarness(Flaw flaw) {
        this.flaw = flaw;
    }

    @Override
    public LockProvider open() {
        LockProvider provider = store.over(MemoryLockProvider.builder(storeName).build());
        return flaw == Flaw.NONE ? provider : new FlawedProvider(provider, flaw, operator, new AtomicInteger());
    }

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
        return store;
    }

    @Override
    public void close() {
        operator.close();
    }
}
