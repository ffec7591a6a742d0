package io.holdfast.lock.redisson;

import io.holdfast.lock.LockStoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RScriptAsync;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.Codec;

/**
 * Runs scripts through Redisson, each call once and within a bound. Thread-safe.
 *
 * <p>Redisson sends what got no answer again, four times by default, also after its caller has given up. Here it is told not
 * to. {@link org.redisson.api.RLock} cannot be told so, which is one reason why the locks are not taken through it.
 */
final class ScriptExecutor {

    /** Redisson does not release the buffers of a batch that gets no connection. Those of this codec need no release. */
    static final Codec CODEC = ByteArrayCodec.INSTANCE;

    /** Redisson counts the time for a connection and the time for an answer each on its own. */
    private static final int STAGES = 2;

    private final Duration timeout;
    private volatile RedissonFailures failures;
    private final Duration connect;
    private final RScriptAsync scripts;
    private volatile boolean connected;
    private volatile boolean closed;

    /**
     * How long to wait, and what to say when it was in vain.
     *
     * @param connect for connecting, before the first call
     * @param timeout for a connection out of the pool, and for an answer
     * @param failures how failures are told
     */
    record Limits(Duration connect, Duration timeout, RedissonFailures failures) {}

    ScriptExecutor(RedissonClient redisson, Limits limits) {
        this.timeout = limits.timeout();
        this.connect = limits.connect();
        this.failures = limits.failures();
        this.scripts = redisson.getScript(
                OptionalOptions.defaults().codec(CODEC).timeout(timeout).retryAttempts(0));
    }

    /**
     * Runs one script in one round trip; in three if the server does not know it yet.
     *
     * @return what it returns
     * @throws LockStoreException if the outcome is unknown
     */
    List<String> run(LockScriptCall call) {
        CallTime time = timeForACall();
        Object reply = awaited(call.what(), time, asked(call.what(), time, () -> sent(call)));
        if (!connected) {
            connected = true;
            failures = failures.understood();
        }
        return answered(call, reply);
    }

    /** Sends one script; once more, and with its text, if the server does not know it. */
    CompletionStage<Object> sent(LockScriptCall call) {
        return sent(scripts, call);
    }

    /** How long a call may take, with all its requests. */
    CallTime timeForACall() {
        Duration answered = timeout.multipliedBy(STAGES);
        return CallTime.startingNow(connected ? answered : connect.plus(answered));
    }

    /** Redisson gives whatever the connection yields, and only says that it is a list. */
    List<String> answered(LockScriptCall call, @Nullable Object reply) {
        if (reply instanceof List<?> words && words.stream().allMatch(word -> word == null || word instanceof byte[])) {
            return words.stream()
                    .map(word -> word == null ? "" : new String((byte[]) word, StandardCharsets.UTF_8))
                    .toList();
        }
        throw failures.of(call.what(), new IllegalStateException("there was no answer, or one to something else"));
    }

    static CompletionStage<Object> sent(RScriptAsync scripts, LockScriptCall call) {
        // The first name routes the call in a cluster, and is mapped on the way.
        return scripts.evalAsync(
                call.lockName(),
                Mode.READ_WRITE,
                call.script().source(),
                // A list of what the codec decodes. Its plain sibling is LIST in one version and MULTI in another.
                ReturnType.MAPVALUELIST,
                call.keysAsTheyAre(),
                call.encodedArguments());
    }

    /**
     * Waits for what was asked of Redisson elsewhere.
     *
     * @throws LockStoreException if it fails, or takes too long
     */
    void await(String what, CompletableFuture<Void> done) {
        awaited(what, timeForACall(), done.thenApply(nothing -> what));
    }

    /**
     * Asks Redisson for something.
     *
     * @return what Redisson will answer
     * @throws LockStoreException if it was not asked
     */
    <T> CompletableFuture<T> asked(String what, CallTime time, Supplier<CompletionStage<T>> question) {
        if (closed) {
            // A client of somebody else's still works.
            throw failures.closed(what);
        }
        if (time.isOver()) {
            throw failures.of(what, new TimeoutException());
        }
        try {
            return connected ? question.get().toCompletableFuture() : ConnectThread.ask(question);
        } catch (RuntimeException failure) {
            // Redisson fails with exceptions of its own, of Netty and of the JDK.
            throw failures.of(what, failure);
        }
    }

    /**
     * Waits for what was asked.
     *
     * @throws LockStoreException if it fails, or takes too long
     */
    <T> T awaited(String what, CallTime time, CompletableFuture<T> answer) {
        try {
            return time.await(answer);
        } catch (CancellationException | ExecutionException | TimeoutException failure) {
            throw failures.of(what, meant(failure));
        }
    }

    static Throwable meant(Exception failure) {
        boolean wrapper = failure instanceof CompletionException || failure instanceof ExecutionException;
        return wrapper && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Refuses all calls from now on; what was asked before is answered. */
    void close() {
        closed = true;
    }
}
