package io.holdfast.lock.redisson;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redisson.ScriptBatch.Outcome;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.redisson.api.RedissonClient;

/**
 * Locks that exclude Redisson's {@code RLock} and {@code RFencedLock} of the same name, and are excluded by them; a release on
 * either side wakes waiters on the other. Thread-safe.
 *
 * <p>An application has a {@link RedissonClient} already, and builds a provider over it:
 * {@code LockClient.builder(RedissonLockProvider.over(redisson).build())}. One that has none opens
 * {@code LockClient.connect("redisson://host")} and never sees this class.
 *
 * <p>Making a provider does no I/O: a server that cannot be reached shows at the first use, as a {@link LockStoreException}. A
 * claim is acquired, renewed and released in one round trip each, and no call is ever sent twice.
 */
public final class RedissonLockProvider implements LockProvider {

    /** Renewals per pipeline: enough to make round trips rare, few enough not to stall the server. */
    private static final int RENEWAL_BATCH = 500;

    private static final int FULL_RECORD = 6;

    private final RedissonClient redisson;
    private final Ownership ownership;
    private final Layout layout;
    private final LockNaming naming;
    private final ScriptExecutor calls;
    private final ScriptBatch batches;
    private final LockCapabilities capabilities;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Queue<TopicFeed> feeds = new ConcurrentLinkedQueue<>();

    private RedissonLockProvider(
            RedissonClient redisson, Ownership ownership, Layout layout, ScriptExecutor.Limits limits) {
        this.redisson = redisson;
        this.ownership = ownership;
        this.layout = layout;
        this.naming = LockNaming.of(redisson.getConfig(), layout);
        this.calls = new ScriptExecutor(redisson, limits);
        this.batches = new ScriptBatch(redisson, naming.topology(), calls, limits);
        this.capabilities = LockCapabilities.BASIC
                .withFencing(layout == Layout.FENCED ? Fencing.VOLATILE : Fencing.CLOCKED)
                .withWakeUp(naming.topic("any").isPresent() ? WakeUp.PUSH : WakeUp.POLL);
    }

    /** Which of Redisson's locks the provider's locks correspond to. All four exclude each other. */
    public enum Layout {
        /** {@code RLock}, which has no tokens: they come from the provider's counter. The default. */
        LOCK,
        /** {@code RFencedLock}: tokens come from its counter, so that its users and the provider's share one order. */
        FENCED
    }

    private enum Ownership {
        GIVEN,
        OWN
    }

    static RedissonLockProvider owning(RedissonClient redisson, Layout layout, ScriptExecutor.Limits limits) {
        return new RedissonLockProvider(redisson, Ownership.OWN, layout, limits);
    }

    /**
     * Starts to build a provider over a Redisson client that the application has already. The provider never closes it.
     *
     * <p>Servers, database, credentials, connections, name mapper and threads are the client's; so is its watchdog, which the
     * provider's claims never run. Its time-outs and retries have no effect on the provider.
     *
     * @param redisson the client
     * @return a builder
     * @throws LockConfigurationException if this version of Redisson is not supported
     */
    public static Builder over(RedissonClient redisson) {
        RedissonVersion.requireSupported();
        return new Builder(Objects.requireNonNull(redisson, "redisson"));
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
        return new RedissonClaim(calls, naming, redisson.getId(), request);
    }

    @Override
    public Optional<ReleaseFeed> releases(ReleaseFeed.Listener listener) {
        Objects.requireNonNull(listener, "listener");
        if (capabilities.wakeUp() == WakeUp.POLL) {
            return Optional.empty();
        }
        TopicFeed feed = new TopicFeed(
                name -> naming.topic(naming.lock(name)).map(topic -> ChannelListener.to(topic, name, redisson)),
                listener);
        feeds.add(feed);
        return Optional.of(feed);
    }

    /**
     * Who holds a lock now.
     *
     * @param name the name of the lock
     * @return the holder; a holder of one of Redisson's own locks is shown by the ids of its client and thread only
     */
    @Override
    public Optional<LockHolder> holder(String name) {
        String key = naming.lock(DistributedLock.requireValidName(name));
        List<String> reply = calls.run(new LockScriptCall("holder", name, LockScript.HOLDER, List.of(key), List.of()));
        if (reply.isEmpty()) {
            return Optional.empty();
        }
        if (reply.size() < FULL_RECORD) {
            return Optional.of(LockHolder.of(reply.get(0)));
        }
        try {
            return Optional.of(LockHolder.of(reply.get(0))
                    .withHost(reply.get(1))
                    .withPid(Long.parseLong(reply.get(2)))
                    .withThread(reply.get(3))
                    .withSince(Instant.ofEpochMilli(Long.parseLong(reply.get(4))))
                    .withFencingToken(new FencingToken(Long.parseLong(reply.get(5)))));
        } catch (IllegalArgumentException tampered) {
            throw new LockStoreException(
                    "The record of lock '" + name + "' in Redis was changed by another program", tampered);
        }
    }

    /**
     * A number that no token of layout {@code lock} exceeds which locks have had in this database, or cluster. It is the server's
     * clock at least: a counter may have been lost with the server's data.
     *
     * @throws io.holdfast.lock.UnsupportedCapabilityException in layout {@code fenced}, where users of {@code RFencedLock} have
     *     tokens of other counters; and in a cluster with a name mapper that adds braces
     */
    @Override
    public long highestToken() {
        return counters().highest();
    }

    /**
     * As {@link LockProvider#raiseTokens}, for all clients of this database, or cluster, except {@code RFencedLock}.
     *
     * @throws io.holdfast.lock.UnsupportedCapabilityException as {@link #highestToken()}
     * @throws LockConfigurationException if the number is above 9,007,199,254,740,990, which is 2<sup>53</sup> - 2
     */
    @Override
    public void raiseTokens(long above) {
        counters().raise(above);
    }

    private TokenCounters counters() {
        return new TokenCounters(naming, batches);
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        if (claims.isEmpty()) {
            return List.of();
        }
        List<RedissonClaim> ours =
                claims.stream().map(RedissonClaim.class::cast).toList();
        List<Outcome> outcomes =
                batches.run(ours.stream().map(RedissonClaim::renewCall).toList());
        List<Renewal> renewals = new ArrayList<>(ours.size());
        for (int i = 0; i < ours.size(); i++) {
            Outcome outcome = outcomes.get(i);
            RedissonClaim claim = ours.get(i);
            renewals.add(outcome.failure()
                    .<Renewal>map(Renewal.Unknown::new)
                    .orElseGet(() -> claim.renewal(outcome.reply())));
        }
        return renewals;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        // Redisson's shutdown swallows it.
        boolean interrupted = Thread.currentThread().isInterrupted();
        calls.close();
        CompletableFuture<Void> unsubscribed =
                CompletableFuture.allOf(feeds.stream().map(TopicFeed::close).toArray(CompletableFuture[]::new));
        try {
            if (ownership == Ownership.OWN) {
                OwnClient.shutdown(redisson);
            } else {
                calls.await("close", unsubscribed);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String toString() {
        return "RedissonLockProvider[layout=" + layout + ", client=" + redisson.getId() + "]";
    }

    /** Builds a {@link RedissonLockProvider} over a given client. Not thread-safe. */
    public static final class Builder {
        private final RedissonClient redisson;
        private Layout layout = Layout.LOCK;
        private Duration timeout = ScriptExecutor.Limits.DEFAULT_TIMEOUT;

        private Builder(RedissonClient redisson) {
            this.redisson = redisson;
        }

        /**
         * Sets which of Redisson's locks the locks correspond to.
         *
         * @param chosen the layout; {@link Layout#LOCK} if it is not set
         * @return this builder
         */
        public Builder layout(Layout chosen) {
            this.layout = Objects.requireNonNull(chosen, "chosen");
            return this;
        }

        /**
         * Sets how long to wait for a connection, and for each answer of the server. The time-outs of the client, and its
         * retries, have no effect on the provider.
         *
         * @param limit 1 ms to 10 minutes; 2 s if it is not set. Keep it well below a third of the lease
         * @return this builder
         * @throws LockConfigurationException if the time is not allowed
         */
        public Builder timeout(Duration limit) {
            Objects.requireNonNull(limit, "limit");
            if (limit.compareTo(ScriptExecutor.Limits.LEAST_TIMEOUT) < 0
                    || limit.compareTo(ScriptExecutor.Limits.MOST_TIMEOUT) > 0) {
                throw new LockConfigurationException("The timeout is " + limit + "; allowed are 1 ms to 10 minutes");
            }
            this.timeout = limit;
            return this;
        }

        /**
         * Makes the provider. No I/O.
         *
         * @return the provider
         */
        public RedissonLockProvider build() {
            return new RedissonLockProvider(
                    redisson,
                    Ownership.GIVEN,
                    layout,
                    new ScriptExecutor.Limits(timeout, timeout, new RedissonFailures("The given Redisson client", "")));
        }
    }
}
