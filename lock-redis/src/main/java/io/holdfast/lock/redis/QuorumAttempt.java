package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.QuorumOutcome.By;
import io.holdfast.lock.redis.QuorumOutcome.Contended;
import io.holdfast.lock.redis.QuorumOutcome.Failed;
import io.holdfast.lock.redis.QuorumOutcome.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a majority of nodes: what follows from their answers. Sends nothing itself and waits for nothing, so it runs in
 * a simulation as well. Not thread-safe.
 *
 * <p>The algorithm is <a href="https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/">Redlock</a>, with one
 * token for the whole quorum: each node that grants gives a token above all that it gave before. The highest of them becomes that
 * of the grant, once a majority carries it: nodes that gave a lower one raise theirs, if the claim is still in force there. Two
 * grants of a name have a node in common, and there the later one got a higher token. {@code QuorumFence.tla} checks it.
 */
final class QuorumAttempt {

    /** What to send. */
    interface Nodes {
        /** Raises the token of the granted claim. */
        void raise(int node, long token);

        /** Takes back the grant of one node. */
        void undo(int node);

        /**
         * Asks a node once more that has refused, when the majority has granted it: the release of the last holder may have been
         * on its way there. With the bare majority alone, the claim would not outlive the next node that fails.
         */
        void askAgain(int node);
    }

    /**
     * What a node said when it refused.
     *
     * @param claim the id of the claim in force there, or what another program wrote
     * @param millis how long it is in force at most; negative if without an end
     * @param foreign whether another program wrote it
     */
    record Refusal(String claim, long millis, boolean foreign) {}

    private enum Phase {
        ASKING,
        RAISING,
        UNDOING,
        ENDED
    }

    private enum Vote {
        PENDING,
        /** Granted. */
        GRANTED,
        /** Granted, and carries the token of the quorum. */
        CARRYING,
        /** Granted, and was asked to raise its token. */
        RAISING,
        REFUSED,
        FAILED
    }

    private final Nodes nodes;
    private final int majority;
    private final OptionalLong earlierToken;
    private final Vote[] votes;
    private final long[] tokens;
    private final List<Refusal> refusals = new ArrayList<>();
    private final List<LockStoreException> failures = new ArrayList<>();
    private int grantedEarlier;
    private int undoing;
    private long token;
    private Phase phase = Phase.ASKING;
    private @Nullable QuorumOutcome outcome;

    /**
     * Begins; the caller asks all nodes.
     *
     * @param size how many nodes there are
     * @param earlierToken of the grant, if this repeats an attempt that was granted
     * @param nodes where to send
     */
    QuorumAttempt(int size, OptionalLong earlierToken, Nodes nodes) {
        this.nodes = nodes;
        this.majority = majorityOf(size);
        this.earlierToken = earlierToken;
        this.votes = new Vote[size];
        this.tokens = new long[size];
        Arrays.fill(votes, Vote.PENDING);
    }

    static int majorityOf(int size) {
        return size / 2 + 1;
    }

    /** Null until it has ended. */
    @Nullable
    QuorumOutcome outcome() {
        return phase == Phase.ENDED ? outcome : null;
    }

    /** A node granted it; {@code earlier} if it had done so already. */
    void granted(int node, long nodeToken, boolean earlier) {
        if (phase == Phase.UNDOING || outcome instanceof Contended || outcome instanceof Failed) {
            // Too late: nobody would release it.
            takeBack(node);
            return;
        }
        votes[node] = Vote.GRANTED;
        tokens[node] = nodeToken;
        // Another token is that of a record that ended since, and was written again by a copy of the request.
        grantedEarlier += earlier && earlierToken.isPresent() && earlierToken.getAsLong() == nodeToken ? 1 : 0;
        decide(false);
    }

    void refused(int node, Refusal refusal) {
        votes[node] = Vote.REFUSED;
        if (outcome instanceof Granted) {
            nodes.askAgain(node);
        }
        refusals.add(refusal);
        decide(false);
    }

    /** A node did not answer the attempt, or not in time. */
    void failed(int node, LockStoreException failure) {
        votes[node] = Vote.FAILED;
        failures.add(failure);
        decide(false);
    }

    /** A node has raised the token, or the claim is not in force there any more. */
    void raised(int node, boolean inForce) {
        votes[node] = inForce ? Vote.CARRYING : Vote.REFUSED;
        decide(false);
    }

    /** A node took the grant back, or did not answer that. */
    void undone() {
        undoing--;
        if (phase == Phase.UNDOING && undoing == 0) {
            phase = Phase.ENDED;
        }
    }

    /** The time for the answers to the latest requests is over. */
    void timedOut() {
        if (phase == Phase.UNDOING) {
            phase = Phase.ENDED;
        }
        decide(true);
    }

    private void decide(boolean isLast) {
        if (phase == Phase.ASKING) {
            decideVotes(isLast);
        } else if (phase == Phase.RAISING) {
            decideTokens(isLast);
        }
    }

    private void decideVotes(boolean isLast) {
        int pending = isLast ? 0 : count(Vote.PENDING);
        int granted = count(Vote.GRANTED);
        int answered = granted + count(Vote.REFUSED);
        if (earlierToken.isPresent() && grantedEarlier + pending >= majority) {
            if (grantedEarlier >= majority) {
                grant(earlierToken.getAsLong());
            }
        } else if (granted >= majority) {
            unifyTokens();
        } else if (granted + pending < majority && answered >= majority) {
            undo(contended());
        } else if (answered + pending < majority) {
            undo(new Failed(List.copyOf(failures)));
        }
    }

    private void unifyTokens() {
        phase = Phase.RAISING;
        for (int node = 0; node < votes.length; node++) {
            token = votes[node] == Vote.GRANTED ? Math.max(token, tokens[node]) : token;
        }
        List<Integer> lower = new ArrayList<>();
        for (int node = 0; node < votes.length; node++) {
            if (votes[node] == Vote.GRANTED) {
                boolean carrying = tokens[node] == token;
                votes[node] = carrying ? Vote.CARRYING : Vote.RAISING;
                if (!carrying) {
                    lower.add(node);
                }
            }
        }
        if (count(Vote.CARRYING) < majority) {
            lower.forEach(node -> nodes.raise(node, token));
        }
        decideTokens(false);
    }

    /** Whether a majority had granted it, with whichever tokens. */
    boolean hadMajority() {
        return token != 0;
    }

    /** Only the nodes whose tokens were compared count: another one may have given a higher token since. */
    private void decideTokens(boolean isLast) {
        int carrying = count(Vote.CARRYING);
        if (carrying >= majority) {
            grant(token);
        } else if (isLast || carrying + count(Vote.RAISING) < majority) {
            boolean unknown = !failures.isEmpty() || (isLast && count(Vote.RAISING) > 0);
            undo(unknown ? new Failed(List.copyOf(failures)) : new Contended(Optional.empty(), By.SPLIT));
        }
    }

    private Contended contended() {
        Map<String, Integer> nodesOf = new HashMap<>();
        refusals.forEach(refusal -> nodesOf.merge(refusal.claim(), 1, Integer::sum));
        return refusals.stream()
                .filter(refusal -> nodesOf.getOrDefault(refusal.claim(), 0) >= majority)
                .max((one, other) -> Long.compare(one.millis(), other.millis()))
                .map(holder -> new Contended(
                        Optional.of(holder.millis()).filter(left -> left >= 0).map(Duration::ofMillis),
                        holder.foreign() ? By.FOREIGN : By.HOLDER))
                .orElseGet(() -> new Contended(Optional.empty(), By.SPLIT));
    }

    private void undo(QuorumOutcome end) {
        outcome = end;
        phase = Phase.UNDOING;
        for (int node = 0; node < votes.length; node++) {
            if (votes[node] == Vote.GRANTED || votes[node] == Vote.CARRYING || votes[node] == Vote.RAISING) {
                takeBack(node);
            }
        }
        if (undoing == 0) {
            phase = Phase.ENDED;
        }
    }

    /** A repetition takes nothing back: the holder may still count on its earlier grant. */
    private void takeBack(int node) {
        if (earlierToken.isEmpty()) {
            undoing++;
            nodes.undo(node);
        }
    }

    private void grant(long grantedToken) {
        outcome = new Granted(grantedToken);
        phase = Phase.ENDED;
        for (int node = 0; node < votes.length; node++) {
            if (votes[node] == Vote.REFUSED) {
                nodes.askAgain(node);
            }
        }
    }

    private int count(Vote kind) {
        return (int) Arrays.stream(votes).filter(vote -> vote == kind).count();
    }
}
