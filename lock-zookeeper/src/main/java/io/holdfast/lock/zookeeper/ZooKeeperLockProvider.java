package io.holdfast.lock.zookeeper;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.zookeeper.Session.Children;
import io.holdfast.lock.zookeeper.Session.NodeContent;
import io.holdfast.lock.zookeeper.ZooKeeperClaim.Events;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.data.ACL;

/**
 * Locks in a ZooKeeper ensemble. Thread-safe.
 *
 * <p>An application without a Curator client opens {@code LockClient.connect("zookeeper://host")} and never sees this
 * class. One that has builds a provider over it: {@code LockClient.builder(ZooKeeperLockProvider.over(curator).build())}.
 *
 * <p>A lock lasts as long as the session of its client, whatever lease time was asked for. All locks of a client share that
 * session, and its time-out takes the place of the lease. A lock and Curator's {@code InterProcessMutex} on the same path
 * exclude each other.
 */
public final class ZooKeeperLockProvider implements LockProvider {

    /** They take one request, but for nodes that are not watched: see {@link RenewalRound}. */
    private static final int RENEWAL_BATCH = 10_000;

    private static final LockCapabilities CAPABILITIES = LockCapabilities.BASIC
            .withFencing(Fencing.STRICT)
            .withOrdering(Ordering.FIFO)
            .withWakeUp(WakeUp.PUSH)
            .withLeaseControl(LeaseControl.SESSION);

    /** The holder may leave between the read of the queue and that of its node. */
    private static final int READS = 10;

    private final Sessions sessions;
    private final LockPaths paths;
    private final TokenOffset offset;
    private final NodeCreation creation;
    private final TokenRaiser raiser;
    private final Events events;
    private final NodeRegistry registry;

    ZooKeeperLockProvider(Sessions sessions, LockPaths paths, List<ACL> acl) {
        this.sessions = sessions;
        this.paths = paths;
        this.offset = new TokenOffset(paths);
        this.creation = new NodeCreation(acl, offset);
        this.raiser = new TokenRaiser(paths, creation);
        this.events = new Events(new PredecessorWatches(), new SessionLosses(sessions));
        this.registry = new NodeRegistry(sessions.curator());
    }

    /**
     * Starts to build a provider over a Curator client that the application has already. The provider never closes it.
     *
     * <p>Connection, session time-out, connection time-out, namespace and credentials are the client's. Its retry policy has no
     * effect on calls. It applies to the nodes that the client deletes in the background, after the provider was closed or a
     * session has ended.
     *
     * @param curator the client, started
     * @return a builder
     */
    public static Builder over(CuratorFramework curator) {
        return new Builder(Objects.requireNonNull(curator, "curator"));
    }

    @Override
    public LockCapabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public int renewalBatch() {
        return RENEWAL_BATCH;
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(signals, "signals");
        return new ZooKeeperClaim(request, signals, nodesOf(request), sessions, events);
    }

    OwnNodes nodesOf(ClaimRequest request) {
        return new OwnNodes(request, paths.lock(request.name()), creation, registry);
    }

    /**
     * Who holds a lock now. Its time is known if the holder is known not to have waited.
     *
     * @param name the name of the lock
     * @return the holder, also one that holds the lock by Curator's {@code InterProcessMutex}: it is shown by the name of its
     *     node
     */
    @Override
    public Optional<LockHolder> holder(String name) {
        String lock = paths.lock(DistributedLock.requireValidName(name));
        Session session = sessions.connected("holder", name);
        for (int read = 0; read < READS; read++) {
            // The client's server, also the leader, may not know yet what another one has
            // answered: a grant, or a release.
            Reply<Boolean> proof = session.prove(lock);
            RequestResult<Children> children = session.children(lock).await();
            // It does not matter whether the lock's node exists, only that the leader has answered.
            proof.await().wasThere("holder", name);
            Optional<String> first = ClaimQueue.of(children, "holder", name).first();
            if (first.isEmpty()) {
                return Optional.empty();
            }
            RequestResult<NodeContent> node =
                    session.read(lock + "/" + first.get(), null).await();
            if (!node.isMissing()) {
                NodeContent found = node.orThrow("holder", name);
                return Optional.of(HolderRecord.read(
                        first.get(), found.text(), found.stat(), children.get().parent()));
            }
        }
        throw new LockStoreException(
                "ZooKeeper: holder of lock '" + name + "' failed: it changed faster than it could be read");
    }

    /**
     * As {@link LockProvider#highestToken}; of all names below the base path. Never 0, as the ensemble counts all that happens in
     * it.
     */
    @Override
    public long highestToken() {
        return raiser.highest(sessions);
    }

    /** As {@link LockProvider#raiseTokens}; for all names below the base path. */
    @Override
    public void raiseTokens(long above) {
        raiser.raise(sessions, above);
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        if (claims.isEmpty()) {
            return List.of();
        }
        List<ZooKeeperClaim> ours =
                claims.stream().map(ZooKeeperClaim.class::cast).toList();
        return new RenewalRound(sessions.connected(renewalOf(ours))).of(ours);
    }

    private static String renewalOf(List<ZooKeeperClaim> claims) {
        String first = RenewalRound.RENEWAL + " of lock '" + claims.get(0).name() + "'";
        return claims.size() == 1
                ? first
                : first + " and " + (claims.size() - 1) + " more, such as '"
                        + claims.get(1).name() + "'";
    }

    Sessions sessions() {
        return sessions;
    }

    PredecessorWatches watches() {
        return events.watches();
    }

    SessionLosses losses() {
        return events.losses();
    }

    NodeRegistry registry() {
        return registry;
    }

    @Override
    public void close() {
        events.losses().close();
        sessions.close();
        events.watches().close();
        offset.close();
        registry.close();
    }

    @Override
    public String toString() {
        return "ZooKeeperLockProvider[basePath=" + paths.base() + "]";
    }

    /** Builds a {@link ZooKeeperLockProvider} over a given client. Not thread-safe. */
    public static final class Builder {
        private final CuratorFramework curator;
        private LockPaths paths = new LockPaths(LockPaths.DEFAULT_BASE);
        private List<ACL> acl = Acls.OPEN;

        private Builder(CuratorFramework curator) {
            this.curator = curator;
        }

        /**
         * Sets the path of the locks.
         *
         * @param path the path below which each lock has a node, inside the client's namespace; {@code /holdfast} if it is not
         *     set
         * @return this builder
         * @throws LockConfigurationException if it is no path, or {@code /}
         */
        public Builder basePath(String path) {
            this.paths = new LockPaths(Objects.requireNonNull(path, "path"));
            return this;
        }

        /**
         * Sets the permissions of the nodes that the provider creates. Clients of a lock need to create, read and delete, and
         * to write once the tokens were raised.
         *
         * @param permissions the access control list; open to everybody if it is not set
         * @return this builder
         * @throws LockConfigurationException if it is empty
         */
        public Builder acl(List<ACL> permissions) {
            this.acl = List.copyOf(Objects.requireNonNull(permissions, "permissions"));
            if (acl.isEmpty()) {
                throw new LockConfigurationException("The access control list is empty; allowed is at least one entry");
            }
            return this;
        }

        /**
         * Makes the provider. No I/O.
         *
         * @return the provider
         * @throws LockConfigurationException if the client is not started, or of a version that is too old
         */
        public ZooKeeperLockProvider build() {
            LibraryVersion.requireSupported();
            if (curator.getState() != CuratorFrameworkState.STARTED) {
                throw new LockConfigurationException(
                        "The CuratorFramework is " + curator.getState() + "; allowed is one that is STARTED");
            }
            return new ZooKeeperLockProvider(new Sessions(curator, false), paths.below(curator.getNamespace()), acl);
        }
    }
}
