package io.holdfast.lock.redis;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import redis.clients.jedis.Connection;

/**
 * What the lock logic needs of Redis, in any topology: to run a script on the node of its keys. Thread-safe.
 */
interface ScriptRunner extends AutoCloseable {

    /**
     * Runs one script in one round trip, which it may share with scripts of other threads; in two if the server does not know it
     * any more.
     *
     * @param call the script
     * @param beforeSending runs just before anything is sent, perhaps on another thread
     * @param reading converts the server's reply, perhaps on another thread. If it throws, the connection is dropped, as the
     *     reply may be that to another call
     * @return the answer
     * @throws io.holdfast.lock.LockStoreException if the outcome is unknown
     */
    <T> T run(ScriptCall call, Runnable beforeSending, Function<ServerReply, T> reading);

    /** As {@link #run(ScriptCall, Runnable, Function)}, for callers that know nothing of the sending. */
    default <T> T run(ScriptCall call, Function<ServerReply, T> reading) {
        return run(call, () -> {}, reading);
    }

    /**
     * As {@link #run(ScriptCall, Runnable, Function)}, on a connection that no other thread uses meanwhile: {@code reading} may
     * ask more on it.
     */
    <T> T runAlone(ScriptCall call, Runnable beforeSending, BiFunction<ServerReply, Connection, T> reading);

    /**
     * Runs many scripts in one pipelined round trip; in two if the server does not know one of them any more.
     *
     * @param calls the scripts
     * @param confirming runs on each connection that had a part of them, when all have been answered there. If it throws, that
     *     part has failed
     * @return for each call a {@link ServerReply}, or a {@link io.holdfast.lock.LockStoreException}
     * @throws io.holdfast.lock.LockStoreException if the outcome of all is unknown
     */
    List<Object> runAll(List<ScriptCall> calls, Consumer<Connection> confirming);

    /** As {@link #runAll(List, Consumer)}, for scripts whose replies are all there is to know. */
    default List<Object> runAll(List<ScriptCall> calls) {
        return runAll(calls, connection -> {});
    }

    /**
     * Opens a connection to subscribe on. The caller closes it.
     *
     * @throws redis.clients.jedis.exceptions.JedisException if none can be had
     */
    Connection openSubscription();

    /** The keys as the topology needs them. */
    default KeySpace in(KeySpace keys) {
        return keys;
    }

    /**
     * Opens the feed of the messages for waiting claims. The caller closes it before the runner.
     */
    default RedisFeed releases(FeedTarget target) {
        return ReleaseMessages.open(this::openSubscription, target);
    }

    /** Stands for the node that a script runs on. No I/O. */
    default Object placeOf(ScriptCall call) {
        return this;
    }

    /** For the attempts of waiting claims while the server is exchanged. */
    default FailOverPatience patience() {
        return FailOverPatience.none();
    }

    /** Closes what the runner has opened. */
    @Override
    void close();
}
