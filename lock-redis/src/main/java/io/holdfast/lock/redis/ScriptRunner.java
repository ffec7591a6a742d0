package io.holdfast.lock.redis;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;

/**
 * All that the lock logic asks of Redis: run a script on the node of its keys. Thread-safe.
 *
 * <p>It is this small so that other topologies, and pipelines that combine the calls of many threads, fit behind it.
 */
interface ScriptRunner extends AutoCloseable {

    /**
     * Runs one script in one round trip; in two if the server has lost it.
     *
     * @param call the script
     * @param beforeSending runs when there is a connection, just before anything is sent on it
     * @param reading makes an answer of the server's reply: {@code Long}, {@code byte[]}, a list of these, or null; what it
     *     throws is thrown on, and costs the connection, as the reply may be that to another call
     * @return the answer
     * @throws io.holdfast.lock.LockStoreException if the outcome is unknown
     */
    <T> T run(ScriptCall call, Runnable beforeSending, Function<@Nullable Object, T> reading);

    /** As {@link #run(ScriptCall, Runnable, Function)}, for who need not know whether anything was sent. */
    default <T> T run(ScriptCall call, Function<@Nullable Object, T> reading) {
        return run(call, () -> {}, reading);
    }

    /**
     * Runs many scripts in one pipelined round trip; in two if the server has lost one of them.
     *
     * @return one reply for each call, as {@link #run} has it read, or a {@link io.holdfast.lock.LockStoreException}
     * @throws io.holdfast.lock.LockStoreException if the outcome of all is unknown
     */
    List<@Nullable Object> runAll(List<ScriptCall> calls);

    /**
     * Opens a connection to subscribe on. The caller closes it.
     *
     * @throws redis.clients.jedis.exceptions.JedisException if there is none to be had
     */
    Connection openSubscription();

    /** Closes what the runner has opened itself. */
    @Override
    void close();
}
