package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.wrong.zookeeper.TextbookSession.Node;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.data.Stat;

/** Providers of {@link LastZooKeeperFaults} that draw wrong conclusions from the changes of a node. */
final class ChangeFaults {

    private ChangeFaults() {}

    /** A token begins with the number of the creation, which for a claim that waited is from before the raise. */
    static final class TokenOfTheCreation extends RaisingProvider {
        TokenOfTheCreation(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        long transaction(Stat stat) {
            return stat.getCzxid();
        }
    }

    /** Takes a node that was written since its creation for somebody else's. */
    static final class UnwrittenDeleting extends RaisingProvider {
        UnwrittenDeleting(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new RaisingClaim(this, request, signals) {
                @Override
                boolean delete(TextbookSession session, String own) throws KeeperException {
                    try {
                        return session.delete(pathOf(own), 0);
                    } catch (BadVersionException written) {
                        return false;
                    }
                }
            };
        }
    }

    /**
     * The token is the number of the last transaction that changed the queue: a claim keeps it, and others read another one
     * later.
     */
    static final class TokenOfTheQueue extends TextbookProvider {
        TokenOfTheQueue(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new TokenKeeping(this, request, signals);
        }

        @Override
        long token(TextbookSession session, String name, String node, Stat stat) throws KeeperException {
            return session.read(lockPath(name), null)
                    .map(lock -> lock.stat().getPzxid())
                    .orElse(stat.getCzxid());
        }
    }

    private static final class TokenKeeping extends TextbookClaim {
        private String keptFor = "";
        private Optional<FencingToken> kept = Optional.empty();

        TokenKeeping(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Optional<Attempt> grant(TextbookSession session, String own) throws KeeperException {
            return super.grant(session, own)
                    .map(answer -> answer instanceof Attempt.Granted now ? first(own, now) : answer);
        }

        private Attempt first(String own, Attempt.Granted now) {
            if (!own.equals(keptFor)) {
                keptFor = own;
                kept = now.fencingToken();
            }
            return new Attempt.Granted(kept, now.validFor(), now.storeTime());
        }
    }

    /** The holder is on record in the lock's own node, which does not end with a session. */
    static final class HolderOnRecord extends TextbookProvider {
        private static final int TOKEN = 4;
        private static final int SINCE = 5;

        HolderOnRecord(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new Recording(this, request, signals);
        }

        @Override
        Optional<LockHolder> holderIn(TextbookSession session, String name) throws KeeperException {
            // It also makes the server catch up.
            List<String> unused = session.children(lockPath(name));
            return session.read(lockPath(name), null)
                    .filter(lock -> !lock.text().isEmpty())
                    .map(HolderOnRecord::holder);
        }

        private static LockHolder holder(Node lock) {
            String[] lines = lock.text().split("\n", -1);
            return holderOf(lock, Long.parseLong(lines[TOKEN]))
                    .withSince(Instant.ofEpochMilli(Long.parseLong(lines[SINCE])));
        }
    }

    private static final class Recording extends TextbookClaim {
        Recording(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Optional<Attempt> grant(TextbookSession session, String own) throws KeeperException {
            Optional<Attempt> answer = super.grant(session, own);
            Optional<Node> node = session.read(pathOf(own), null);
            if (answer.isPresent() && node.isPresent()) {
                Stat stat = node.get().stat();
                String text = node.get().text() + "\n" + stat.getCzxid() + "\n" + stat.getCtime() + "\n" + own;
                Stat unused = session.write(provider.lockPath(name()), text, TextbookSession.ANY_VERSION);
            }
            return answer;
        }

        @Override
        Release releaseIn(TextbookSession session) throws KeeperException {
            clear(session);
            return super.releaseIn(session);
        }

        /** Unless it is another claim's. */
        private void clear(TextbookSession session) throws KeeperException {
            String path = provider.lockPath(name());
            Optional<Node> lock = session.read(path, null);
            if (lock.isEmpty() || !lock.get().text().contains("\n" + provider.beginOfNode(request))) {
                return;
            }
            try {
                Stat unused = session.write(path, "", lock.get().stat().getVersion());
            } catch (BadVersionException next) {
                // The next holder has written its own.
            }
        }
    }
}
