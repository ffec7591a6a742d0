package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisFailures.OwnReason;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Builder;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Which server is behind one node of a quorum, and whether it may have forgotten locks. Asked on each new connection: a restart breaks
 * the old one. Thread-safe.
 */
final class NodeIdentity {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    private final String address;
    private final Duration keptOutFor;
    private final Map<String, String> addressesByRunId;
    private volatile @Nullable String runId;
    private volatile @Nullable OwnReason duplicate;
    private volatile @Nullable KeepingOut keepingOut;

    /**
     * Creates it.
     *
     * @param address of the node
     * @param keptOutFor how long a server that has started takes no part; zero if it keeps all data
     * @param addressesByRunId of the servers that the other nodes have found, shared by all nodes
     */
    NodeIdentity(String address, Duration keptOutFor, ConcurrentHashMap<String, String> addressesByRunId) {
        this.address = address;
        this.keptOutFor = keptOutFor;
        this.addressesByRunId = addressesByRunId;
    }

    /** Asks who the server is; throws if it may not take part. */
    void check(Connection connection) {
        String info = ask(connection, BuilderFactory.STRING, Command.INFO, "server");
        identify(field(info, "run_id"));
        if (keptOutFor.isZero()) {
            requireDurability(connection);
        }
        Duration running = Duration.ofSeconds(Long.parseLong(field(info, "uptime_in_seconds")));
        KeepingOut due = new KeepingOut(new PassedTime(), keptOutFor.minus(running));
        keepingOut = due;
        if (due.isOn()) {
            LOG.log(
                    Level.WARNING,
                    "Redlock: the server " + address + " was started " + running.toSeconds()
                            + " s ago and may have forgotten locks; it takes no part for "
                            + due.limit().toSeconds() + " s");
        }
    }

    /**
     * A node takes no part.
     *
     * @param since when that was found out
     * @param limit for how long from then on
     */
    private record KeepingOut(PassedTime since, Duration limit) {
        private boolean isOn() {
            return since.isLessThan(limit);
        }
    }

    private void identify(String found) {
        String earlier = runId;
        if (earlier != null && !earlier.equals(found)) {
            addressesByRunId.remove(earlier, address);
        }
        runId = found;
        String other = addressesByRunId.putIfAbsent(found, address);
        duplicate = other == null || other.equals(address)
                ? null
                : new OwnReason("it is the same server as " + other + " (run_id " + found
                        + "), which must not vote twice; allowed are independent servers");
        if (duplicate != null) {
            throw duplicate;
        }
    }

    /** Why this node is none: another one is the same server. */
    Optional<OwnReason> duplicate() {
        return Optional.ofNullable(duplicate);
    }

    /** Where the user may not read the configuration, the parameter is believed. */
    private static void requireDurability(Connection connection) {
        require(connection, "appendonly", "yes");
        require(connection, "appendfsync", "always");
    }

    private static void require(Connection connection, String setting, String needed) {
        String found = configured(connection, setting).orElse(needed);
        if (!found.equals(needed)) {
            throw new OwnReason("its setting " + setting + " is '" + found
                    + "', and with persistence=always it has to be '" + needed + "'; allowed is also persistence=none");
        }
    }

    private static Optional<String> configured(Connection connection, String setting) {
        try {
            // A list in RESP2, and a map in RESP3, which a given client may speak.
            Map<String, String> settings = ask(connection, BuilderFactory.STRING_MAP, Command.CONFIG, "GET", setting);
            return Optional.ofNullable(settings.get(setting)).map(value -> value.toLowerCase(Locale.ROOT));
        } catch (JedisDataException denied) {
            return Optional.empty();
        }
    }

    private static <T> T ask(Connection connection, Builder<T> reading, Command command, String... words) {
        CommandArguments arguments = new CommandArguments(command);
        for (String word : words) {
            arguments.add(word);
        }
        return connection.executeCommand(new CommandObject<>(arguments, reading));
    }

    private static String field(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElseThrow(() -> new OwnReason("its INFO has no " + name));
    }

    /** Why the node must not grant locks yet; empty if it may. */
    Optional<OwnReason> keptOut() {
        return Optional.ofNullable(keepingOut)
                .filter(KeepingOut::isOn)
                .map(on -> new OwnReason("it was started lately and may have forgotten locks; it takes part in "
                        + on.since().leftOf(on.limit()).toSeconds() + " s (longestLease, unless persistence=always)"));
    }
}
