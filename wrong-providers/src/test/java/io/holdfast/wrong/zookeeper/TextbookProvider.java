package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.wrong.zookeeper.TextbookSession.Node;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.data.Stat;

/**
 * Locks as ZooKeeper's recipe makes them: a queue of ephemeral sequential nodes, of which the first has the lock. Right, as long
 * as no step is overridden. Thread-safe.
 */
class TextbookProvider implements LockProvider {

    /** Between the id of a claim and the number of its node; no id has it. */
    static final char BEFORE_NUMBER = '_';

    /** The order of the queue. The server writes the numbers with ten digits. */
    static final Comparator<String> BY_NUMBER =
            Comparator.comparingInt(child -> Integer.parseInt(child.substring(child.lastIndexOf(BEFORE_NUMBER) + 1)));

    private static final int CLOCK_RATE_DRIFT = 1_000;
    private static final int READS = 10;

    final Connection connection;
    final String root;

    TextbookProvider(Connection connection, String root) {
        this.connection = connection;
        this.root = root;
    }

    /** A step of a call that asks the server. */
    interface Step<T> {
        T in(TextbookSession session) throws KeeperException;
    }

    @Override
    public LockCapabilities capabilities() {
        return LockCapabilities.BASIC
                .withFencing(Fencing.STRICT)
                .withOrdering(Ordering.FIFO)
                .withWakeUp(WakeUp.PUSH)
                .withLeaseControl(LeaseControl.SESSION);
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return claim(request, signals);
    }

    TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
        return new TextbookClaim(this, request, signals);
    }

    /** Makes a call, and turns the failures of the client into one of the store. */
    <T> T call(String operation, String name, Step<T> step) {
        String call = operation + " of lock '" + name + "'";
        try {
            return step.in(connection.connected(call));
        } catch (KeeperException failure) {
            throw new LockStoreException("ZooKeeper: " + call + " failed: " + failure.getMessage(), failure);
        }
    }

    /** The node of a lock, whose children are the queue. */
    String lockPath(String name) {
        return root + "/" + nodeName(name);
    }

    /** A name as one node: what is no letter and no digit of ASCII becomes the numbers of its bytes. */
    String nodeName(String name) {
        StringBuilder node = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain(b)) {
                node.append((char) b);
            } else {
                node.append('%').append(Character.forDigit((b >> 4) & 0xf, 16)).append(Character.forDigit(b & 0xf, 16));
            }
        }
        return node.toString();
    }

    private static boolean isPlain(byte b) {
        return (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z') || b == '-';
    }

    /** Whether a child of a lock's node is a claim for it. */
    boolean isClaim(String name, String child) {
        return child.indexOf(BEFORE_NUMBER) >= 0;
    }

    /** How the node of a claim begins; the number follows. */
    String beginOfNode(ClaimRequest request) {
        return request.claimId() + BEFORE_NUMBER;
    }

    /** The claims for a lock in their order. */
    List<String> queue(TextbookSession session, String name) throws KeeperException {
        return claims(session, name).stream().sorted(order()).toList();
    }

    /** The claims for a lock in no order. */
    List<String> claims(TextbookSession session, String name) throws KeeperException {
        return session.children(lockPath(name)).stream()
                .filter(child -> isClaim(name, child))
                .toList();
    }

    Comparator<String> order() {
        return BY_NUMBER;
    }

    /** Creates a node for a claim at the end of the queue; returns its name. */
    String enqueue(TextbookSession session, ClaimRequest request) throws KeeperException {
        while (true) {
            try {
                return create(session, request);
            } catch (NoNodeException noLockYet) {
                createParents(session, request.name());
            }
        }
    }

    String create(TextbookSession session, ClaimRequest request) throws KeeperException {
        String path = lockPath(request.name()) + "/" + beginOfNode(request);
        String created = session.create(path, record(request), mode());
        return created.substring(created.lastIndexOf('/') + 1);
    }

    CreateMode mode() {
        return CreateMode.EPHEMERAL_SEQUENTIAL;
    }

    void createParents(TextbookSession session, String name) throws KeeperException {
        session.createIfMissing(root, CreateMode.PERSISTENT);
        session.createIfMissing(lockPath(name), CreateMode.CONTAINER);
    }

    /**
     * The token of a grant.
     *
     * @param name the name of the lock
     * @param node the name of the granted node
     * @param stat what the server knows of that
     */
    long token(TextbookSession session, String name, String node, Stat stat) throws KeeperException {
        return stat.getCzxid();
    }

    /** The token of a grant, by all that was read of its node. */
    long tokenOf(TextbookSession session, String name, String node, Node content) throws KeeperException {
        return token(session, name, node, content.stat());
    }

    /** How long a grant or a renewal is good for, from when its request was sent. */
    Duration validity(TextbookSession session, ClaimRequest request) {
        int millis = session.client.getSessionTimeout();
        return Duration.ofMillis(millis - millis / CLOCK_RATE_DRIFT);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        String valid = DistributedLock.requireValidName(name);
        return call("holder", valid, session -> holderIn(session, valid));
    }

    Optional<LockHolder> holderIn(TextbookSession session, String name) throws KeeperException {
        for (int read = 0; read < READS; read++) {
            Optional<String> shown = shown(session, name);
            if (shown.isEmpty()) {
                return Optional.empty();
            }
            Optional<Node> node = session.read(lockPath(name) + "/" + shown.get(), null);
            if (node.isPresent()) {
                return Optional.of(holderOf(node.get(), tokenOf(session, name, shown.get(), node.get())));
            }
        }
        throw new LockStoreException("ZooKeeper: holder of lock '" + name + "' changed faster than it could be read");
    }

    /** Whose node shows the holder. */
    Optional<String> shown(TextbookSession session, String name) throws KeeperException {
        return queue(session, name).stream().findFirst();
    }

    private static String record(ClaimRequest request) {
        return String.join(
                "\n",
                encoded(request.ownerId()),
                encoded(request.claimant().host()),
                Long.toString(request.claimant().pid()),
                encoded(request.claimant().thread()));
    }

    static LockHolder holderOf(Node node, long token) {
        String[] lines = node.text().split("\n", -1);
        return LockHolder.of(decoded(lines[0]))
                .withHost(decoded(lines[1]))
                .withPid(Long.parseLong(lines[2]))
                .withThread(decoded(lines[3]))
                .withSince(Instant.ofEpochMilli(node.stat().getCtime()))
                .withFencingToken(new FencingToken(token));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        connection.close();
    }
}
