package io.holdfast.examples.lockfile;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import java.nio.file.Path;
import java.util.Optional;

/** Locks in a directory, for the processes of one machine. It keeps nothing open between two calls. Thread-safe. */
final class LockFileProvider implements LockProvider {

    private final LockDirectory directory;

    LockFileProvider(Path directory) {
        this.directory = new LockDirectory(directory);
    }

    @Override
    public LockCapabilities capabilities() {
        return LockCapabilities.BASIC.withFencing(Fencing.CLOCKED);
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return new LockFileClaim(directory, request);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return directory.update(
                DistributedLock.requireValidName(name),
                (record, now) -> record.isHeldAt(now) ? Optional.of(record.holder()) : Optional.empty());
    }

    @Override
    public void close() {
        directory.close();
    }
}
