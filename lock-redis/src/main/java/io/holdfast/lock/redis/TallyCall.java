package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.NodeRequest.Receiver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Asks all nodes of a quorum in parallel whether claims are in force there, and waits until a majority has decided on each claim. */
final class TallyCall {

    private static final Long YES = 1L;

    private final List<Tally> tallies = new ArrayList<>();
    private boolean ended;

    private TallyCall() {}

    /** Renews claims. */
    static List<Tally> renewing(Quorum quorum, List<ScriptCall> calls) {
        return ask(quorum, calls, NodeRequest::asking);
    }

    /** Releases a claim. */
    static Tally releasing(Quorum quorum, ScriptCall call) {
        return ask(quorum, List.of(call), NodeRequest::takingBack).get(0);
    }

    private static List<Tally> ask(
            Quorum quorum, List<ScriptCall> calls, BiFunction<ScriptCall, Receiver, NodeRequest> requesting) {
        TallyCall call = new TallyCall();
        calls.forEach(each -> call.tallies.add(new Tally(quorum.size())));
        for (QuorumNode node : quorum.nodes()) {
            List<NodeRequest> requests = new ArrayList<>();
            for (int i = 0; i < calls.size(); i++) {
                requests.add(requesting.apply(calls.get(i), call.receiver(call.tallies.get(i), node, calls.get(i))));
            }
            node.connection().send(requests);
        }
        return call.await(System.nanoTime() + quorum.options().timeout().toNanos());
    }

    private Receiver receiver(Tally tally, QuorumNode node, ScriptCall asked) {
        return new Receiver() {
            @Override
            public void answered(@Nullable Object reply, boolean repeated) {
                boolean inForce = YES.equals(reply);
                if (repeated && !inForce && asked.operation().equals("release")) {
                    failed(node.failures().ofNode(new RedisFailures.OwnReason("the connection was lost")));
                } else {
                    change(() -> tally.answered(inForce));
                }
            }

            @Override
            public void failed(LockStoreException failure) {
                change(() -> tally.failed(failure));
            }
        };
    }

    private synchronized void change(Runnable answer) {
        // What has been returned does not change any more.
        if (!ended) {
            answer.run();
            notifyAll();
        }
    }

    private synchronized List<Tally> await(long deadline) {
        List<Tally> decided = Waiting.until(
                this,
                () -> ended || tallies.stream().allMatch(Tally::isDecided) ? tallies : null,
                () -> deadline,
                () -> ended = true);
        ended = true;
        return decided;
    }
}
