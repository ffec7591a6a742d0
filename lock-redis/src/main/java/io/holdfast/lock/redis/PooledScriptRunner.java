package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisFailures.BrokenInUse;
import io.holdfast.lock.redis.RedisFailures.Transport;
import io.holdfast.lock.redis.ScriptCall.Asked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.util.Pool;

/**
 * Runs scripts on one server, over a pool of connections.
 *
 * <p>Uses Jedis' connections and not its clients: a client may be configured to repeat any command, and only the pool also gives a
 * connection to subscribe on.
 */
final class PooledScriptRunner implements ScriptRunner {

    private final Pool<Connection> pool;
    private final Supplier<Connection> subscriptions;
    private final boolean owned;
    private final RedisFailures failures;
    private final Set<Script> sent = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    PooledScriptRunner(
            Pool<Connection> pool, Supplier<Connection> subscriptions, boolean owned, RedisFailures failures) {
        this.pool = pool;
        this.subscriptions = subscriptions;
        this.owned = owned;
        this.failures = failures;
    }

    /** Over a pool that is closed with the runner. */
    static PooledScriptRunner owning(Pool<Connection> pool, Supplier<Connection> subscriptions, RedisAddress address) {
        String limits = "poolSize is " + pool.getMaxTotal() + " and poolWait "
                + pool.getMaxWaitDuration().toMillis() + " ms; raise one of them";
        return new PooledScriptRunner(
                pool,
                subscriptions,
                true,
                new RedisFailures(address.toString(), limits, address.tls() ? Transport.TLS : Transport.PLAIN));
    }

    /** Over a given pool, from which the subscription borrows one connection while it lasts. */
    static PooledScriptRunner borrowing(Pool<Connection> pool) {
        GivenClient.warnIfTooSmall(pool);
        return new PooledScriptRunner(
                pool,
                pool::getResource,
                false,
                new RedisFailures(
                        "the given client's server",
                        "the given client's pool has " + pool.getMaxTotal(),
                        Transport.GIVEN));
    }

    Pool<Connection> pool() {
        return pool;
    }

    @Override
    public <T> T run(ScriptCall call, Runnable beforeSending, Function<@Nullable Object, T> reading) {
        return borrowed(call.what(), connection -> {
            beforeSending.run();
            Object reply = replies(List.of(call), connection).get(0);
            if (reply instanceof JedisDataException refused) {
                throw refused;
            }
            return reading.apply(reply);
        });
    }

    /** Uses a connection of the pool. */
    <T extends @Nullable Object> T borrowed(String what, Function<Connection, T> use) {
        if (closed) {
            // A given pool is still open.
            throw failures.closed(what);
        }
        try (Connection connection = freeConnection()) {
            return used(connection, use);
        } catch (JedisException failure) {
            throw failures.of(what, failure);
        }
    }

    /** Takes a connection out of the pool. An interrupt does not end the wait, as a release has to reach the server; it is kept. */
    private Connection freeConnection() {
        long before = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return pool.getResource();
                } catch (JedisException failure) {
                    boolean byInterrupt = RedisFailures.interrupted(failure);
                    interrupted |= byInterrupt;
                    if (!byInterrupt || waitedInFull(before)) {
                        throw failure;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether the pool's limit has passed, so that repeated interrupts do not prolong the wait. */
    private boolean waitedInFull(long before) {
        Duration limit = pool.getMaxWaitDuration();
        return !limit.isNegative() && System.nanoTime() - before >= limit.toNanos();
    }

    /**
     * Uses a connection, and drops it if the use throws: unread replies may be left on it, which the next call would take for its
     * own.
     */
    private <T extends @Nullable Object> T used(Connection connection, Function<Connection, T> use) {
        boolean allRead = false;
        try {
            T answer = use.apply(connection);
            allRead = true;
            failures.understood();
            return answer;
        } catch (JedisDataException refused) {
            // An error reply was read to its end.
            allRead = true;
            throw refused;
        } catch (JedisException failure) {
            if (RedisFailures.connectionLost(failure)) {
                // Closes the idle connections, which probably broke too, so that a second try gets a new one. Done
                // before this one is returned, so that a waiting call gets a new one as well.
                pool.clear();
                throw new BrokenInUse(failure);
            }
            throw failure;
        } finally {
            if (!allRead) {
                connection.setBroken();
            }
        }
    }

    @Override
    public List<@Nullable Object> runAll(List<ScriptCall> calls) {
        if (calls.isEmpty()) {
            return List.of();
        }
        ScriptCall first = calls.get(0);
        String what = calls.size() == 1 ? first.what() : first.operation() + " of " + calls.size() + " locks";
        List<@Nullable Object> replies = borrowed(what, connection -> replies(calls, connection));
        for (int i = 0; i < replies.size(); i++) {
            if (replies.get(i) instanceof JedisDataException refused) {
                replies.set(i, failures.of(calls.get(i).what(), refused));
            }
        }
        return replies;
    }

    /** The replies in the order of the calls. An error reply of the server is an exception in the list. */
    private List<@Nullable Object> replies(List<ScriptCall> calls, Connection connection) {
        List<@Nullable Object> replies = pipelined(calls, connection);
        List<Integer> unknown = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            if (replies.get(i) instanceof JedisNoScriptException) {
                unknown.add(i);
            }
        }
        if (!unknown.isEmpty()) {
            unknown.forEach(i -> sent.remove(calls.get(i).script()));
            List<@Nullable Object> second =
                    pipelined(unknown.stream().map(calls::get).toList(), connection);
            for (int i = 0; i < second.size(); i++) {
                replies.set(unknown.get(i), second.get(i));
            }
        }
        return replies;
    }

    /** The first call of a script sends its source, which saves the round trip of a NOSCRIPT. */
    private List<@Nullable Object> pipelined(List<ScriptCall> calls, Connection connection) {
        Set<Script> known = new HashSet<>(sent);
        for (ScriptCall call : calls) {
            if (call.asked() == Asked.IMPORTER) {
                connection.sendCommand(Command.ASKING);
            }
            if (known.add(call.script())) {
                connection.sendCommand(Command.EVAL, call.bySource());
            } else {
                connection.sendCommand(Command.EVALSHA, call.byDigest());
            }
        }
        List<@Nullable Object> replies = withoutAsking(calls, connection);
        for (int i = 0; i < replies.size(); i++) {
            if (!(replies.get(i) instanceof JedisDataException)) {
                sent.add(calls.get(i).script());
            }
        }
        return replies;
    }

    /** The replies to the scripts. A refused ASKING stands in for the reply to its script. */
    private static List<@Nullable Object> withoutAsking(List<ScriptCall> calls, Connection connection) {
        long asking =
                calls.stream().filter(call -> call.asked() == Asked.IMPORTER).count();
        Iterator<Object> all =
                connection.getMany(Math.toIntExact(calls.size() + asking)).iterator();
        List<@Nullable Object> replies = new ArrayList<>(calls.size());
        for (ScriptCall call : calls) {
            Object asked = call.asked() == Asked.IMPORTER ? all.next() : null;
            Object reply = all.next();
            replies.add(asked instanceof JedisDataException ? asked : reply);
        }
        return replies;
    }

    @Override
    public Connection openSubscription() {
        return subscriptions.get();
    }

    @Override
    public void close() {
        closed = true;
        if (owned) {
            try {
                pool.close();
            } catch (JedisException failure) {
                throw failures.of("close", failure);
            }
        }
    }
}
