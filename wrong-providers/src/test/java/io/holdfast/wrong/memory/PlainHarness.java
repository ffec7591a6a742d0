package io.holdfast.wrong.memory;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** A store in memory as the kit sees it. */
record PlainHarness(PlainStore store) implements LockHarness {

    @Override
    public LockProvider open() {
        return store.open();
    }

    /** The store ends a lease to the nanosecond. */
    @Override
    public Duration expiryTolerance() {
        return Duration.ZERO;
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(store::remove);
    }

    @Override
    public Faults faults() {
        return Faults.ofOutage(() -> new Fault(store::beginOutage, store::endOutage));
    }
}
