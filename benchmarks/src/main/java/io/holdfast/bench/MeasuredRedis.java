package io.holdfast.bench;

import io.holdfast.servers.RedisServer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Redis server, without what it costs to ask for the cost. Not thread-safe. */
final class MeasuredRedis implements MeasuredStore {

    private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=[0-9]+,usec=([0-9]+)");
    private static final Pattern READS = Pattern.compile("total_reads_processed:([0-9]+)");
    private static final Pattern COMMANDS = Pattern.compile("total_commands_processed:([0-9]+)");
    private static final Pattern VERSION = Pattern.compile("redis_version:([0-9.]+)");

    /** The command, and the end of its connection. */
    private static final long READS_OF_A_QUESTION = 2;

    private final RedisServer server = RedisServer.start();
    private long questions;

    @Override
    public String address() {
        return server.host() + ":" + server.port();
    }

    @Override
    public String version() {
        Matcher version = VERSION.matcher(info());
        return version.find() ? "Redis " + version.group(1) : "Redis";
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
