package io.holdfast.bench;

import io.holdfast.servers.RedisServer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Redis server, without what it costs to ask for the cost. Not thread-safe. */
final class MeasuredRedis implements MeasuredStore {

    private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=[0-9]+,usec=([0-9]+)");
    private static final Pattern READS = Pattern.compile("total_reads_processed:([0-9]+)");
    private static final Pattern COMMANDS = Pattern.compile("total_commands_processed:([0-9]+)");
    private static final Pattern VALKEY = Pattern.compile("valkey_version:([0-9.]+)");
    private static final Pattern REDIS = Pattern.compile("redis_version:([0-9.]+)");
    private static final Pattern ALLOCATOR = Pattern.compile("mem_allocator:(\\S+)");

    /** The command, and the end of its connection. */
    private static final long READS_OF_A_QUESTION = 2;

    private final RedisServer server;
    private long questions;

    /**
     * Starts one.
     *
     * @param program of the server; empty for that of the tests
     */
    MeasuredRedis(Optional<Path> program) {
        this.server = program.map(RedisServer::startOther).orElseGet(RedisServer::start);
    }

    @Override
    public String address() {
        return server.host() + ":" + server.port();
    }

    @Override
    public String version() {
        String info = info();
        // Valkey also tells which Redis it answers as.
        String product = found(VALKEY, info)
                .map(version -> "Valkey " + version)
                .orElse("Redis " + found(REDIS, info).orElse("of an unknown version"));
        return product + found(ALLOCATOR, info).map(name -> " with " + name).orElse("");
    }

    private static Optional<String> found(Pattern pattern, String info) {
        return pattern.matcher(info).results().map(result -> result.group(1)).findFirst();
    }

    @Override
    public void clear() {
        server.command("FLUSHALL");
    }

    @Override
    public long locks() {
        return (Long) server.command("DBSIZE");
    }

    @Override
    public StoreCost cost() {
        String info = info();
        questions++;
        return new StoreCost(
                1e6 * sum(CPU, info),
                sum(SCRIPTS, info),
                sum(READS, info) - READS_OF_A_QUESTION * questions,
                sum(COMMANDS, info) - questions);
    }

    private String info() {
        return (String) server.command("INFO", "everything");
    }

    private static double sum(Pattern pattern, String info) {
        double sum = 0;
        for (Matcher matcher = pattern.matcher(info); matcher.find(); ) {
            sum += Double.parseDouble(matcher.group(1));
        }
        return sum;
    }

    @Override
    public void close() {
        server.close();
    }
}
