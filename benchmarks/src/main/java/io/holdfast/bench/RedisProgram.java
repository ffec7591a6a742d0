package io.holdfast.bench;

import io.holdfast.lock.tck.faults.TemporaryDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;

/**
 * The Redis server that is measured unless the command line names another one: built as those of distributions and of Redis'
 * images are, with jemalloc, from the artifact {@code com.github.codemonstur:embedded-redis}. With the allocator of the static
 * server that the tests use, a script takes up to three times as long.
 */
final class RedisProgram {

    private static final Map<String, String> RESOURCES = Map.of(
            "Linux/amd64", "redis-server-6.2.6-v5-linux-amd64",
            "Linux/aarch64", "redis-server-6.2.7-linux-arm64");

    private RedisProgram() {}

    /** Unpacks it; empty if it does not run here, as there is none for the system, or the system lacks its libraries. */
    static Optional<Path> unpacked() throws IOException, InterruptedException {
        String resource = RESOURCES.get(System.getProperty("os.name") + "/" + System.getProperty("os.arch"));
        if (resource == null) {
            return Optional.empty();
        }
        TemporaryDirectory directory = TemporaryDirectory.create("holdfast-bench-redis");
        Runtime.getRuntime().addShutdownHook(new Thread(directory::delete, "bench-redis-delete"));
        Path program = directory.path().resolve("redis-server");
        try (InputStream binary = RedisProgram.class.getResourceAsStream("/" + resource)) {
            if (binary == null) {
                throw new IOException("There is no " + resource + " on the class path");
            }
            Files.copy(binary, program);
        }
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return runs(program) ? Optional.of(program) : Optional.empty();
    }

    private static boolean runs(Path program) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(program.toString(), "--version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor() == 0;
    }
}
