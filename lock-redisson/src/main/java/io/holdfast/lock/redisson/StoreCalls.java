package io.holdfast.lock.redisson;

import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.redisson.api.BatchOptions;
import org.redisson.api.RBatch;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RScriptAsync;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.RedisNoScriptException;
import org.redisson.client.codec.StringCodec;

/**
 * Runs scripts through Redisson, each call once and within a bound. Thread-safe.
 *
 * <p>Redisson sends what got no answer again, four times by default, also after its caller has given up. Here it is told not
 * to. {@link org.redisson.api.RLock} cannot be told so, which is one reason why the locks are not taken through it.
 */
final class StoreCalls {

    /** Redisson counts the time for a connection and the time for an answer each on its own. */
    private static final int STAGES = 2;

    /** So many nodes are sent a script again in one call; what is left has its turn in the next. */
    private static final int MOST_FORGETFUL_NODES = 3;

    private final RedissonClient redisson;
    private final Duration timeout;
    private final StoreFailures failures;
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
    record Limits(Duration connect, Duration timeout, StoreFailures failures) {}

    StoreCalls(RedissonClient redisson, Limits limits) {
        this.redisson = redisson;
        this.timeout = limits.timeout();
        this.connect = limits.connect();
        this.failures = limits.failures();
        this.scripts = redisson.getScript(OptionalOptions.defaults()
                .codec(StringCodec.INSTANCE)
                .timeout(timeout)
                .retryAttempts(0));
    }

    /**
     * Runs one script in one round trip; in three if the server does not know it yet.
     *
     * @return what it returns
     * @throws LockStoreException if the outcome is unknown
     */
    List<String> run(ScriptCall call) {
        return run(call, timeForACall());
    }

    private List<String> run(ScriptCall call, CallTime time) {
        Object reply = asked(call.what(), time, () -> sent(scripts, call));
        connected = true;
        return answered(call, reply);
    }

    /** How long a call may take, with all its requests. */
    private CallTime timeForACall() {
        Duration answered = timeout.multipliedBy(STAGES);
        return CallTime.startingNow(connected ? answered : connect.plus(answered));
    }

    /**
     * Runs many scripts in one pipelined round trip for each node of the store; in a few more if nodes have forgotten them.
     *
     * @return one outcome for each call
     * @throws LockStoreException if the outcome of all is unknown
     */
    List<Outcome> runAll(List<ScriptCall> calls) {
        CallTime time = timeForACall();
        List<Outcome> outcomes = pipelined(calls, time);
        for (int node = 0; node < MOST_FORGETFUL_NODES; node++) {
            List<Integer> unsent = IntStream.range(0, calls.size())
                    .filter(i -> outcomes.get(i).scriptUnknown())
                    .boxed()
                    .toList();
            if (unsent.isEmpty()) {
                break;
            }
            // A batch takes no notice of a node that was told to forget its scripts. A single call sends its script to
            // it.
            int first = unsent.get(0);
            outcomes.set(first, single(calls.get(first), time));
            List<Integer> others = unsent.subList(1, unsent.size());
            List<Outcome> again = again(others.stream().map(calls::get).toList(), time);
            for (int i = 0; i < again.size(); i++) {
                outcomes.set(others.get(i), again.get(i));
            }
        }
        return outcomes;
    }

    /**
     * What became of one call of many.
     *
     * @param reply what the script returned; empty if it failed
     * @param failure why it failed
     */
    record Outcome(List<String> reply, Optional<LockStoreException> failure) {

        private static Outcome failed(LockStoreException failure) {
            return new Outcome(List.of(), Optional.of(failure));
        }

        private boolean scriptUnknown() {
            return failure.flatMap(it -> StoreFailures.causedBy(RedisNoScriptException.class, it))
                    .isPresent();
        }
    }

    private Outcome single(ScriptCall call, CallTime time) {
        try {
            return new Outcome(run(call, time), Optional.empty());
        } catch (LockStoreException failure) {
            return Outcome.failed(failure);
        }
    }

    /** Other nodes have answered, so a failure is one of these calls alone. */
    private List<Outcome> again(List<ScriptCall> calls, CallTime time) {
        if (calls.isEmpty()) {
            return List.of();
        }
        try {
            return pipelined(calls, time);
        } catch (LockStoreException failure) {
            return Collections.nCopies(calls.size(), Outcome.failed(failure));
        }
    }

    private List<Outcome> pipelined(List<ScriptCall> calls, CallTime time) {
        List<CompletableFuture<Object>> replies = new ArrayList<>(calls.size());
        ScriptCall first = calls.get(0);
        String what = calls.size() == 1 ? first.what() : first.operation() + " of " + calls.size() + " locks";
        asked(what, time, () -> {
            RBatch batch = redisson.createBatch(BatchOptions.defaults()
                    .retryAttempts(0)
                    .responseTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS));
            RScriptAsync batched = batch.getScript(StringCodec.INSTANCE);
            replies.clear();
            calls.forEach(call -> replies.add(sent(batched, call).toCompletableFuture()));
            // It fails if one of them does; each of them knows for itself.
            return batch.executeAsync().handle((result, failure) -> calls);
        });
        List<Outcome> outcomes = new ArrayList<>(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            outcomes.add(outcome(calls.get(i), replies.get(i)));
        }
        return outcomes;
    }

    private Outcome outcome(ScriptCall call, CompletableFuture<Object> reply) {
        try {
            return new Outcome(answered(call, reply.getNow("")), Optional.empty());
        } catch (CompletionException | CancellationException failure) {
            return Outcome.failed(failures.of(call.what(), meant(failure)));
        } catch (LockStoreException failure) {
            return Outcome.failed(failure);
        }
    }

    /** Redisson gives whatever the connection yields, and only says that it is a list of texts. */
    private List<String> answered(ScriptCall call, @Nullable Object reply) {
        if (reply instanceof List<?> words && words.stream().allMatch(word -> word == null || word instanceof String)) {
            return words.stream().map(word -> word == null ? "" : (String) word).toList();
        }
        throw failures.of(call.what(), new IllegalStateException("there was no answer, or one to something else"));
    }

    private static CompletionStage<Object> sent(RScriptAsync scripts, ScriptCall call) {
        // The first name routes the call in a cluster, and is mapped on the way.
        return scripts.evalAsync(
                call.lockName(),
                Mode.READ_WRITE,
                call.script().source(),
                ReturnType.LIST,
                call.keysAsTheyAre(),
                call.arguments().toArray());
    }

    /**
     * Waits for what was asked of Redisson elsewhere.
     *
     * @throws LockStoreException if it fails, or takes too long
     */
    void await(String what, CompletableFuture<Void> done) {
        awaited(what, timeForACall(), done.thenApply(nothing -> what));
    }

    private <T> T asked(String what, CallTime time, Supplier<CompletionStage<T>> question) {
        if (closed) {
            // A client of somebody else's still works.
            throw failures.closed(what);
        }
        if (time.isOver()) {
            throw failures.of(what, new TimeoutException());
        }
        CompletableFuture<T> answer;
        try {
            answer = connected ? question.get().toCompletableFuture() : ConnectThread.ask(question);
        } catch (RuntimeException failure) {
            // Redisson fails with exceptions of its own, of Netty and of the JDK.
            throw failures.of(what, failure);
        }
        return awaited(what, time, answer);
    }

    private <T> T awaited(String what, CallTime time, CompletableFuture<T> answer) {
        try {
            return time.await(answer);
        } catch (CancellationException | ExecutionException | TimeoutException failure) {
            throw failures.of(what, meant(failure));
        }
    }

    private static Throwable meant(Exception failure) {
        boolean wrapper = failure instanceof CompletionException || failure instanceof ExecutionException;
        return wrapper && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Refuses all calls from now on; what was asked before is answered. */
    void close() {
        closed = true;
    }
}
