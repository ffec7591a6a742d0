package io.holdfast.examples.lockfile;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Makes the provider of {@code lockfile:///path/of/a/directory}. It is found by the file {@code
 * META-INF/services/io.holdfast.lock.spi.LockProviderFactory}.
 */
public final class LockFileProviderFactory implements LockProviderFactory {

    /** For {@link java.util.ServiceLoader}. */
    public LockFileProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of("lockfile");
    }

    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        parameters.rejectUnknown();
        Path directory = directory(uri);
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw new LockConfigurationException(
                    "'" + directory + "' is not a directory that this process may write to; make it first");
        }
        return new LockFileProvider(directory);
    }

    private static Path directory(URI uri) {
        String path = uri.getPath();
        if (uri.getRawAuthority() != null || path == null || path.length() < 2) {
            throw new LockConfigurationException(
                    "The URI names no directory; allowed is lockfile:///path/of/a/directory");
        }
        try {
            return Path.of(path);
        } catch (InvalidPathException wrong) {
            throw new LockConfigurationException(
                    "'" + path + "' is no path of a directory: " + wrong.getReason(), wrong);
        }
    }
}
