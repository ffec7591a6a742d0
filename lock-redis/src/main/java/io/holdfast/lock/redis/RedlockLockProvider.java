package io.holdfast.lock.redis;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.QuorumNode.Place;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import redis.clients.jedis.Connection;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.util.Pool;

/**
 * Locks on a majority of independent Redis servers, by the algorithm
 * <a href="https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/">Redlock</a>. Thread-safe.
 *
 * <p>Of {@code N} servers, any {@code (N - 1) / 2} may be down, silent, slow or wrong; locks are granted at the speed of the
 * majority. Every operation asks all servers in parallel, one request each. No server is a replica of another one, and no data go
 * from one to another.
 *
 * <p>Making a provider does no I/O. Two servers that turn out to be one are refused at the first use, as a
 * {@link LockStoreException}.
 */
public final class RedlockLockProvider implements LockProvider {

    /** Renewals per round, so that a server answers them within its time-out. */
    private static final int RENEWAL_BATCH = 100;

    private static final int FEWEST_SERVERS = 3;

    private final Quorum quorum;
    private final KeySpace keys;
    private final LockCapabilities capabilities;
    private final Duration quietLimit;
    private final Queue<QuorumFeed> feeds = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    RedlockLockProvider(Quorum quorum, KeySpace keys, Duration quietLimit) {
        this.quorum = quorum;
        this.keys = keys;
        this.quietLimit = quietLimit;
        this.capabilities = LockCapabilities.BASIC
                .withFencing(quorum.options().durable() ? Fencing.STRICT : Fencing.CLOCKED)
                .withWakeUp(WakeUp.PUSH);
    }

    /**
     * Starts to build a provider over Jedis clients that the application has already, each for one server: {@code RedisClient}s,
     * or {@code JedisPooled}s of Jedis 6 or 7. The provider never closes them.
     *
     * <p>The provider keeps one connection of each client's pool for its calls, and one more while claims wait.
     *
     * @param clients the clients, an odd number, at least three
     * @return a builder
     * @throws LockConfigurationException if there are fewer, or an even number of them, one is another kind of client, or Jedis
     *     is too old
     */
    public static Builder over(List<? extends UnifiedJedis> clients) {
        requireQuorum(Objects.requireNonNull(clients, "clients").size());
        JedisVersion.requireSupported();
        return new Builder(clients.stream().map(GivenClient::poolOfOneServer).toList());
    }

    /**
     * Two of three, or three of five: a further server that makes the number even adds a failure that it does not make up for.
     */
    static void requireQuorum(int servers) {
        if (servers < FEWEST_SERVERS || servers % 2 == 0) {
            throw new LockConfigurationException(
                    "The servers of Redlock are " + servers + "; allowed is an odd number, at least " + FEWEST_SERVERS
                            + ": fewer tolerate no failure, and an even number tolerates no more failures than one server fewer");
        }
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
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(signals, "signals");
        keys.lockKey(request.name());
        quorum.options().requireValid(request.leaseTime());
        return new RedlockClaim(quorum, keys, request, signals);
    }

    @Override
    public Optional<ReleaseFeed> releases(ReleaseFeed.Listener listener) {
        Objects.requireNonNull(listener, "listener");
        QuorumFeed feed = new QuorumFeed(quorum, keys, listener, quietLimit);
        feeds.add(feed);
        return Optional.of(feed);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return HolderCall.of(quorum, keys, DistributedLock.requireValidName(name));
    }

    /**
     * A number that no token exceeds which the prefix has had on these servers. It is the highest of their clocks at least: a
     * counter may have been lost with a server's data.
     */
    @Override
    public long highestToken() {
        return CounterCall.highest(quorum, keys);
    }

    /**
     * As {@link LockProvider#raiseTokens}, on a majority of the servers, for all clients of the prefix.
     *
     * @throws LockConfigurationException if the number is above 9,007,199,254,740,990, which is 2<sup>53</sup> - 2
     */
    @Override
    public void raiseTokens(long above) {
        CounterCall.raise(quorum, keys, above);
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return RedlockClaim.renewAll(quorum, claims);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                feeds.forEach(QuorumFeed::close);
            } finally {
                quorum.close();
            }
        }
    }

    @Override
    public String toString() {
        return "RedlockLockProvider[servers=" + quorum.size() + ", prefix=" + keys.prefix() + "]";
    }

    /** Builds a {@link RedlockLockProvider} over given clients. Not thread-safe. */
    public static final class Builder {
        private final List<Pool<Connection>> pools;
        private KeySpace keys = new KeySpace(KeySpace.DEFAULT_PREFIX);
        private RedlockOptions options = RedlockOptions.USUAL;

        private Builder(List<Pool<Connection>> pools) {
            this.pools = pools;
        }

        /**
         * Sets what all keys begin with.
         *
         * @param prefix the prefix, 0 to 256 characters; {@code holdfast:} if it is not set
         * @return this builder
         * @throws LockConfigurationException if the prefix is not allowed
         */
        public Builder prefix(String prefix) {
            this.keys = new KeySpace(Objects.requireNonNull(prefix, "prefix"));
            return this;
        }

        /**
         * Sets how long a server may take for an answer before it counts as one that has none.
         *
         * @param timeout 1 ms to 1 minute; 1 second if it is not set
         * @return this builder
         * @throws LockConfigurationException if it is out of range
         */
        public Builder timeout(Duration timeout) {
            options = options.withTimeout(Objects.requireNonNull(timeout, "timeout"));
            return this;
        }

        /**
         * Sets how much of a lease is not counted on, as the servers' clocks may run faster than this one.
         *
         * @param percent of the lease, 0 to 50; 1 if it is not set
         * @param constant 0 ms to 1 minute; 2 ms if it is not set
         * @return this builder
         * @throws LockConfigurationException if one is out of range
         */
        public Builder drift(int percent, Duration constant) {
            options = options.withDrift(percent, Objects.requireNonNull(constant, "constant"));
            return this;
        }

        /**
         * Sets the longest lease that any client of these servers asks for. A server that was started takes no part for that time
         * and a second more, as it may have forgotten locks and tokens; one whose clock was set forward for that time, as it has
         * ended leases too early.
         *
         * @param lease 1 ms to 365 days; 1 minute if it is not set
         * @return this builder
         * @throws LockConfigurationException if it is out of range
         */
        public Builder longestLease(Duration lease) {
            options = options.withLongestLease(Objects.requireNonNull(lease, "lease"));
            return this;
        }

        /**
         * Says that each server writes everything to its disk before it answers: {@code appendonly yes} and
         * {@code appendfsync always}. A server that was started takes part at once then, and tokens are {@code STRICT}. Checked
         * where the user may read the configuration.
         *
         * @return this builder
         */
        public Builder durable() {
            options = options.asDurable();
            return this;
        }

        /**
         * Makes the provider. No I/O.
         *
         * @return the provider
         */
        public RedlockLockProvider build() {
            List<Place> places = new ArrayList<>();
            for (Pool<Connection> pool : pools) {
                String address = "the server of given client " + (places.size() + 1);
                GivenClient.warnIfTooSmall(pool);
                places.add(new Place(
                        address,
                        pool::getResource,
                        RedisFailures.ofGiven(address, pool.getMaxTotal(), ClientUse.LOCKS)));
            }
            return new RedlockLockProvider(Quorum.of(places, options), keys, ReleaseMessages.QUIET_LIMIT);
        }
    }
}
