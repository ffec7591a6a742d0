package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
import io.holdfast.lock.zookeeper.Session.NodeContent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Renewals in one round trip. The session renews itself; the requests only ask whether it lives and the nodes exist. The first
 * one goes to the leader, and the server answers those after it from a state that is no older. A node whose {@link NodeWatch} is
 * quiet when the leader has answered is not read.
 */
final class RenewalRound {

    static final String RENEWAL = "renewal";

    /** So many nodes are read together: few enough not to hold up other requests. */
    private static final int READS = 200;

    private static final RequestResult<Boolean> EXISTS = new RequestResult<>(Code.OK, true);

    private final Session session;

    /** The request to the leader: the first one of the round. */
    private @Nullable Reply<Boolean> proof;

    /** The answer that ended the round, for the claims that were not asked about yet; null while it goes on. */
    private @Nullable RequestResult<?> end;

    RenewalRound(Session session) {
        this.session = session;
    }

    List<Renewal> of(List<ZooKeeperClaim> claims) {
        List<Renewal> renewals = new ArrayList<>(claims.size());
        for (int from = 0; from < claims.size(); from += READS) {
            List<Supplier<Renewal>> asked = claims.subList(from, Math.min(from + READS, claims.size())).stream()
                    .map(this::ask)
                    .toList();
            asked.forEach(renewal -> renewals.add(renewal.get()));
        }
        return renewals;
    }

    private Supplier<Renewal> ask(ZooKeeperClaim claim) {
        Optional<ClaimNode> held = claim.held();
        if (held.isEmpty()) {
            return () -> new Renewal.Lost(LossCause.TAKEN_OVER);
        }
        if (!held.get().session().isSameAs(session) || !session.keeps(claim.promised())) {
            return claim::lostWithSession;
        }
        RequestResult<?> ended = end;
        if (ended != null) {
            return () -> renewal(claim, ended);
        }
        Reply<Boolean> question = proof;
        if (question == null) {
            Reply<Boolean> first = session.prove(held.get().path());
            proof = first;
            return () -> renewal(claim, first, first::await);
        }
        NodeWatch watch = claim.watch(held.get());
        if (watch.isQuiet()) {
            return () -> renewal(
                    claim,
                    question,
                    () -> watch.isQuiet() ? EXISTS : watch.set().get());
        }
        Supplier<RequestResult<NodeContent>> node = watch.set();
        return () -> renewal(claim, question, node);
    }

    /** What the node's request was answered is looked at after the leader's answer. */
    private Renewal renewal(ZooKeeperClaim claim, Reply<Boolean> question, Supplier<? extends RequestResult<?>> node) {
        RequestResult<?> ended = end;
        if (ended != null) {
            return renewal(claim, ended);
        }
        RequestResult<?> leaders = question.await();
        boolean hasAnswered = leaders.isOk() || leaders.isMissing();
        RequestResult<?> answer = hasAnswered ? node.get() : leaders;
        if (!hasAnswered || answer.isUnknown()) {
            end = answer;
        }
        return renewal(claim, answer);
    }

    private Renewal renewal(ZooKeeperClaim claim, RequestResult<?> answer) {
        if (answer.isSessionOver()) {
            return claim.lostWithSession();
        }
        if (!answer.isOk() && !answer.isMissing()) {
            return new Renewal.Unknown(answer.failure(RENEWAL, claim.name()));
        }
        return answer.isMissing() ? claim.lostNode() : claim.prolonged(session);
    }
}
