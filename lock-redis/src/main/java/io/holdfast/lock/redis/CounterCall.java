package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.NodeRequest.Receiver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads or raises the fencing counters of a quorum, on all nodes in parallel, and waits for a majority.
 *
 * <p>That is enough, as two majorities have a node in common, and a node gives no token that its counter has reached:
 *
 * <ul>
 *   <li>A grant after a raise has a vote of a node that was raised. That node gave a token above the number, whatever was
 *   proposed, and the token of the grant is the highest of its majority. Nodes that missed the raise gave lower ones, which are
 *   raised or not counted.
 *   <li>A token that was handed out was carried by a majority, so one node of any majority has a counter that has reached it.
 * </ul>
 *
 * <p>Both rest on nodes that keep their counters, as the tokens do. A node that may have lost its counter is kept out, until its
 * clock is past the tokens of before. So it is not asked how high they are; but it can be raised: it forgets that no more than
 * the others.
 */
final class CounterCall implements Receiver {

    private final int size;
    private final Answers answers = new Answers();

    // All below is guarded by the answers.
    private final List<Long> numbers = new ArrayList<>();
    private final List<LockStoreException> failures = new ArrayList<>();
    private boolean late;

    private CounterCall(int size) {
        this.size = size;
    }

    static long highest(Quorum quorum, KeySpace keys) {
        ScriptCall call = LockScripts.counterCall(keys.counterKey(""), OptionalLong.empty());
        return new CounterCall(quorum.size())
                .run(quorum, call, asking -> NodeRequest.granting(call, Optional.empty(), asking));
    }

    static void raise(Quorum quorum, KeySpace keys, long above) {
        FencingCounters.requirePossible(above);
        ScriptCall call = LockScripts.counterCall(keys.counterKey(""), OptionalLong.of(above));
        long unused = new CounterCall(quorum.size()).run(quorum, call, asking -> NodeRequest.asking(call, asking));
    }

    private long run(Quorum quorum, ScriptCall call, Function<Receiver, NodeRequest> request) {
        quorum.requireReady(call.what());
        quorum.nodes().forEach(node -> node.connection().send(List.of(request.apply(this))));
        PassedTime sinceAsked = new PassedTime();
        OptionalLong highest = answers.await(
                this::decision, () -> sinceAsked.leftOf(quorum.options().timeout()), () -> late = true);
        return highest.orElseThrow(() -> quorum.failure(call.what(), answers.read(() -> List.copyOf(failures))));
    }

    @Override
    public void answered(@Nullable Object reply, boolean repeated) {
        answers.change(() -> numbers.add(LockScripts.counter(reply)));
    }

    @Override
    public void failed(LockStoreException failure, boolean mayHaveArrived) {
        answers.change(() -> failures.add(failure));
    }

    /** The highest number of a majority; empty if there is none, and null as long as there may be one. */
    private @Nullable OptionalLong decision() {
        int majority = QuorumAttempt.majorityOf(size);
        if (numbers.size() >= majority) {
            return numbers.stream().mapToLong(Long::longValue).max();
        }
        return late || size - failures.size() < majority ? OptionalLong.empty() : null;
    }
}
