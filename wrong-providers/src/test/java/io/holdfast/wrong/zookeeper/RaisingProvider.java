package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.wrong.zookeeper.TextbookSession.Node;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.BadVersionException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.data.Stat;

/**
 * Textbook's provider with tokens that can be raised: a token is the number of a transaction plus an offset, which a node beside
 * the locks keeps. Right, as long as no step is overridden. Thread-safe.
 *
 * <p>A grant has the offset that was in force when it was made: its claim writes it into its own node, which is the first then.
 * So a later raise changes no token.
 */
class RaisingProvider extends TextbookProvider {

    /** As many tokens are left above it. */
    private static final long MOST = 1L << 62;

    /** The line of a claim's node that has the offset. */
    private static final int OFFSET_LINE = 4;

    /** No lock has it: in the name of a lock's node a # is encoded. */
    private final String offsetPath;

    RaisingProvider(Connection connection, String root) {
        super(connection, root);
        this.offsetPath = root + "/#offset";
    }

    /** The offset at a transaction that is later than all grants so far, and the version of its node then. */
    private record Offset(long value, long transaction, int version) {}

    @Override
    TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
        return new RaisingClaim(this, request, signals);
    }

    @Override
    public long highestToken() {
        return call("reading of the highest token", root, session -> {
            Offset present = present(session);
            return present.transaction() + present.value();
        });
    }

    @Override
    public void raiseTokens(long above) {
        if (above > MOST) {
            throw new LockConfigurationException(
                    "The tokens cannot be raised above " + above + "; allowed is up to " + MOST);
        }
        boolean unused = call("raising of the tokens", root, session -> raise(session, above));
    }

    private boolean raise(TextbookSession session, long above) throws KeeperException {
        while (true) {
            Offset present = present(session);
            // At least 1, or a claim that waits already would have the number of its creation.
            long needed = Math.max(1, Math.max(above, 0) - present.transaction());
            if (present.value() >= needed || isWritten(session, needed, present.version())) {
                return true;
            }
        }
    }

    /** Writes the node as it is: no number of a transaction can be read without a write. */
    private Offset present(TextbookSession session) throws KeeperException {
        while (true) {
            session.createIfMissing(root, CreateMode.PERSISTENT);
            session.createIfMissing(offsetPath, CreateMode.PERSISTENT);
            Optional<Node> node = session.read(offsetPath, null);
            if (node.isPresent()) {
                try {
                    Stat written = session.write(
                            offsetPath, node.get().text(), node.get().stat().getVersion());
                    return new Offset(number(node.get().text()), written.getMzxid(), written.getVersion());
                } catch (BadVersionException race) {
                    // Somebody else has written it: read it again.
                }
            }
        }
    }

    private boolean isWritten(TextbookSession session, long offset, int version) throws KeeperException {
        try {
            Stat unused = session.write(offsetPath, Long.toString(offset), version);
            return true;
        } catch (BadVersionException race) {
            return false;
        }
    }

    private long offset(TextbookSession session) throws KeeperException {
        return session.read(offsetPath, null).map(node -> number(node.text())).orElse(0L);
    }

    private static long number(String text) {
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    @Override
    long tokenOf(TextbookSession session, String name, String node, Node content) throws KeeperException {
        String[] lines = content.text().split("\n", -1);
        return lines.length > OFFSET_LINE
                ? transaction(content.stat()) + number(lines[OFFSET_LINE])
                : super.tokenOf(session, name, node, content);
    }

    /** The number of a transaction at which a claim with an offset was the first: the one that has written the offset. */
    long transaction(Stat stat) {
        return stat.getMzxid();
    }

    /** A claim that notes the offset in its node when it is granted. */
    static class RaisingClaim extends TextbookClaim {
        private final RaisingProvider raising;

        RaisingClaim(RaisingProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
            this.raising = provider;
        }

        @Override
        Optional<Attempt> grant(TextbookSession session, String own) throws KeeperException {
            if (!pathOf(own).equals(granted)) {
                noteOffset(session, pathOf(own));
            }
            return super.grant(session, own);
        }

        private void noteOffset(TextbookSession session, String path) throws KeeperException {
            long offset = raising.offset(session);
            Optional<Node> node = session.read(path, null);
            if (offset == 0 || node.isEmpty() || node.get().text().split("\n", -1).length > OFFSET_LINE) {
                return;
            }
            try {
                Stat unused = session.write(path, node.get().text() + "\n" + offset, TextbookSession.ANY_VERSION);
            } catch (NoNodeException gone) {
                // The grant finds that out.
            }
        }
    }
}
