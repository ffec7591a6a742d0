package io.holdfast.servers;

import io.holdfast.lock.tck.faults.TemporaryDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A real PostgreSQL server. Its user {@code postgres} needs no password. It logs every statement. */
public final class PostgreSqlServer extends DatabaseServer {

    /** The log line of a start while children of a killed server still run. */
    private static final String STILL_ENDING = "pre-existing shared memory block";

    private final List<String> config;

    PostgreSqlServer(int port, List<String> config) {
        super("postgresql", port, "could not bind");
        this.config = config;
    }

    /**
     * Starts a server and waits until it takes connections.
     *
     * @param config further settings, such as {@code "max_connections=10"}
     * @return the server
     */
    public static PostgreSqlServer start(String... config) {
        return startOnAFreePort(port -> new PostgreSqlServer(port, List.of(config)));
    }

    @Override
    public String url(int throughPort) {
        return "jdbc:postgresql://" + HOST + ":" + throughPort + "/postgres?user=postgres";
    }

    private String data() {
        return directory().resolve("data").toString();
    }

    @Override
    void initialize() {
        NotRoot.give(directory());
        List<String> line = new ArrayList<>(NotRoot.prefix());
        line.addAll(List.of(PostgreSqlBinaries.program("initdb").toString(), "-D", data()));
        line.addAll(List.of("-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"));
        run(line, Optional.empty());
    }

    @Override
    List<String> commandLine() {
        List<String> line = new ArrayList<>(NotRoot.prefix());
        line.addAll(List.of(PostgreSqlBinaries.program("postgres").toString(), "-D", data()));
        line.addAll(List.of("-p", Integer.toString(port()), "-h", HOST, "-k", ""));
        List<String> settings = new ArrayList<>(List.of("shared_buffers=16MB", "max_connections=200"));
        settings.addAll(List.of("log_statement=all", "log_line_prefix=%p %e ", "lc_messages=C"));
        settings.addAll(config);
        settings.forEach(setting -> line.addAll(List.of("-c", setting)));
        return line;
    }

    @Override
    TemporaryDirectory binaries() {
        return PostgreSqlBinaries.directory();
    }

    @Override
    String ready() {
        return "database system is ready to accept connections";
    }

    @Override
    boolean mayStartLater(String log) {
        return log.contains(STILL_ENDING);
    }
}
