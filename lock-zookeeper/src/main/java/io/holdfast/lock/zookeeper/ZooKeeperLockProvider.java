package io.holdfast.lock.zookeeper;

import io.holdfast.lock.ApiStatus;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockNames;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.zookeeper.Session.Node;
import io.holdfast.lock.zookeeper.ZooKeeperClaim.News;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.data.ACL;

/**
 * Locks in a ZooKeeper ensemble. Thread-safe.
 *
 * <p>An application that has no Curator client of its own opens {@code LockClient.connect("zookeeper://host")} and never sees this
 * class. One that has builds a provider over it: {@code LockClient.builder(ZooKeeperLockProvider.over(curator).build())}.
 *
 * <p>A lock lasts as long as the session of its client, whatever lease time was asked for. All locks of a client share that
 * session, and its time-out takes the place of the lease. A lock and Curator's {@code InterProcessMutex} on the same path
 * exclude each other.
 */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public final class ZooKeeperLockProvider implements LockProvider {

    /** So many questions go out together: enough to make round trips rare, few enough not to hold up other requests. */
    private static final int RENEWAL_BATCH = 200;

    private static final LockCapabilities CAPABILITIES = LockCapabilities.BASIC
            .withFencing(Fencing.STRICT)
            .withOrdering(Ordering.FIFO)
            .withWakeUp(WakeUp.PUSH)
            .withLeaseControl(LeaseControl.SESSION);

    /** A holder may leave between the look at the line and the look at the first in it. */
    private static final int LOOKS = 10;

    private final Sessions sessions;
    private final LockPaths paths;
    private final NodeCreation bids;
    private final News news;
    private final ClaimNodes leftovers;

    ZooKeeperLockProvider(Sessions sessions, LockPaths paths, List<ACL> acl) {
        this.sessions = sessions;
        this.paths = paths;
        this.bids = new NodeCreation(acl);
        this.news = new News(new PredecessorWatches(), new Losses(sessions));
        this.leftovers = new ClaimNodes(sessions.curator());
    }

    /**
     * Starts to build a provider over a Curator client that the application has already. The provider never closes it.
     *
     * <p>Connection, session time-out, connection time-out, namespace and credentials are the client's. Its retry policy has no
     * effect on calls. It governs what the client deletes in the background: the nodes that are left when the provider is closed,
     * or when a session has ended.
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
        return new ZooKeeperClaim(request, signals, nodesOf(request), sessions, news);
    }

    OwnNodes nodesOf(ClaimRequest request) {
        return new OwnNodes(request, paths.lock(request.name()), bids, leftovers);
    }

    /**
     * Who holds a lock now. Its time is that of the bid, which is when the holder came into line.
     *
     * @param name the name of the lock
     * @return the holder, also one that holds the lock by Curator's {@code InterProcessMutex}: it is shown by the name of its node
     */
    @Override
    public Optional<LockHolder> holder(String name) {
        String lock = paths.lock(LockNames.requireValid(name));
        Session session = sessions.connected("holder", name);
        for (int look = 0; look < LOOKS; look++) {
            // The client's server may be behind the leader, and not know of a grant or a release that was answered
            // already.
            Reply<Boolean> caughtUp = session.catchUp(lock);
            RequestResult<List<String>> children = session.children(lock).await();
            caughtUp.await().orThrow("holder", name);
            if (children.isMissing()) {
                return Optional.empty();
            }
            Optional<String> first =
                    ClaimQueue.of(children.orThrow("holder", name)).first();
            if (first.isEmpty()) {
                return Optional.empty();
            }
            RequestResult<Node> node =
                    session.read(lock + "/" + first.get(), null).await();
            if (!node.isMissing()) {
                Node found = node.orThrow("holder", name);
                return Optional.of(HolderRecord.read(first.get(), found.text(), found.stat()));
            }
        }
        throw new LockStoreException(
                "ZooKeeper: holder of lock '" + name + "' failed: it changed faster than it could be read");
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
        return news.watches();
    }

    Losses losses() {
        return news.losses();
    }

    ClaimNodes leftovers() {
        return leftovers;
    }

    @Override
    public void close() {
        news.losses().close();
        sessions.close();
        news.watches().close();
        leftovers.close();
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
         * Sets where the locks are.
         *
         * @param path the path below which each lock has a node, inside the client's namespace; {@code /holdfast} if it is not set
         * @return this builder
         * @throws LockConfigurationException if it is no path, or {@code /}
         */
        public Builder basePath(String path) {
            this.paths = new LockPaths(Objects.requireNonNull(path, "path"));
            return this;
        }

        /**
         * Sets who may do what with the nodes that the provider makes. Clients of a lock need to create, read and delete.
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
