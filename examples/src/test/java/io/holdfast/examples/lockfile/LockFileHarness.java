package io.holdfast.examples.lockfile;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Faults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** What the kit needs to know of a directory with lock files. */
record LockFileHarness(Path directory) implements LockHarness {

    @Override
    public LockProvider open() {
        return new LockFileProvider(directory);
    }

    @Override
    public Optional<String> uri() {
        return Optional.of("lockfile://" + directory.toUri().getRawPath());
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> {
            try {
                Files.deleteIfExists(new LockDirectory(directory).file(name));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
    }

    @Override
    public Faults faults() {
        return Faults.none("there is no server and no network");
    }
}
