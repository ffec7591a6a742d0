package io.holdfast.lock.tck;

import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.core.migration.MigratingLockProvider;
import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Faults;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** A migration between two in-memory stores under the kit, in one phase. */
class MigratingHarness implements LockHarness {

    private final String from = "from-" + UUID.randomUUID();
    private final String to = "to-" + UUID.randomUUID();
    private final MemoryLockProvider operatorOfFrom =
            MemoryLockProvider.builder(from).build();
    private final MemoryLockProvider operatorOfTo =
            MemoryLockProvider.builder(to).build();
    private final Phase phase;

    MigratingHarness(Phase phase) {
        this.phase = phase;
    }

    @Override
    public LockProvider open() {
        return MigratingLockProvider.between(
                        MemoryLockProvider.builder(from).build(),
                        MemoryLockProvider.builder(to).build(),
                        phase)
                .build();
    }

    @Override
    public Duration expiryTolerance() {
        return Duration.ZERO;
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> {
            operatorOfFrom.remove(name);
            operatorOfTo.remove(name);
        });
    }

    @Override
    public Faults faults() {
        return Faults.none("the stores are in this process");
    }

    @Override
    public void close() {
        operatorOfFrom.close();
        operatorOfTo.close();
    }
}
