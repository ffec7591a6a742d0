package io.holdfast.lock.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A call of a script whose thread waits, while another thread may send it. That one alone uses it until it
 * {@linkplain #end() ends} it.
 *
 * @param <T> what the reply is converted to
 */
final class PendingCall<T> {

    private final ScriptCall call;
    private final Runnable beforeSending;
    private final Function<ServerReply, T> reading;
    private final Semaphore wakeUps = new Semaphore(0);
    private @Nullable T answer;
    private @Nullable Throwable failure;
    private volatile boolean ended;

    /**
     * Creates it.
     *
     * @param beforeSending runs just before the call is sent
     * @param reading converts the reply
     */
    PendingCall(ScriptCall call, Runnable beforeSending, Function<ServerReply, T> reading) {
        this.call = call;
        this.beforeSending = beforeSending;
        this.reading = reading;
    }

    ScriptCall call() {
        return call;
    }

    /** The call is sent now. */
    void sending() {
        beforeSending.run();
    }

    /**
     * Reads the reply, which may be an error.
     *
     * @return whether it can be the reply to this call
     */
    boolean read(ServerReply reply) {
        if (reply.value() instanceof JedisDataException refused) {
            failure = refused;
            return true;
        }
        try {
            answer = reading.apply(reply);
            return true;
        } catch (RuntimeException | Error unexpected) {
            failure = unexpected;
            return false;
        }
    }

    /** Fails, unless there is an answer. */
    void fail(Throwable why) {
        if (answer == null && failure == null) {
            failure = why;
        }
    }

    /** Lets its thread go on. */
    void end() {
        ended = true;
        wake();
    }

    void wake() {
        wakeUps.release();
    }

    /** Pauses its thread until it is woken, but not longer than the limit. Also returns at an interrupt. */
    void pause(Duration limit, KeptInterrupt interrupt) {
        try {
            boolean unused = wakeUps.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException later) {
            interrupt.keep();
        }
    }

    /** Pauses its thread until it {@linkplain #end() ends}. */
    void awaitEnd(KeptInterrupt interrupt) {
        while (!ended) {
            try {
                wakeUps.acquire();
            } catch (InterruptedException later) {
                interrupt.keep();
            }
        }
    }

    boolean hasEnded() {
        return ended;
    }

    /** The answer, or its failure. */
    T result() {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException unanswered) {
            throw unanswered;
        }
        return Objects.requireNonNull(answer);
    }
}
