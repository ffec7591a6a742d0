package io.holdfast.lock.redis;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/** A runner over a real server that opens a connection to subscribe on when the test allows it, or does what the test says. */
final class SubscriptionGate implements ScriptRunner {

    final AtomicInteger asked = new AtomicInteger();
    volatile boolean closed;
    private final ScriptRunner server;
    private final BlockingQueue<Supplier<Connection>> outcomes = new LinkedBlockingQueue<>();

    SubscriptionGate(ScriptRunner server) {
        this.server = server;
    }

    /** Lets the next attempt to open a connection succeed. */
    void open() {
        outcomes.add(server::openSubscription);
    }

    /** Lets the next attempt to open a connection do something else. */
    void open(Supplier<Connection> outcome) {
        outcomes.add(outcome);
    }

    @Override
    public Connection openSubscription() {
        asked.incrementAndGet();
        try {
            return outcomes.take().get();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new JedisException(stop);
        }
    }

    @Override
    public <T> T run(ScriptCall call, Runnable beforeSending, Function<ServerReply, T> reading) {
        return server.run(call, beforeSending, reading);
    }

    @Override
    public <T> T runAlone(ScriptCall call, Runnable beforeSending, BiFunction<ServerReply, Connection, T> reading) {
        return server.runAlone(call, beforeSending, reading);
    }

    @Override
    public List<Object> runAll(List<ScriptCall> calls, Consumer<Connection> confirming) {
        return server.runAll(calls, confirming);
    }

    @Override
    public void close() {
        // The runner behind it is closed by the provider that it was taken from.
        closed = true;
    }
}
