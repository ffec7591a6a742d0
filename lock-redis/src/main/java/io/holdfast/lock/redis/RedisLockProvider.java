package io.holdfast.lock.redis;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.FeedTarget.Reach;
import io.holdfast.lock.redis.LockScripts.Way;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import redis.clients.jedis.UnifiedJedis;

/**
 * Locks in one Redis server, in the master that sentinels name, or in a Redis cluster. Thread-safe.
 *
 * <p>An application that has no Jedis client of its own opens {@code LockClient.connect("redis://host")} and never sees this
 * class. One that has builds a provider over it: {@code LockClient.builder(RedisLockProvider.over(jedis).build())}.
 *
 * <p>Making a provider does no I/O: a server that cannot be reached, or a password that is wrong, shows at the first use, as
 * a {@link LockStoreException}. A claim is acquired, renewed and released in one round trip each. A claim that waits hears
 * by a message on one further connection, which is opened when the first claim has to wait: in layout {@link Layout#HASH} that
 * the release has granted it the lock, in layout {@link Layout#STRING} that the lock may be free.
 */
public final class RedisLockProvider implements LockProvider {

    /** Renewals per pipeline: enough to make round trips rare, few enough not to stall the server. */
    private static final int RENEWAL_BATCH = 500;

    private final ScriptRunner runner;
    private final KeySpace keys;
    private final LockScripts scripts;
    private final Confirmation confirmation;
    private final LockCapabilities capabilities;
    private final Duration quietLimit;
    private final PushedGrants pushes = new PushedGrants();
    private final Queue<RedisFeed> feeds = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    RedisLockProvider(ScriptRunner runner, Layout layout, KeySpace keys, Duration quietLimit) {
        this(runner, layout, keys, Confirmation.NONE, quietLimit);
    }

    RedisLockProvider(
            ScriptRunner runner, Layout layout, KeySpace keys, Confirmation confirmation, Duration quietLimit) {
        this.confirmation = confirmation;
        this.runner = runner;
        this.keys = runner.in(keys);
        this.scripts = LockScripts.of(layout);
        this.quietLimit = quietLimit;
        this.capabilities = LockCapabilities.BASIC
                .withFencing(Fencing.CLOCKED)
                .withOrdering(scripts.way() == Way.LINE ? Ordering.FIFO : Ordering.NONE)
                .withWakeUp(WakeUp.PUSH)
                .withReentrancy(layout == Layout.HASH ? Reentrancy.STORE : Reentrancy.CLIENT);
    }

    /** How a lock is stored in Redis. All clients of a lock have to use the same layout. */
    public enum Layout {
        /** A hash with the owner and one field for each claim: an owner re-enters from other clients, too. The default. */
        HASH,
        /** One string, set by {@code SET NX PX}: excludes other programs that take the same key in this common way. */
        STRING
    }

    /**
     * Starts to build a provider over a Jedis client that the application has already: a {@code RedisClient}, {@code
     * RedisSentinelClient} or {@code RedisClusterClient}, in Jedis 6 and 7 a {@code JedisPooled} or {@code JedisSentineled}, or a
     * {@code JedisCluster}. The provider never closes it.
     *
     * <p>The provider borrows connections from the client's pool, in a cluster from that of each node: one for the time of each
     * call, and one for as long as claims wait. The pool therefore needs at least two, besides those that the application uses
     * itself: a renewal that finds none free until the lease ends loses the lock. A warning is logged for a pool of one.
     * Time-outs, database and credentials are the client's. The client's own retries and its key prefix have no effect on the
     * provider.
     *
     * @param client the client
     * @return a builder
     * @throws io.holdfast.lock.LockConfigurationException if it is another kind of client, or Jedis is too old
     */
    public static Builder over(UnifiedJedis client) {
        Objects.requireNonNull(client, "client");
        JedisVersion.requireSupported();
        return new Builder(GivenClient.runnerForLocks(client));
    }

    @Override
    public LockCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public int renewalBatch() {
        return RENEWAL_BATCH;
    }

    @Override
    public Object renewalGroup(Claim claim) {
        return runner.placeOf(((RedisClaim) claim).calls().renewal());
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(signals, "signals");
        keys.lockKey(request.name());
        return new RedisClaim(this, request);
    }

    @Override
    public Optional<ReleaseFeed> releases(ReleaseFeed.Listener listener) {
        Objects.requireNonNull(listener, "listener");
        FeedTarget target = scripts.way() == Way.LINE
                ? new FeedTarget(keys, Reach.NEXT, this::channel, pushes::received, listener, quietLimit)
                : FeedTarget.ofReleases(keys, listener, quietLimit);
        RedisFeed feed = runner.releases(target);
        feeds.add(feed);
        return Optional.of(feed);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        ScriptCall call = scripts.holderCall(keys, DistributedLock.requireValidName(name));
        return SecondTry.of(() -> runner.run(call, reply -> LockScripts.holder(reply.value(), name)));
    }

    /**
     * A number that no token exceeds which the prefix has had in this database, or cluster. It is the server's clock at least: a
     * counter may have been lost with the server's data.
     */
    @Override
    public long highestToken() {
        return counters().highest();
    }

    /**
     * As {@link LockProvider#raiseTokens}, for all clients of the prefix in this database, or cluster.
     *
     * @throws io.holdfast.lock.LockConfigurationException if the number is above 9,007,199,254,740,990, which is 2<sup>53</sup> -
     *     2
     */
    @Override
    public void raiseTokens(long above) {
        counters().raise(above);
    }

    /** As {@link LockProvider#raiseTokens(String, long)}, with one request also in a cluster. */
    @Override
    public void raiseTokens(String name, long above) {
        counters().raise(DistributedLock.requireValidName(name), above);
    }

    private FencingCounters counters() {
        return new FencingCounters(runner, keys, confirmation);
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return new BatchRenewal(
                        this, claims.stream().map(RedisClaim.class::cast).toList())
                .run();
    }

    /** Where this client hears that one of its claims was granted a lock. */
    String channel(String name) {
        return keys.channel(name, pushes.client());
    }

    PushedGrants pushes() {
        return pushes;
    }

    ScriptRunner runner() {
        return runner;
    }

    Confirmation confirmation() {
        return confirmation;
    }

    LockScripts scripts() {
        return scripts;
    }

    KeySpace keys() {
        return keys;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            runner.patience().end();
            try {
                feeds.forEach(RedisFeed::close);
            } finally {
                closeConnections();
            }
        }
    }

    /** Commons Pool swallows an interrupt of the thread that closes the last pool of the JVM. */
    private void closeConnections() {
        try (KeptInterrupt interrupt = new KeptInterrupt()) {
            interrupt.take();
            runner.close();
        }
    }

    @Override
    public String toString() {
        return "RedisLockProvider[prefix=" + keys.prefix() + ", reentrancy=" + capabilities.reentrancy() + "]";
    }

    /** Builds a {@link RedisLockProvider} over a given client. Not thread-safe. */
    public static final class Builder {
        private final Supplier<ScriptRunner> runner;
        private Layout layout = Layout.HASH;
        private KeySpace keys = new KeySpace(KeySpace.DEFAULT_PREFIX);
        private Confirmation confirmation = Confirmation.NONE;

        private Builder(Supplier<ScriptRunner> runner) {
            this.runner = runner;
        }

        /**
         * Sets how locks are stored.
         *
         * @param chosen the layout; {@link Layout#HASH} if it is not set
         * @return this builder
         */
        public Builder layout(Layout chosen) {
            this.layout = Objects.requireNonNull(chosen, "chosen");
            return this;
        }

        /**
         * Sets what all keys begin with.
         *
         * @param prefix the prefix, 0 to 256 characters; {@code holdfast:} if it is not set
         * @return this builder
         * @throws io.holdfast.lock.LockConfigurationException if the prefix is not allowed
         */
        public Builder prefix(String prefix) {
            this.keys = new KeySpace(Objects.requireNonNull(prefix, "prefix"));
            return this;
        }

        /**
         * Makes an acquire return only when that many replicas have the grant. If they do not confirm it in time, it is taken
         * back, and the acquire fails with a {@link io.holdfast.lock.LockStoreException}. This makes it unlikely that a fail-over
         * loses a grant, not impossible.
         *
         * @param replicas how many, 0 to 100; 0 if it is not set
         * @param within how long to wait for them, 1 ms to 10 minutes, in whole milliseconds
         * @return this builder
         * @throws io.holdfast.lock.LockConfigurationException if one is out of range
         */
        public Builder confirmedBy(int replicas, Duration within) {
            this.confirmation = new Confirmation(replicas, Objects.requireNonNull(within, "within"));
            return this;
        }

        /**
         * Makes the provider. No I/O.
         *
         * @return the provider
         */
        public RedisLockProvider build() {
            return new RedisLockProvider(runner.get(), layout, keys, confirmation, ReleaseMessages.QUIET_LIMIT);
        }
    }
}
