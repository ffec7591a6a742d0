package io.holdfast.lock.redisson;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redisson.LockNaming.Topology;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.redisson.api.BatchOptions;
import org.redisson.api.RBatch;
import org.redisson.api.RScriptAsync;
import org.redisson.api.RedissonClient;

/**
 * Runs many scripts: one pipelined round trip per node of the store, to all nodes at the same time. Thread-safe.
 *
 * <p>One batch of Redisson for several nodes would not do: it reports a failure of one node for all calls without an answer yet,
 * and sends nothing at all while it does not know the node of one key.
 */
final class ScriptBatch {

    private final RedissonClient redisson;
    private final KeyOwners owners;
    private final ScriptExecutor store;
    private final ScriptExecutor.Limits limits;

    ScriptBatch(RedissonClient redisson, Topology topology, ScriptExecutor store, ScriptExecutor.Limits limits) {
        this.redisson = redisson;
        this.owners = KeyOwners.of(redisson, topology);
        this.store = store;
        this.limits = limits;
    }

    /**
     * The outcome of one call.
     *
     * @param reply the reply of the script; empty if it failed
     * @param failure why it failed
     */
    record Outcome(List<String> reply, Optional<LockStoreException> failure) {}

    /** One call, and its latest answer. */
    private static final class Asked {
        private final LockScriptCall call;
        private volatile CompletableFuture<Object> reply = new CompletableFuture<>();

        Asked(LockScriptCall call) {
            this.call = call;
        }

        void answeredBy(CompletionStage<Object> answer) {
            reply = answer.toCompletableFuture();
        }

        boolean scriptUnknown() {
            return reply.handle((given, failure) -> failure != null && RedissonFailures.isUnknownScript(failure))
                    .getNow(false);
        }
    }

    /**
     * Runs scripts. A failure of one node does not affect the answers of others.
     *
     * @return one outcome for each call
     * @throws LockStoreException if the outcome of all is unknown
     */
    List<Outcome> run(List<LockScriptCall> calls) {
        CallTime time = store.timeForACall();
        String what = LockScriptCall.what(calls);
        List<Asked> all = calls.stream().map(Asked::new).toList();
        try {
            store.answer(
                    what,
                    time,
                    () -> allOf(byNode(all).stream()
                                    .map(part -> pipelined(part).thenCompose(each -> withScripts(each, time))))
                            .thenApply(nothing -> all));
        } catch (LockStoreException failure) {
            // If one node hangs, the answers of the others still count.
            if (all.stream().noneMatch(asked -> asked.reply.isDone())) {
                throw failure;
            }
        }
        return all.stream().map(this::outcome).toList();
    }

    private Collection<List<Asked>> byNode(List<Asked> all) {
        return all.stream()
                .collect(Collectors.groupingBy(
                        asked -> owners.ownerOf(asked.call.keys().get(0))))
                .values();
    }

    private static CompletableFuture<Void> allOf(Stream<? extends CompletionStage<?>> several) {
        return CompletableFuture.allOf(
                several.map(CompletionStage::toCompletableFuture).toArray(CompletableFuture[]::new));
    }

    /** One round trip. Never fails as a whole: each call has its own outcome. */
    private CompletionStage<List<Asked>> pipelined(List<Asked> part) {
        RBatch batch = redisson.createBatch(BatchOptions.defaults()
                .retryAttempts(0)
                .responseTimeout(limits.timeout().toMillis(), TimeUnit.MILLISECONDS));
        RScriptAsync batched = batch.getScript(ScriptExecutor.CODEC);
        part.forEach(asked -> asked.answeredBy(ScriptExecutor.sentByText(batched, asked.call)));
        return batch.executeAsync().handle((result, failure) -> {
            if (failure != null) {
                part.stream()
                        .filter(asked -> !asked.reply.isDone())
                        .forEach(asked -> asked.answeredBy(CompletableFuture.failedFuture(failure)));
            }
            return part;
        });
    }

    /**
     * Repeats the calls that a node refused because it does not know the script any more. A batch does not send the script again,
     * but a single call does.
     */
    private CompletionStage<List<Asked>> withScripts(List<Asked> answered, CallTime time) {
        List<Asked> refused = answered.stream().filter(Asked::scriptUnknown).toList();
        if (refused.isEmpty() || time.isOver()) {
            return CompletableFuture.completedFuture(answered);
        }
        Asked first = refused.get(0);
        List<Asked> others = refused.subList(1, refused.size());
        first.answeredBy(store.sentByText(first.call));
        return first.reply
                .handle((given, failure) -> others)
                .thenCompose(rest ->
                        rest.isEmpty() || time.isOver() ? CompletableFuture.completedFuture(rest) : pipelined(rest));
    }

    private Outcome outcome(Asked asked) {
        // Read once: a late answer may replace it.
        CompletableFuture<Object> reply = asked.reply;
        try {
            if (!reply.isDone()) {
                throw store.failures().of(asked.call.what(), new TimeoutException());
            }
            return new Outcome(store.answered(asked.call, reply.join()), Optional.empty());
        } catch (CompletionException | CancellationException failure) {
            return failed(store.failures().of(asked.call.what(), ScriptExecutor.meant(failure)));
        } catch (LockStoreException failure) {
            return failed(failure);
        }
    }

    private static Outcome failed(LockStoreException failure) {
        return new Outcome(List.of(), Optional.of(failure));
    }
}
