package io.holdfast.servers;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Counts the commands that clients sent, by the server's own statistics. */
public final class CommandCount {

    private static final Pattern LINE = Pattern.compile("cmdstat_([^:]+):calls=(\\d+).*");

    /** Commands that only scripts run here, and commands of the test itself. */
    private static final Set<String> NOT_OF_CLIENTS = Set.of(
            "time",
            "type",
            "exists",
            "get",
            "set",
            "incr",
            "hexists",
            "hget",
            "hlen",
            "hmget",
            "hkeys",
            "hset",
            "hdel",
            "pexpireat",
            "pexpire",
            "pttl",
            "del",
            "publish",
            "info",
            "config|resetstat",
            "client|list",
            "client|kill",
            "hgetall",
            "zadd",
            "zrange",
            "zrem");

    private CommandCount() {}

    /**
     * Counts all commands since the statistics were reset.
     *
     * @param server the server
     * @return the number
     */
    public static long ofClients(RedisServer server) {
        return byName(server).values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Counts the commands since the statistics were reset.
     *
     * @param server the server
     * @return the number of calls by the command's name, in lower case
     */
    public static Map<String, Long> byName(RedisServer server) {
        return server.command("INFO", "commandstats")
                .toString()
                .lines()
                .map(LINE::matcher)
                .filter(line -> line.matches() && !NOT_OF_CLIENTS.contains(line.group(1)))
                .collect(Collectors.toMap(line -> line.group(1), line -> Long.parseLong(line.group(2))));
    }
}
