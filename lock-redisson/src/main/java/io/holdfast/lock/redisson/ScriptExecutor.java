package io.holdfast.lock.redisson;

import io.holdfast.lock.LockStoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
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
 * <p>By default Redisson repeats an unanswered request four times, also after its caller has given up. Here that is switched off.
 * For {@link org.redisson.api.RLock} it cannot be, which is one reason not to lock through it.
 */
final class ScriptExecutor {

    /** Redisson leaks the buffers of a batch that gets no connection; those of this codec need no release. */
    static final Codec CODEC = ByteArrayCodec.INSTANCE;

    /** A list of values of the codec. Its plain form is LIST in one version and MULTI in another. */
    private static final ReturnType REPLY = ReturnType.MAPVALUELIST;

    /** Redisson bounds the wait for a connection and the wait for an answer separately. */
    private static final int STAGES = 2;

    private final Limits limits;
    private volatile RedissonFailures failures;
    private final RScriptAsync scripts;
    private final boolean byDigest;
    private volatile boolean connected;
    private volatile boolean closed;

    /**
     * Time-outs, and how failures are described.
     *
     * @param connect for connecting, before the first call
     * @param timeout for a connection out of the pool, and for an answer
     * @param failures describes failures
     */
    record Limits(Duration connect, Duration timeout, RedissonFailures failures) {
        static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);
        static final Duration LEAST_TIMEOUT = Duration.ofMillis(1);
        static final Duration MOST_TIMEOUT = Duration.ofMinutes(10);
    }

    ScriptExecutor(RedissonClient redisson, Limits limits) {
        this.limits = limits;
        this.failures = limits.failures();
        this.byDigest = redisson.getConfig().isUseScriptCache();
        this.scripts = redisson.getScript(OptionalOptions.defaults()
                .codec(CODEC)
                .timeout(limits.timeout())
                .retryAttempts(0));
    }

    /** Describes failures as of now: a server that has answered once speaks the protocol. */
    RedissonFailures failures() {
        return failures;
    }

    /**
     * Runs one script in one round trip; in four if the server does not know it yet.
     *
     * @return its reply
     * @throws LockStoreException if the outcome is unknown
     */
    List<String> run(LockScriptCall call) {
        Object reply = answer(call.what(), timeForACall(), () -> sent(call));
        if (!connected) {
            connected = true;
            failures = failures.understood();
        }
        return answered(call, reply);
    }

    /**
     * Sends one script by its digest; again, by its text, if the server does not know it, which has changed nothing. Redisson
     * does the same with a text, but at each call copies the arguments and looks the digest up. A client that is set to send
     * texts gets one.
     */
    private CompletableFuture<Object> sent(LockScriptCall call) {
        if (!byDigest) {
            return sentByText(call).toCompletableFuture();
        }
        return scripts.<Object>evalShaAsync(
                        call.lockName(),
                        Mode.READ_WRITE,
                        call.script().digest(),
                        REPLY,
                        call.keysAsTheyAre(),
                        call.encodedArguments())
                .toCompletableFuture()
                .exceptionallyCompose(failure -> RedissonFailures.isUnknownScript(failure)
                        ? sentByText(call)
                        : CompletableFuture.failedFuture(failure));
    }

    /** Sends one script by its text, which Redisson loads into a server that does not know it. */
    CompletionStage<Object> sentByText(LockScriptCall call) {
        return sentByText(scripts, call);
    }

    /** The time for a call with all its requests. */
    CallTime timeForACall() {
        Duration answered = limits.timeout().multipliedBy(STAGES);
        return CallTime.startingNow(connected ? answered : limits.connect().plus(answered));
    }

    /** Checks the reply: Redisson returns what the connection yields, without checking its type. */
    List<String> answered(LockScriptCall call, @Nullable Object reply) {
        if (reply instanceof List<?> words) {
            List<String> texts = new ArrayList<>(words.size());
            for (Object word : words) {
                if (word == null) {
                    texts.add("");
                } else if (word instanceof byte[] bytes) {
                    texts.add(new String(bytes, StandardCharsets.UTF_8));
                }
            }
            if (texts.size() == words.size()) {
                return texts;
            }
        }
        throw failures.of(call.what(), new IllegalStateException("there was no answer, or one to something else"));
    }

    static CompletionStage<Object> sentByText(RScriptAsync scripts, LockScriptCall call) {
        // The first name routes the call in a cluster, and is mapped on the way.
        return scripts.evalAsync(
                call.lockName(),
                Mode.READ_WRITE,
                call.script().source(),
                REPLY,
                call.keysAsTheyAre(),
                call.encodedArguments());
    }

    /**
     * Asks Redisson, and waits for the answer.
     *
     * @throws LockStoreException if it fails, or takes too long
     */
    <T> T answer(String what, CallTime time, Supplier<CompletionStage<T>> question) {
        if (closed) {
            // A given client still works.
            throw failures.closed(what);
        }
        return awaited(
                what,
                time,
                connected
                        ? asked(question)
                        : CompletableFuture.supplyAsync(question, ConnectThread::start)
                                .thenCompose(Function.identity()));
    }

    private static <T> CompletableFuture<T> asked(Supplier<CompletionStage<T>> question) {
        try {
            return question.get().toCompletableFuture();
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /**
     * Waits for something that was started elsewhere.
     *
     * @throws LockStoreException if it fails, or takes too long
     */
    void await(String what, CompletableFuture<Void> done) {
        awaited(what, timeForACall(), done.thenApply(nothing -> what));
    }

    /** Refuses all later calls; earlier ones are still answered. */
    void close() {
        closed = true;
    }

    private <T> T awaited(String what, CallTime time, CompletableFuture<T> answer) {
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
}
