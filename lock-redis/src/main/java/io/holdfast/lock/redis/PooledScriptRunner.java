package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisFailures.BrokenInUse;
import io.holdfast.lock.redis.ScriptPipeline.Answering;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/**
 * Runs scripts on one server at a time, over a pool of connections.
 *
 * <p>Uses Jedis' connections and not its clients: a client may be configured to repeat any command, and only the pool also gives
 * a connection to subscribe on.
 */
final class PooledScriptRunner implements ScriptRunner {

    private static final String ONE_SERVER = "the server";

    private final Object server;
    private final boolean hasAllKeys;
    private final PresentPool pool;
    private final RedisFailures failures;
    private final ScriptPipeline pipeline;
    private final FailOverPatience patience;
    private final CallCombiner combiner;
    private volatile boolean closed;

    /**
     * Creates it, without I/O.
     *
     * @param pool where the connections come from; closed with the runner
     * @param failures describes what fails
     * @param answering whose answers count
     * @param patience for the attempts of waiting claims
     */
    PooledScriptRunner(PresentPool pool, RedisFailures failures, Answering answering, FailOverPatience patience) {
        this(ONE_SERVER, pool, failures, answering, patience);
    }

    /**
     * As the other constructor, for one server of several.
     *
     * @param server stands for the server
     */
    PooledScriptRunner(
            Object server, PresentPool pool, RedisFailures failures, Answering answering, FailOverPatience patience) {
        this.server = server;
        this.hasAllKeys = server.equals(ONE_SERVER);
        this.pool = pool;
        this.failures = failures;
        this.pipeline = new ScriptPipeline(answering);
        this.patience = patience;
        this.combiner = new CallCombiner(pool.sharing(), this::exchange);
    }

    /** Over a pool that is closed with the runner. */
    static PooledScriptRunner owning(
            Pool<Connection> pool,
            ConnectionSharing sharing,
            Supplier<Connection> subscriptions,
            RedisAddress address) {
        return new PooledScriptRunner(
                new PresentPool(() -> pool, sharing, subscriptions, pool::close),
                RedisFailures.of(address, pool.getMaxTotal(), pool.getMaxWaitDuration()),
                Answering.ANY,
                FailOverPatience.none());
    }

    /** Over a given pool, from which the subscription borrows one connection while it lasts. */
    static PooledScriptRunner borrowing(Pool<Connection> pool, ClientUse use) {
        return new PooledScriptRunner(
                new PresentPool(() -> pool, ConnectionSharing.NONE, pool::getResource, () -> {}),
                RedisFailures.ofGiven("the given client's server", pool.getMaxTotal(), use),
                Answering.ANY,
                FailOverPatience.none());
    }

    /** Whether its connections are those of a pool. */
    boolean isOver(Pool<Connection> other) {
        return pool.isNow(other);
    }

    @Override
    public <T> T run(ScriptCall call, Runnable beforeSending, Function<ServerReply, T> reading) {
        requireOpen(call::what);
        try {
            return combiner.run(new PendingCall<>(call, beforeSending, reading));
        } catch (JedisException failure) {
            throw failures.of(call.what(), failure);
        }
    }

    /** Sends calls together over one connection. */
    private void exchange(Supplier<List<PendingCall<?>>> taking) {
        boolean unused = lent(connection -> {
            List<PendingCall<?>> together = taking.get();
            List<ScriptCall> calls = new ArrayList<>(together.size());
            for (PendingCall<?> each : together) {
                each.sending();
                calls.add(each.call());
            }
            PassedTime sending = new PassedTime();
            List<@Nullable Object> replies = hasAllKeys
                    ? MergedCalls.replies(calls, sent -> pipeline.replies(sent, connection))
                    : pipeline.replies(calls, connection);
            for (int i = 0; i < replies.size(); i++) {
                if (!together.get(i).read(new ServerReply(replies.get(i), server, sending))) {
                    // Perhaps it was the reply to another call: then the next one would be as well.
                    connection.setBroken();
                }
            }
            return true;
        });
    }

    @Override
    public <T> T runAlone(ScriptCall call, Runnable beforeSending, BiFunction<ServerReply, Connection, T> reading) {
        return borrowed(call.what(), connection -> {
            beforeSending.run();
            PassedTime sending = new PassedTime();
            Object reply = pipeline.replies(List.of(call), connection).get(0);
            if (reply instanceof JedisDataException refused) {
                throw refused;
            }
            return reading.apply(new ServerReply(reply, server, sending), connection);
        });
    }

    /** Uses a connection of the pool. */
    <T extends @Nullable Object> T borrowed(String what, Function<Connection, T> use) {
        requireOpen(() -> what);
        try {
            return lent(use);
        } catch (JedisException failure) {
            throw failures.of(what, failure);
        }
    }

    private void requireOpen(Supplier<String> what) {
        if (closed) {
            // A given pool is still open.
            throw failures.closed(what.get());
        }
    }

    private <T extends @Nullable Object> T lent(Function<Connection, T> use) {
        try (Connection connection = pool.borrow()) {
            return used(connection, use);
        }
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
        } catch (JedisException failure) {
            if (MasterFailures.isNotMaster(failure) || RedisFailures.connectionLost(failure)) {
                // Closes the idle connections, which probably broke too, or lead to the same replica: a second try gets
                // a new one. Done before this one is returned, so that a waiting call gets a new one as well.
                pool.clear();
                throw new BrokenInUse(failure);
            }
            // An error reply was read to its end.
            allRead = failure instanceof JedisDataException;
            throw failure;
        } finally {
            if (!allRead) {
                connection.setBroken();
            }
        }
    }

    @Override
    public List<Object> runAll(List<ScriptCall> calls, Consumer<Connection> confirming) {
        if (calls.isEmpty()) {
            return List.of();
        }
        return borrowed(ScriptCall.what(calls), connection -> {
            PassedTime sending = new PassedTime();
            List<@Nullable Object> replies = pipeline.replies(calls, connection);
            List<Object> answers = new ArrayList<>(calls.size());
            for (int i = 0; i < calls.size(); i++) {
                Object reply = replies.get(i);
                answers.add(
                        reply instanceof JedisDataException refused
                                ? failures.of(calls.get(i).what(), refused)
                                : new ServerReply(reply, server, sending));
            }
            confirming.accept(connection);
            return answers;
        });
    }

    @Override
    public Connection openSubscription() {
        return pool.openSubscription();
    }

    @Override
    public FailOverPatience patience() {
        return patience;
    }

    @Override
    public void close() {
        closed = true;
        try {
            pool.close();
        } catch (JedisException failure) {
            throw failures.of("close", failure);
        }
    }
}
