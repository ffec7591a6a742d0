package io.holdfast.examples.memcached;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A process of the real memcached, if the machine has one on its path. */
final class RealMemcached implements RunningMemcached {

    /** The condition of tests that need it. */
    static final String IS_INSTALLED = "io.holdfast.examples.memcached.RealMemcached#isInstalled";

    /** Why such a test was skipped. */
    static final String MISSING = "there is no memcached on the path of this machine";

    /** The shell kills the server when its input ends, so the server does not outlive this JVM. */
    private static final String SCRIPT = "memcached \"$@\" & server=$!; read -r end; kill -9 $server";

    private static final Pattern PORT = Pattern.compile("TCP INET: ([0-9]+)");

    private final Process process;
    private final int port;

    private RealMemcached(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Whether there is a memcached on the path. */
    static boolean isInstalled() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(path.split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "memcached")));
    }

    static RealMemcached start() {
        try {
            Path portFile = Files.createTempDirectory("memcached").resolve("port");
            ProcessBuilder builder = new ProcessBuilder(
                    List.of("sh", "-c", SCRIPT, "sh", "-u", "root", "-l", "127.0.0.1", "-p", "-1", "-U", "0"));
            builder.environment().put("MEMCACHED_PORT_FILENAME", portFile.toString());
            builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
            Process process = builder.start();
            await("memcached writes its port")
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> process.isAlive() && Files.exists(portFile));
            Matcher port = PORT.matcher(Files.readString(portFile));
            if (!port.find()) {
                throw new IllegalStateException("memcached listens on no port");
            }
            return new RealMemcached(process, Integer.parseInt(port.group(1)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String version() {
        try (MemcachedConsole console = MemcachedConsole.of(this)) {
            return "memcached " + console.version();
        }
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
