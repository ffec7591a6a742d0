package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.zookeeper.TextbookSession.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException.SessionExpiredException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** Providers of {@link LastZooKeeperFaults} whose claims share something that one of them spoils for the others. */
final class CrowdFaults {

    private CrowdFaults() {}

    /** Who asks for a queue while it is being read takes the same answer, also for what happened after the question. */
    static final class SharedReads extends TextbookProvider {
        private final Map<String, CompletableFuture<List<String>>> reads = new ConcurrentHashMap<>();

        SharedReads(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        List<String> claims(TextbookSession session, String name) throws KeeperException {
            CompletableFuture<List<String>> answer = new CompletableFuture<>();
            CompletableFuture<List<String>> underWay = reads.putIfAbsent(name, answer);
            if (underWay != null) {
                return session.await(underWay);
            }
            try {
                List<String> claims = super.claims(session, name);
                answer.complete(claims);
                return claims;
            } catch (KeeperException failure) {
                answer.completeExceptionally(failure);
                throw failure;
            } finally {
                reads.remove(name, answer);
            }
        }
    }

    /** Takes what a transaction says of the checks after the one that failed for an answer about their nodes. */
    static final class Batches extends TextbookProvider {
        private static final int MOST = 100;

        Batches(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        public int renewalBatch() {
            return MOST;
        }

        @Override
        public List<Renewal> renewAll(List<Claim> claims) {
            return call("renewal", "batch of " + claims.size(), session -> renewAllIn(session, claims));
        }

        private List<Renewal> renewAllIn(TextbookSession session, List<Claim> claims) throws KeeperException {
            List<Claim> checked =
                    claims.stream().filter(claim -> isOf(session, claim)).toList();
            try {
                Iterator<OpResult> results = check(session, checked).iterator();
                List<Renewal> answers = new ArrayList<>();
                for (Claim claim : claims) {
                    answers.add(
                            checked.contains(claim)
                                    ? answer(session, (TextbookClaim) claim, results.next())
                                    : super.renewAll(List.of(claim)).get(0));
                }
                return answers;
            } catch (SessionExpiredException ended) {
                return super.renewAll(claims);
            }
        }

        private static boolean isOf(TextbookSession session, Claim claim) {
            return claim instanceof TextbookClaim granted
                    && granted.granted != null
                    && granted.grantedSession().client == session.client;
        }

        private static List<OpResult> check(TextbookSession session, List<Claim> claims) throws KeeperException {
            if (claims.isEmpty()) {
                return List.of();
            }
            List<Op> checks = claims.stream()
                    .map(claim ->
                            Op.check(String.valueOf(((TextbookClaim) claim).granted), TextbookSession.ANY_VERSION))
                    .toList();
            CompletableFuture<List<OpResult>> reply = new CompletableFuture<>();
            session.client.multi(
                    checks,
                    (code, asked, context, results) -> {
                        if (results == null) {
                            TextbookSession.complete(reply, code, asked, List.of());
                        } else {
                            reply.complete(results);
                        }
                    },
                    null);
            return session.await(reply);
        }

        private Renewal answer(TextbookSession session, TextbookClaim claim, OpResult result) {
            if (result instanceof ErrorResult failed && failed.getErr() != Code.OK.intValue()) {
                claim.forget();
                return new Renewal.Lost(LossCause.TAKEN_OVER);
            }
            return new Renewal.Held(validity(session, claim.request));
        }
    }

    /** A renewal proves that the session lives, which has to do for all renewals that follow soon. */
    static final class SharedProofs extends TextbookProvider {
        private static final int PART = 4;

        /** The last proof; null before the first. */
        @Nullable
        private volatile Proof last;

        SharedProofs(Connection connection, String root) {
            super(connection, root);
        }

        /** Which session was proven to live, and just before which time. */
        private record Proof(ZooKeeper client, long sentAt) {}

        @Override
        TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new TextbookClaim(this, request, signals) {
                @Override
                Renewal renewIn(TextbookSession session, String path) throws KeeperException {
                    long now = System.nanoTime();
                    Proof proof = last;
                    if (proof != null
                            && proof.client() == session.client
                            && session.client == grantedSession().client) {
                        Duration validity = validity(session, request);
                        Duration age = Duration.ofNanos(now - proof.sentAt());
                        if (age.compareTo(validity.dividedBy(PART)) < 0) {
                            return new Renewal.Held(validity.minus(age));
                        }
                    }
                    Renewal answer = super.renewIn(session, path);
                    if (answer instanceof Renewal.Held) {
                        last = new Proof(session.client, now);
                    }
                    return answer;
                }
            };
        }
    }

    /** Deletes, when it is closed, what its host and process have left in the queues that it has used. */
    static final class ProcessCleaning extends TextbookProvider {
        private final Map<String, Claimant> used = new ConcurrentHashMap<>();

        ProcessCleaning(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new TextbookClaim(this, request, signals) {
                @Override
                Optional<Attempt> enqueued(TextbookSession session) throws KeeperException {
                    used.put(name(), request.claimant());
                    return super.enqueued(session);
                }
            };
        }

        @Override
        public void close() {
            if (connection.isConnected()) {
                try {
                    used.forEach(this::clean);
                } catch (LockStoreException failure) {
                    // The session ends all the same.
                }
            }
            super.close();
        }

        private void clean(String name, Claimant process) {
            boolean unused = call("clearing up", name, session -> clean(session, name, process));
        }

        private boolean clean(TextbookSession session, String name, Claimant process) throws KeeperException {
            boolean cleaned = false;
            for (String child : queue(session, name)) {
                String path = lockPath(name) + "/" + child;
                Optional<Node> node = session.read(path, null);
                if (node.isPresent() && isOf(process, node.get())) {
                    cleaned |= session.delete(path);
                }
            }
            return cleaned;
        }

        private static boolean isOf(Claimant process, Node node) {
            LockHolder left = holderOf(node, node.stat().getCzxid());
            return left.host().equals(Optional.of(process.host())) && left.pid().equals(OptionalLong.of(process.pid()));
        }
    }
}
