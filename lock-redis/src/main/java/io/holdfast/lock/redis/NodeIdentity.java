package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisFailures.OwnReason;
import io.holdfast.lock.spi.StoreClock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
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
 * Which server is behind one node of a quorum, and whether it may have forgotten locks. Asked on each new connection: a restart
 * breaks the old one. A server whose clock was set forward has ended leases too early, which is as if it had forgotten them.
 * Thread-safe.
 */
final class NodeIdentity {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    /**
     * Nodes are not kept out for less: time services make such steps, and the validity of all but short leases leaves so much.
     */
    private static final Duration LEAST_STEP = Duration.ofMillis(100);

    private static final long PPM_PER_PERCENT = 10_000;

    /** Two clocks that time services adjust differ by less. */
    private static final long LEAST_DRIFT_PPM = 1_000;

    private final String address;
    private final RedlockOptions options;
    private final Runnable clockSet;
    private final Map<String, NodeIdentity> nodesByRunId;
    private volatile @Nullable String runId;
    private volatile @Nullable OwnReason duplicate;
    private final PassedTime present = new PassedTime();
    private final StoreClock clock;
    private volatile @Nullable KeepingOut keepingOut;

    /**
     * Creates it.
     *
     * @param address of the node
     * @param options how long a server that has started takes no part
     * @param nodesByRunId of the servers that the other nodes have found, shared by all nodes
     * @param clockSet runs when the node's clock was set forward
     */
    NodeIdentity(
            String address,
            RedlockOptions options,
            ConcurrentHashMap<String, NodeIdentity> nodesByRunId,
            Runnable clockSet) {
        this.clockSet = clockSet;
        this.address = address;
        this.options = options;
        this.nodesByRunId = nodesByRunId;
        this.clock = new StoreClock(Math.max(LEAST_DRIFT_PPM, options.driftPercent() * PPM_PER_PERCENT));
    }

    String address() {
        return address;
    }

    /** Asks who the server is; throws if it may not take part. */
    void check(Connection connection) {
        String info = ask(connection, BuilderFactory.STRING, Command.INFO, "server");
        boolean restarted = identify(field(info, "run_id"));
        if (options.durable()) {
            requireDurability(connection);
        }
        // The server counts by its wall clock, which may have been set since. A restart that this
        // client has seen counts from now.
        Duration running = restarted
                ? Duration.ZERO
                : Duration.ofSeconds(Math.max(0, Long.parseLong(field(info, "uptime_in_seconds"))));
        keepOut(
                "it was started lately and may have forgotten locks",
                options.keptOutFor().minus(running));
    }

    /** A grant or a renewal tells the server's time. */
    void heedTime(Instant time, NodeRequest answered) {
        // In this order: a pause between the two makes the request seem older than it is, and not younger.
        long now = present.time().toNanos();
        long sinceSent = answered.sinceSent().toNanos();
        Duration step = clock.read(time, now - sinceSent, now).step();
        if (step.compareTo(LEAST_STEP) >= 0) {
            keepOut(
                    "its clock went ahead by " + step.toMillis() + " ms and may have ended leases too early",
                    options.longestLease());
            clockSet.run();
        }
    }

    private synchronized void keepOut(String why, Duration limit) {
        KeepingOut due = new KeepingOut(new PassedTime(), limit, why);
        if (due.isOn() && (keepingOut == null || keepingOut.left().compareTo(limit) < 0)) {
            keepingOut = due;
            LOG.log(
                    Level.WARNING,
                    "Redlock: the server " + address + " takes no part for " + limit.toSeconds() + " s: " + why);
        }
    }

    /**
     * A node takes no part.
     *
     * @param since when that was found out
     * @param limit for how long from then on
     * @param why it may have granted what is still held
     */
    private record KeepingOut(PassedTime since, Duration limit, String why) {
        private boolean isOn() {
            return since.isLessThan(limit);
        }

        private Duration left() {
            return since.leftOf(limit);
        }
    }

    /** Returns whether the server is another one than before, or was restarted. */
    private boolean identify(String found) {
        String earlier = runId;
        if (earlier != null && !earlier.equals(found)) {
            nodesByRunId.remove(earlier, this);
        }
        runId = found;
        // Not by their addresses: one may be listed twice.
        NodeIdentity other = nodesByRunId.putIfAbsent(found, this);
        duplicate = other == null || other == this
                ? null
                : new OwnReason("it is the same server as " + other.address + " (run_id " + found
                        + "), which must not vote twice; allowed are independent servers");
        if (duplicate != null) {
            throw duplicate;
        }
        return earlier != null && !earlier.equals(found);
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
                .map(on -> new OwnReason(
                        on.why() + "; it takes part in " + (on.left().toSeconds() + 1) + " s (longestLease)"));
    }
}
