package io.holdfast.servers;

import io.holdfast.lock.tck.faults.TemporaryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A real MariaDB server. Its user {@code root} needs no password from this machine. It logs every deadlock, also those that it
 * resolves.
 */
public final class MariaDbServer extends DatabaseServer {

    private final List<String> config;

    /**
     * Whether there is a server for this platform; only for Linux on amd64 there is.
     *
     * @return whether {@link #start} can work
     */
    public static boolean isAvailable() {
        return System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64");
    }

    MariaDbServer(int port, List<String> config) {
        super("mariadb", port, "Address already in use");
        this.config = config;
    }

    /**
     * Starts a server and waits until it takes connections.
     *
     * @param config further settings, such as {@code "max-connections=10"}
     * @return the server
     */
    public static MariaDbServer start(String... config) {
        return startOnAFreePort(port -> new MariaDbServer(port, List.of(config)));
    }

    @Override
    public String url(int throughPort) {
        return "jdbc:mariadb://" + HOST + ":" + throughPort + "/holdfast?user=root";
    }

    /** Does what the shipped script {@code mariadb-install-db} does, as far as tests need it. */
    @Override
    void initialize() {
        Path script = directory().resolve("install.sql");
        try {
            Files.createDirectories(directory().resolve("data"));
            Files.createDirectories(directory().resolve("tmp"));
            List<String> lines = new ArrayList<>();
            // No log-in by the user of the operating system: every user of the tests is root here.
            lines.addAll(List.of("CREATE DATABASE mysql;", "USE mysql;", "SET @auth_root_socket = NULL;"));
            for (String part : MariaDbBinaries.SYSTEM_TABLES) {
                lines.addAll(Files.readAllLines(MariaDbBinaries.path("share/" + part)));
            }
            lines.add("CREATE DATABASE holdfast CHARACTER SET utf8mb4;");
            Files.write(script, lines);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        List<String> line = program();
        line.add("--bootstrap");
        run(line, Optional.of(script));
    }

    private List<String> program() {
        List<String> line = new ArrayList<>();
        line.addAll(List.of(MariaDbBinaries.path("bin/mariadbd").toString(), "--no-defaults"));
        if (System.getProperty("user.name").equals("root")) {
            line.add("--user=root");
        }
        line.add("--basedir=" + MariaDbBinaries.path(""));
        line.add("--lc-messages-dir=" + MariaDbBinaries.path("share"));
        line.add("--datadir=" + directory().resolve("data"));
        line.add("--tmpdir=" + directory().resolve("tmp"));
        line.addAll(List.of("--innodb-buffer-pool-size=16M", "--innodb-log-file-size=8M"));
        return line;
    }

    @Override
    List<String> commandLine() {
        List<String> line = program();
        line.addAll(List.of("--bind-address=" + HOST, "--port=" + port()));
        line.add("--socket=" + directory().resolve("socket"));
        // Generating TLS keys takes seconds.
        line.addAll(List.of("--skip-ssl", "--max-connections=200"));
        line.addAll(List.of("--innodb-print-all-deadlocks=1", "--log-warnings=4"));
        config.forEach(setting -> line.add("--" + setting));
        return line;
    }

    @Override
    TemporaryDirectory binaries() {
        return MariaDbBinaries.directory();
    }

    @Override
    String ready() {
        return "ready for connections";
    }

    @Override
    boolean mayStartLater(String log) {
        return false;
    }
}
