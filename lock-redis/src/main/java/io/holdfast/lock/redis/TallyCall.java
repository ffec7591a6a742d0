package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.NodeRequest.Receiver;
import io.holdfast.lock.redis.RedisFailures.OwnReason;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks all nodes of a quorum in parallel whether claims are in force there, and waits until a majority has decided on each claim.
 */
final class TallyCall {

    private final Quorum quorum;
    private final Answers answers = new Answers();
    private final List<Tally> tallies = new ArrayList<>();
    private boolean ended;

    private TallyCall(Quorum quorum, BitSet granted, int claims) {
        this.quorum = quorum;
        for (int i = 0; i < claims; i++) {
            tallies.add(new Tally(quorum.size(), granted));
        }
    }

    /** Renews claims, in one round. */
    static List<Tally> renewing(Quorum quorum, List<ScriptCall> calls) {
        TallyCall asking = new TallyCall(quorum, new BitSet(), calls.size());
        for (int node = 0; node < quorum.size(); node++) {
            List<NodeRequest> requests = new ArrayList<>();
            for (int i = 0; i < calls.size(); i++) {
                requests.add(NodeRequest.asking(calls.get(i), asking.receiver(node, asking.tallies.get(i))));
            }
            quorum.nodes().get(node).connection().send(requests);
        }
        return asking.await();
    }

    /**
     * Releases a claim on the nodes that may know it.
     *
     * @param granted those that have granted it
     */
    static Tally releasing(Quorum quorum, ScriptCall call, BitSet mayKnow, BitSet granted) {
        TallyCall asking = new TallyCall(quorum, granted, 1);
        Tally tally = asking.tallies.get(0);
        for (int node = 0; node < quorum.size(); node++) {
            if (mayKnow.get(node)) {
                NodeRequest request = NodeRequest.takingBack(call, asking.releaseReceiver(node, tally));
                quorum.nodes().get(node).connection().send(List.of(request));
            } else {
                asking.answered(node, tally, false);
            }
        }
        return asking.await().get(0);
    }

    private Receiver receiver(int node, Tally tally) {
        return new Receiver() {
            @Override
            public void answered(@Nullable Object reply, boolean repeated) {
                TallyCall.this.answered(node, tally, LockScripts.isYes(reply));
            }

            @Override
            public void failed(LockStoreException failure, boolean mayHaveArrived) {
                change(() -> tally.failed(failure));
            }
        };
    }

    /** After a repeated release, "not in force" may be the work of the first one. */
    private Receiver releaseReceiver(int node, Tally tally) {
        Receiver plain = receiver(node, tally);
        return new Receiver() {
            @Override
            public void answered(@Nullable Object reply, boolean repeated) {
                if (repeated && !LockScripts.isYes(reply)) {
                    RedisFailures failures = quorum.nodes().get(node).failures();
                    failed(failures.ofNode(new OwnReason("the connection was lost during the release")), true);
                } else {
                    plain.answered(reply, repeated);
                }
            }

            @Override
            public void failed(LockStoreException failure, boolean mayHaveArrived) {
                plain.failed(failure, mayHaveArrived);
            }
        };
    }

    private void answered(int node, Tally tally, boolean inForce) {
        change(() -> tally.answered(node, inForce));
    }

    private void change(Runnable answer) {
        answers.change(() -> {
            // What has been returned does not change any more.
            if (!ended) {
                answer.run();
            }
        });
    }

    private List<Tally> await() {
        PassedTime sinceAsked = new PassedTime();
        return answers.await(
                this::decided, () -> sinceAsked.leftOf(quorum.options().timeout()), () -> ended = true);
    }

    private @Nullable List<Tally> decided() {
        ended |= tallies.stream().allMatch(Tally::isDecided);
        return ended ? tallies : null;
    }
}
