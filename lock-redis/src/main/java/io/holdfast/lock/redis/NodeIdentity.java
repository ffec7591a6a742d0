package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisFailures.OwnReason;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
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
    /** Reading of {@link System#nanoTime}; null if the node takes part. */
    private volatile @Nullable Long keptOutUntil;

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
        String info = text(connection, Command.INFO, "server");
        identify(field(info, "run_id"));
        if (keptOutFor.isZero()) {
            requireDurability(connection);
        }
        Duration running = Duration.ofSeconds(Long.parseLong(field(info, "uptime_in_seconds")));
        Duration left = keptOutFor.minus(running);
        keptOutUntil = left.isNegative() || left.isZero() ? null : System.nanoTime() + left.toNanos();
        if (keptOutUntil != null) {
            LOG.log(
                    Level.WARNING,
                    "Redlock: the node " + address + " was started " + running.toSeconds()
                            + " s ago and may have forgotten locks; it takes no part for " + left.toSeconds() + " s");
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
            connection.sendCommand(Command.CONFIG, "GET", setting);
            List<String> pair = connection.getMultiBulkReply();
            return pair.size() == 2 ? Optional.of(pair.get(1).toLowerCase(Locale.ROOT)) : Optional.empty();
        } catch (JedisDataException denied) {
            return Optional.empty();
        }
    }

    private static String text(Connection connection, Command command, String argument) {
        connection.sendCommand(command, argument);
        return new String(connection.getBinaryBulkReply(), StandardCharsets.UTF_8);
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
        Long until = keptOutUntil;
        long left = until == null ? 0 : until - System.nanoTime();
        if (left <= 0) {
            keptOutUntil = null;
            return Optional.empty();
        }
        return Optional.of(new OwnReason("it was started lately and may have forgotten locks; it takes part in "
                + Duration.ofNanos(left).toSeconds() + " s (longestLease, unless persistence=always)"));
    }
}
