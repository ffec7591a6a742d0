package io.holdfast.servers;

import io.holdfast.lock.tck.faults.TemporaryDirectory;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/** The static Redis server that comes inside the artifact {@code org.signal:embedded-redis}, unpacked once per JVM. */
final class RedisBinary {

    private static final String VERSION = "7.0.15";
    private static final String FILE = "redis-server";

    private RedisBinary() {}

    static Path path() {
        return directory().path().resolve(FILE);
    }

    /** Its directory, which contains nothing else. */
    static TemporaryDirectory directory() {
        return Unpacked.DIRECTORY;
    }

    private static String resource() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
        String arch = switch (System.getProperty("os.arch")) {
            case "aarch64" -> "arm64";
            case "x86", "i386", "i686" -> "386";
            default -> "amd64";
        };
        return "redis-server-" + VERSION + "-" + os + "-" + arch;
    }

    /** Unpacked once, on first use. */
    private static final class Unpacked {
        private static final TemporaryDirectory DIRECTORY = unpack();

        private static TemporaryDirectory unpack() {
            TemporaryDirectory directory = TemporaryDirectory.create("holdfast-redis-binary");
            Runtime.getRuntime().addShutdownHook(new Thread(directory::delete, "redis-binary-delete"));
            Path file = directory.path().resolve(FILE);
            try (InputStream binary = RedisBinary.class.getClassLoader().getResourceAsStream(resource())) {
                if (binary == null) {
                    throw new FileNotFoundException("There is no Redis server for this platform: " + resource());
                }
                Files.copy(binary, file);
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
                return directory;
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
