package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** Names that fall together or do not work, and claims that are taken for each other. */
public enum WrongNeighbours implements WrongProvider {
    /** The locks {@code a/b} and {@code a_b} exclude each other, and unrelated jobs stop each other. */
    SLASH_BECOMES_UNDERSCORE(Opening.of(Underscores::new)),

    /** The node of a lock {@code jobs/} stands in the queue of {@code jobs}, which is never free again. */
    SLASH_MAKES_A_CHILD_OF_ANOTHER_LOCK(Opening.of(Tree::new)),

    /** A file's lock named {@code .} or {@code ..} fails with the client's complaint about relative paths. */
    DOTS_NOT_ENCODED(Opening.of(Dots::new)),

    /** A name with an emoji fails with the client's complaint about an invalid character. */
    TEXT_BEYOND_ASCII_NOT_ENCODED(Opening.of(AsciiOnly::new)),

    /** Two names that differ only in how their accents are written exclude each other. */
    NAMES_ARE_NORMALIZED(Opening.of(Normalized::new)),

    /** All Chinese names of one length are one lock. */
    NAMES_IN_LATIN_1(Opening.of(Latin::new)),

    /** Two long names that end in {@code Aa} and {@code BB} are one lock. */
    LONG_NAMES_BY_HASH_CODE(Opening.of(Hashed::new)),

    /** Who holds {@code job-2} stops everybody who wants {@code job}. */
    FLAT_QUEUE_FOUND_BY_PREFIX(Opening.of(Flat::new)),

    /** Two claims of one owner, in two processes, are both let in: nobody has declared that. */
    OWN_NODE_FOUND_BY_OWNER(Opening.of(ByOwner::new)),

    /** The release of {@code job} frees {@code job-2}, too, under the feet of its holder. */
    RELEASE_DELETES_ALL_EPHEMERALS_WITH_THE_PREFIX(Opening.ofClaims(PrefixDeleter::new));

    // A function without state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Opening opening;

    WrongNeighbours(Opening opening) {
        this.opening = opening;
    }

    @Override
    public LockHarness harness() {
        return TextbookHarness.of(opening);
    }

    private static final class Underscores extends TextbookProvider {
        Underscores(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        String nodeName(String name) {
            return super.nodeName(name.replace('/', '_'));
        }
    }

    /** Operators like to see a tree. */
    private static final class Tree extends TextbookProvider {
        private static final String EMPTY = "%";

        Tree(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        String nodeName(String name) {
            return String.join("/", nodes(name));
        }

        private List<String> nodes(String name) {
            return List.of(name.split("/", -1)).stream()
                    .map(part -> part.isEmpty() ? EMPTY : super.nodeName(part))
                    .toList();
        }

        @Override
        void createParents(TextbookSession session, String name) throws KeeperException {
            session.createIfMissing(root, CreateMode.PERSISTENT);
            String path = root;
            for (String node : nodes(name)) {
                path += "/" + node;
                session.createIfMissing(path, CreateMode.CONTAINER);
            }
        }

        @Override
        boolean isClaim(String name, String child) {
            return true;
        }

        @Override
        Comparator<String> order() {
            return Comparator.comparing(node -> node.substring(node.lastIndexOf(BEFORE_NUMBER) + 1));
        }
    }

    private static final class Dots extends TextbookProvider {
        Dots(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        String nodeName(String name) {
            return super.nodeName(name).replace("%2e", ".");
        }
    }

    private static final class AsciiOnly extends TextbookProvider {
        private static final int ASCII = 0x80;

        AsciiOnly(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        String nodeName(String name) {
            return name.chars().mapToObj(c -> part((char) c)).collect(Collectors.joining());
        }

        private String part(char c) {
            String plain = String.valueOf(c);
            return c < ASCII ? super.nodeName(plain) : plain;
        }
    }

    private static final class Normalized extends TextbookProvider {
        Normalized(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        String nodeName(String name) {
            return super.nodeName(Normalizer.normalize(name, Normalizer.Form.NFC));
        }
    }

    private static final class Latin extends TextbookProvider {
        Latin(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        String nodeName(String name) {
            byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
            return super.nodeName(new String(bytes, StandardCharsets.ISO_8859_1));
        }
    }

    private static final class Hashed extends TextbookProvider {
        private static final int KEPT = 100;

        Hashed(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        String nodeName(String name) {
            return name.length() <= KEPT
                    ? super.nodeName(name)
                    : super.nodeName(name.substring(0, KEPT)) + "%-" + Integer.toHexString(name.hashCode());
        }
    }

    private static final class Flat extends TextbookProvider {
        Flat(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        String lockPath(String name) {
            return root;
        }

        @Override
        boolean isClaim(String name, String child) {
            return child.startsWith(nodeName(name) + "-");
        }

        @Override
        String beginOfNode(ClaimRequest request) {
            return nodeName(request.name()) + "-" + super.beginOfNode(request);
        }
    }

    private static final class ByOwner extends TextbookProvider {
        ByOwner(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        String beginOfNode(ClaimRequest request) {
            return nodeName(request.ownerId()) + BEFORE_NUMBER;
        }
    }

    private static final class PrefixDeleter extends TextbookClaim {
        PrefixDeleter(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        boolean delete(TextbookSession session, String own) throws KeeperException {
            boolean deleted = false;
            for (String path : session.await(ephemerals(session, provider.lockPath(name())))) {
                deleted |= session.delete(path) && path.equals(pathOf(own));
            }
            return deleted;
        }

        private static CompletableFuture<List<String>> ephemerals(TextbookSession session, String prefix) {
            CompletableFuture<List<String>> reply = new CompletableFuture<>();
            session.client.getEphemerals(
                    prefix,
                    (code, context, paths) -> {
                        if (code == Code.OK.intValue()) {
                            reply.complete(paths);
                        } else {
                            reply.completeExceptionally(KeeperException.create(Code.get(code), prefix));
                        }
                    },
                    null);
            return reply;
        }
    }
}
