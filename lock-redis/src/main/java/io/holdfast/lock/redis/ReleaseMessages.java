package io.holdfast.lock.redis;

import io.holdfast.lock.redis.Requests.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/**
 * Reads the messages of releases: one daemon thread, and one connection while a name is subscribed to.
 *
 * <p>A connection that says nothing for {@link #QUIET_LIMIT} is replaced, as it may be dead. One that fails is replaced after a
 * short pause that grows up to {@link Resubscription#LONGEST_PAUSE}. The listener hears of the first failure of a row, so that
 * waiters poll meanwhile.
 */
final class ReleaseMessages implements RedisFeed {

    static final Duration QUIET_LIMIT = Duration.ofSeconds(30);
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(10);
    private static final String THREAD = "holdfast-redis-releases";

    private final SubscriptionPlace place;
    private final FeedTarget target;
    private final Listener listener;
    private final Thread reader;
    private final Subscriptions subscriptions = new Subscriptions();
    private volatile boolean closed;

    /** The reader's own. */
    private final Resubscription resubscription = new Resubscription();

    private ReleaseMessages(SubscriptionPlace place, FeedTarget target) {
        this.place = place;
        this.target = target;
        this.listener = target.listener();
        this.reader = new Thread(this::run, THREAD);
        reader.setDaemon(true);
    }

    /** Starts the thread, which connects when the first name is subscribed to. */
    static ReleaseMessages open(SubscriptionPlace place, FeedTarget target) {
        ReleaseMessages messages = new ReleaseMessages(place, target);
        messages.reader.start();
        return messages;
    }

    @Override
    public boolean reachesRefusedClaimsOnly() {
        return target.reach() == FeedTarget.Reach.NEXT;
    }

    @Override
    public void subscribe(String name) {
        if (subscriptions.add(target.channel(name), name)) {
            LockSupport.unpark(reader);
        }
    }

    @Override
    public void unsubscribe(String name) {
        subscriptions.remove(target.channel(name));
    }

    private void run() {
        while (awaitNames()) {
            try {
                listen();
            } catch (RuntimeException | Error failure) {
                // Also what is unexpected: nothing restarts this thread.
                if (!closed) {
                    recover(failure);
                }
            }
        }
    }

    private boolean awaitNames() {
        while (!closed && subscriptions.isEmpty()) {
            LockSupport.park(this);
            Resubscription.forgetInterrupt();
        }
        return !closed;
    }

    /** Reads until the connection has said nothing for too long; throws if it fails. */
    private void listen() {
        boolean answered = false;
        try (Connection open = place.open()) {
            open.setSoTimeout((int) target.quietLimit().toMillis());
            try {
                if (!closed) {
                    subscriptions.begin(open, place.kind());
                }
                while (!closed) {
                    read(open);
                    answered = true;
                }
            } catch (JedisException failure) {
                // Normal for a lock that is seldom released, but not before the first answer.
                if (!answered || !RedisFailures.timedOut(failure)) {
                    throw failure;
                }
            } finally {
                subscriptions.end(open);
            }
        }
    }

    private void read(Connection open) {
        Object push;
        try {
            push = open.getUnflushedObject();
        } catch (JedisDataException refused) {
            refused(refused, open);
            return;
        }
        dispatch(push);
    }

    private void refused(JedisDataException refused, Connection open) {
        if (place.kind() == Kind.SHARDED && RedisFailures.isUnknownCommand(refused)) {
            // Comes once for each request that was sent before the first of these answers.
            if (subscriptions.kind() == Kind.SHARDED) {
                subscriptions.begin(open, Kind.CLASSIC);
            }
        } else if (refused instanceof JedisMovedDataException moved) {
            subscriptions.refused().ifPresent(channel -> leave(channel, moved.getTargetNode()));
        } else {
            throw refused;
        }
    }

    /** A channel is not served here any more. */
    private void leave(String channel, @Nullable HostAndPort to) {
        Optional<String> name = subscriptions.name(channel);
        if (name.isEmpty()) {
            return;
        }
        listener.interrupted(name.get());
        place.changed(to);
        if (subscriptions.name(channel).isPresent()) {
            // The nodes do not agree yet.
            resubscription.pauseShortly();
            subscriptions.repeat(channel);
        }
    }

    private void dispatch(@Nullable Object push) {
        if (!(push instanceof List<?> parts) || parts.size() < 2 || !(parts.get(1) instanceof byte[] channel)) {
            return;
        }
        byte[] kind = (byte[]) parts.get(0);
        String channelName = new String(channel, StandardCharsets.UTF_8);
        Optional<String> name = subscriptions.name(channelName);
        switch (new String(kind, StandardCharsets.US_ASCII)) {
            case "subscribe", "ssubscribe" -> {
                resubscription.succeeded();
                subscriptions.answered(kind, channel);
                name.ifPresent(listener::listening);
            }
            case "unsubscribe", "sunsubscribe" -> {
                if (!subscriptions.answered(kind, channel)) {
                    leave(channelName, null);
                }
            }
            case "message", "smessage" -> {
                if (name.isPresent()) {
                    target.messages().accept(new String((byte[]) parts.get(2), StandardCharsets.UTF_8));
                    listener.released(name.get());
                }
            }
            default -> {
                // Nothing else is requested.
            }
        }
    }

    private void recover(Throwable failure) {
        if (resubscription.firstOfARow()) {
            subscriptions.names().forEach(listener::interrupted);
            Resubscription.warn(place.consequence(), failure);
        }
        place.changed(null);
        resubscription.pauseAfterFailure();
    }

    /** Begins to close. Does not wait. */
    void stop() {
        closed = true;
        subscriptions.cutOff();
        // Ends a pause, and the wait for a connection of a given pool, which may have no limit.
        reader.interrupt();
    }

    /** Whether its thread has ended. */
    boolean isOver() {
        return !reader.isAlive();
    }

    @Override
    public void close() {
        stop();
        try {
            TimeUnit.NANOSECONDS.timedJoin(reader, CLOSED_WITHIN.toNanos());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
