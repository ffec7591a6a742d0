package io.holdfast.lock.redis;

import io.holdfast.lock.redis.NodeModel.Answer;
import io.holdfast.lock.redis.QuorumAttempt.Refusal;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Makes an attempt in a simulation, as {@link AttemptCall} does on real connections: the decisions are those of
 * {@link QuorumAttempt}.
 */
final class SimulatedAttempt implements QuorumAttempt.Nodes {

    private final Simulation world;
    private final SimulatedClient client;
    private final List<SimulatedLink> links;
    private final String id;
    private final QuorumAttempt attempt;
    private final Consumer<QuorumOutcome> end;
    private long deadline;
    private boolean ended;

    SimulatedAttempt(
            Simulation world,
            SimulatedClient client,
            String id,
            OptionalLong earlierToken,
            Consumer<QuorumOutcome> end) {
        this.world = world;
        this.client = client;
        this.id = id;
        this.end = end;
        this.links = world.rests(Assumption.MAJORITY_OF_ALL)
                ? client.links()
                : client.links().stream().filter(SimulatedLink::isOpen).toList();
        this.attempt = new QuorumAttempt(links.size(), earlierToken, this);
    }

    void run(long proposal) {
        restartTime();
        for (int node = 0; node < links.size(); node++) {
            int asked = node;
            SimulatedLink link = links.get(node);
            link.send(
                    true,
                    "acquire by " + id,
                    store -> store.acquire(link.node.clock(), id, world.leaseMillis(), proposal),
                    answer -> acquired(asked, answer),
                    () -> change(() -> attempt.failed(asked, world.noAnswer)));
        }
        change(() -> {});
        awaitDeadline();
    }

    private void restartTime() {
        deadline = client.clock() + world.timeout();
    }

    private void awaitDeadline() {
        client.after(Math.max(1, deadline - client.clock()), () -> {
            if (!ended) {
                if (client.clock() >= deadline) {
                    restartTime();
                    change(attempt::timedOut);
                }
                awaitDeadline();
            }
        });
    }

    private void acquired(int node, Answer answer) {
        if (answer.granted()) {
            client.seen(links.get(node).node.clock());
            change(() -> attempt.granted(node, answer.number(), answer.earlier()));
        } else {
            change(() -> attempt.refused(node, new Refusal(answer.holder(), answer.number(), false)));
        }
    }

    @Override
    public void raise(int node, long token) {
        restartTime();
        SimulatedLink link = links.get(node);
        link.send(
                false,
                "raise of " + id + " to " + token,
                store -> store.raise(link.node.clock(), id, token),
                inForce -> change(() -> attempt.raised(node, inForce)),
                () -> change(() -> attempt.failed(node, world.noAnswer)));
    }

    @Override
    public void undo(int node) {
        restartTime();
        SimulatedLink link = links.get(node);
        link.send(
                false,
                "undo of " + id,
                store -> store.release(link.node.clock(), id),
                inForce -> change(attempt::undone),
                () -> change(attempt::undone));
    }

    /** Also after the release, where the provider does not: what is left behind then must do no harm either. */
    @Override
    public void askAgain(int node) {
        SimulatedLink link = links.get(node);
        link.send(
                true,
                "acquire by " + id + " once more",
                store -> store.acquire(link.node.clock(), id, world.leaseMillis(), 0),
                answer -> {},
                () -> {});
    }

    private void change(Runnable answer) {
        answer.run();
        QuorumOutcome outcome = attempt.outcome();
        if (!ended && outcome != null) {
            ended = true;
            end.accept(outcome);
        }
    }
}
