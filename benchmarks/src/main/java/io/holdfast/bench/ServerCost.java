package io.holdfast.bench;

import io.holdfast.servers.RedisServer;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a Redis server has done so far.
 *
 * @param cpuMicros the time of its process
 * @param scriptMicros the time in scripts
 * @param commands how many it was sent, without those that scripts run
 */
record ServerCost(double cpuMicros, double scriptMicros, double commands) {

    private static final Pattern CPU = Pattern.compile("used_cpu_(?:sys|user):([0-9.]+)");
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=[0-9]+,usec=([0-9]+)");
    private static final Pattern COMMANDS = Pattern.compile("total_commands_processed:([0-9]+)");

    static ServerCost of(RedisServer server) {
        String info = (String) server.command("INFO", "everything");
        return new ServerCost(1e6 * sum(CPU, info), sum(SCRIPTS, info), sum(COMMANDS, info));
    }

    private static double sum(Pattern pattern, String info) {
        double sum = 0;
        for (Matcher matcher = pattern.matcher(info); matcher.find(); ) {
            sum += Double.parseDouble(matcher.group(1));
        }
        return sum;
    }

    double since(ServerCost before, ToDoubleFunction<ServerCost> part) {
        return part.applyAsDouble(this) - part.applyAsDouble(before);
    }
}
