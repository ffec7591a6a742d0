package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Renewals in one round trip. The session renews itself; the requests only ask whether it lives and the nodes exist. The first
 * one goes to the leader, and the server answers those after it from a state that is no older.
 */
final class RenewalRound {

    static final String RENEWAL = "renewal";

    private final Session session;

    /** The request to the leader: the first one of the round. */
    private @Nullable Reply<Boolean> proof;

    RenewalRound(Session session) {
        this.session = session;
    }

    List<Renewal> of(List<ZooKeeperClaim> claims) {
        List<Supplier<Renewal>> asked = new ArrayList<>(claims.size());
        claims.forEach(claim -> asked.add(ask(claim)));
        return asked.stream().map(Supplier::get).toList();
    }

    private Supplier<Renewal> ask(ZooKeeperClaim claim) {
        Optional<ClaimNode> held = claim.held();
        if (held.isEmpty()) {
            return () -> new Renewal.Lost(LossCause.TAKEN_OVER);
        }
        if (!held.get().session().isSameAs(session) || !session.keeps(claim.promised())) {
            return claim::lostWithSession;
        }
        Reply<Boolean> question = proof;
        if (question == null) {
            Reply<Boolean> first = session.prove(held.get().path());
            proof = first;
            return () -> renewal(claim, first.await(), first.await());
        }
        Reply<Stat> node = session.stat(held.get().path());
        return () -> renewal(claim, question.await(), node.await());
    }

    private Renewal renewal(ZooKeeperClaim claim, RequestResult<Boolean> leaders, RequestResult<?> nodes) {
        for (RequestResult<?> answer : List.of(leaders, nodes)) {
            if (answer.isSessionOver()) {
                return claim.lostWithSession();
            }
            if (!answer.isOk() && !answer.isMissing()) {
                return new Renewal.Unknown(answer.failure(RENEWAL, claim.name()));
            }
        }
        return nodes.isMissing() ? claim.lostNode() : claim.prolonged(session);
    }
}
