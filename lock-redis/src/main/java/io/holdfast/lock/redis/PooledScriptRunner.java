package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisFailures.BrokenInUse;
import io.holdfast.lock.redis.ScriptCall.Asked;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
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
 * Runs scripts on one server at a time, over a pool of connections.
 *
 * <p>Uses Jedis' connections and not its clients: a client may be configured to repeat any command, and only the pool also gives a
 * connection to subscribe on.
 */
final class PooledScriptRunner implements ScriptRunner {

    private static final String ONE_SERVER = "the server";

    private final Object server;
    private final PresentPool pool;
    private final RedisFailures failures;
    private final Answering answering;
    private final FailOverPatience patience;
    private final Set<Script> sent = ConcurrentHashMap.newKeySet();
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
        this.pool = pool;
        this.failures = failures;
        this.answering = answering;
        this.patience = patience;
    }

    /** Whose answers count. A replica refuses to write, but also answers from what it has, which may be old. */
    enum Answering {
        /** Every server's: there is one. */
        ANY,
        /** A master's: the server says what it is, after each answer and in the same round trip. */
        MASTER
    }

    /** Over a pool that is closed with the runner. */
    static PooledScriptRunner owning(Pool<Connection> pool, Supplier<Connection> subscriptions, RedisAddress address) {
        return new PooledScriptRunner(
                new PresentPool(() -> pool, subscriptions, pool::close),
                RedisFailures.of(address, pool.getMaxTotal(), pool.getMaxWaitDuration()),
                Answering.ANY,
                FailOverPatience.none());
    }

    /** Over a given pool, from which the subscription borrows one connection while it lasts. */
    static PooledScriptRunner borrowing(Pool<Connection> pool, ClientUse use) {
        return new PooledScriptRunner(
                new PresentPool(() -> pool, pool::getResource, () -> {}),
                RedisFailures.ofGiven("the given client's server", pool.getMaxTotal(), use),
                Answering.ANY,
                FailOverPatience.none());
    }

    /** Whether its connections are those of a pool. */
    boolean isOver(Pool<Connection> other) {
        return pool.isNow(other);
    }

    @Override
    public <T> T run(ScriptCall call, Runnable beforeSending, BiFunction<ServerReply, Connection, T> reading) {
        return borrowed(call.what(), connection -> {
            beforeSending.run();
            PassedTime sending = new PassedTime();
            Object reply = replies(List.of(call), connection).get(0);
            if (reply instanceof JedisDataException refused) {
                throw refused;
            }
            return reading.apply(new ServerReply(reply, server, sending), connection);
        });
    }

    /** Uses a connection of the pool. */
    <T extends @Nullable Object> T borrowed(String what, Function<Connection, T> use) {
        if (closed) {
            // A given pool is still open.
            throw failures.closed(what);
        }
        try (Connection connection = pool.borrow()) {
            return used(connection, use);
        } catch (JedisException failure) {
            throw failures.of(what, failure);
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
            List<@Nullable Object> replies = replies(calls, connection);
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
        List<@Nullable Object> replies = repliesOfMaster(calls, connection);
        for (int i = 0; i < replies.size(); i++) {
            if (!(replies.get(i) instanceof JedisDataException)) {
                sent.add(calls.get(i).script());
            }
        }
        return replies;
    }

    /** Throws if a reply shows that the server is none. Asked after the calls: what it says before them may be outdated. */
    private List<@Nullable Object> repliesOfMaster(List<ScriptCall> calls, Connection connection) {
        if (answering == Answering.MASTER) {
            connection.sendCommand(Command.HELLO);
        }
        long asking =
                calls.stream().filter(call -> call.asked() == Asked.IMPORTER).count();
        int more = answering == Answering.MASTER ? 1 : 0;
        Iterator<Object> all = connection
                .getMany(Math.toIntExact(calls.size() + asking) + more)
                .iterator();
        List<@Nullable Object> replies = withoutAsking(calls, all);
        for (Object reply : replies) {
            if (reply instanceof JedisDataException refused && MasterFailures.isNotMaster(refused)) {
                throw refused;
            }
        }
        if (answering == Answering.MASTER) {
            MasterFailures.requireMaster(all.next());
        }
        return replies;
    }

    /** The replies to the scripts. A refused ASKING stands in for the reply to its script. */
    private static List<@Nullable Object> withoutAsking(List<ScriptCall> calls, Iterator<Object> all) {
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
