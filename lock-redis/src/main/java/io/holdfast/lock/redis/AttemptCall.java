package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.LockScripts.Grant;
import io.holdfast.lock.redis.NodeRequest.Receiver;
import io.holdfast.lock.redis.QuorumAttempt.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes an attempt at the nodes of a quorum: sends what the {@link QuorumAttempt} says, and feeds it the answers. Late
 * answers come when the attempt has ended.
 */
final class AttemptCall implements QuorumAttempt.Nodes {

    private final Quorum quorum;
    private final ClaimCalls calls;
    /** Takes back what no answer came to; empty for a repetition, whose holder may still count on its grant. */
    private final Optional<ScriptCall> undo;

    private final QuorumAttempt attempt;
    private final Answers answers = new Answers();

    /** The nodes that may know the claim, and those that have granted it. Guarded by the answers. */
    private final BitSet mayKnow = new BitSet();

    private final BitSet granted = new BitSet();
    private final ScriptCall acquire;
    private PassedTime sinceAsked = new PassedTime();
    private boolean undoing;
    private boolean ended;

    AttemptCall(Quorum quorum, ClaimCalls calls, OptionalLong earlierToken) {
        this.quorum = quorum;
        this.calls = calls;
        this.undo = earlierToken.isEmpty() ? Optional.of(calls.undo()) : Optional.empty();
        this.attempt = new QuorumAttempt(quorum.size(), earlierToken, this);
        this.acquire = calls.acquireProposing(quorum.proposals().next());
    }

    /** Asks all nodes in parallel, and returns when enough of them have answered. An interrupt ends nothing; it is kept. */
    QuorumOutcome run() {
        answers.change(this::askAll);
        return answers.await(
                attempt::outcome, () -> sinceAsked.leftOf(quorum.options().timeout()), () -> {
                    attempt.timedOut();
                    restartTime();
                });
    }

    private void askAll() {
        restartTime();
        mayKnow.set(0, quorum.size());
        for (int node = 0; node < quorum.size(); node++) {
            int asked = node;
            send(node, NodeRequest.granting(acquire, undo, receiver(node, reply -> acquired(asked, reply))));
        }
    }

    private void restartTime() {
        sinceAsked = new PassedTime();
    }

    private void send(int node, NodeRequest request) {
        quorum.nodes().get(node).connection().send(List.of(request));
    }

    private void acquired(int node, @Nullable Object reply) {
        Optional<Grant> grant = LockScripts.grant(reply);
        if (grant.isPresent()) {
            granted.set(node);
            quorum.proposals().seen(grant.get().micros());
            attempt.granted(node, grant.get().token(), grant.get().before());
        } else {
            List<?> parts = (List<?>) Objects.requireNonNull(reply);
            long millis = (Long) Objects.requireNonNull(parts.get(0));
            String claim = new String((byte[]) Objects.requireNonNull(parts.get(2)), StandardCharsets.UTF_8);
            mayKnow.clear(node);
            attempt.refused(node, new Refusal(claim, millis, LockScripts.isYes(parts.get(1))));
        }
    }

    @Override
    public void raise(int node, long token) {
        restartTime();
        send(
                node,
                NodeRequest.asking(
                        calls.raise(token), receiver(node, reply -> attempt.raised(node, LockScripts.isYes(reply)))));
    }

    /** One that had a majority wakes waiters: they were told that it holds the lock. */
    @Override
    public void undo(int node) {
        if (!undoing) {
            undoing = true;
            restartTime();
        }
        ScriptCall call = attempt.hadMajority() ? calls.release() : calls.undo();
        send(node, NodeRequest.takingBack(call, new Receiver() {
            @Override
            public void answered(@Nullable Object reply, boolean repeated) {
                answers.change(attempt::undone);
            }

            @Override
            public void failed(LockStoreException failure, boolean mayHaveArrived) {
                answers.change(attempt::undone);
            }
        }));
    }

    @Override
    public void askAgain(int node) {
        if (!ended) {
            mayKnow.set(node);
            send(node, NodeRequest.granting(acquire, undo, new Receiver() {
                @Override
                public void answered(@Nullable Object reply, boolean repeated) {
                    answers.change(
                            () -> granted.set(node, LockScripts.grant(reply).isPresent()));
                }

                @Override
                public void failed(LockStoreException failure, boolean mayHaveArrived) {
                    answers.change(() -> mayKnow.set(node, mayHaveArrived));
                }
            }));
        }
    }

    /** Releases what this attempt has been granted; asks no node any more. */
    Tally release() {
        answers.change(() -> ended = true);
        BitSet knowing = answers.read(() -> (BitSet) mayKnow.clone());
        BitSet holding = answers.read(() -> (BitSet) granted.clone());
        return TallyCall.releasing(quorum, calls.release(), knowing, holding);
    }

    private Receiver receiver(int node, Consumer<@Nullable Object> reading) {
        return new Receiver() {
            @Override
            public void answered(@Nullable Object reply, boolean repeated) {
                answers.change(() -> {
                    if (ended && repeated) {
                        // Sent again, as the node had forgotten its script: it came behind the release.
                        send(node, NodeRequest.takingBack(calls.undo()));
                    } else {
                        reading.accept(reply);
                    }
                });
            }

            @Override
            public void failed(LockStoreException failure, boolean mayHaveArrived) {
                answers.change(() -> {
                    mayKnow.set(node, mayHaveArrived || granted.get(node));
                    attempt.failed(node, failure);
                });
            }
        };
    }
}
