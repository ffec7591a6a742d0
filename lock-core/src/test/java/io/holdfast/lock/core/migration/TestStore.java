package io.holdfast.lock.core.migration;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that counts the tokens of each name by itself, whose answers can be lost, and which can send its releases by
 * a feed.
 */
final class TestStore implements LockProvider {

    private final LockProvider store;
    private final Tokens tokens;
    private final @Nullable Feed feed;
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger untilLost = new AtomicInteger();
    private final Map<String, Runnable> beforeLook = new ConcurrentHashMap<>();

    private volatile boolean failing;
    private volatile boolean raisable = true;
    private final AtomicReference<@Nullable Runnable> afterGrant = new AtomicReference<>();

    TestStore(LockProvider store, Tokens tokens) {
        this(store, tokens, null);
    }

    /** A store whose claims hear nothing: the feed does. */
    TestStore(LockProvider store, Tokens tokens, @Nullable Feed feed) {
        this.store = store;
        this.tokens = tokens;
        this.feed = feed;
    }

    /** How often an application's lock was asked for. */
    int attempts() {
        return attempts.get();
    }

    /** Does something once, before the next question for the holder of a name is answered. */
    void beforeLook(String name, Runnable step) {
        beforeLook.put(name, step);
    }

    void fail(boolean from) {
        failing = from;
    }

    /** The next answer comes, and the one after it is lost. */
    void failNextAnswerButOne() {
        untilLost.set(2);
    }

    /** Does something once, after the next grant of an application's lock and before its answer arrives. */
    void afterGrant(Runnable step) {
        afterGrant.set(step);
    }

    void cannotBeRaised() {
        raisable = false;
    }

    private <T> T answered(T answer) {
        if (failing || untilLost.getAndUpdate(left -> Math.max(0, left - 1)) == 1) {
            throw new LockStoreException("the answer was lost");
        }
        return answer;
    }

    @Override
    public LockCapabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        Claim claim = store.newClaim(request, feed == null ? signals : new Deaf(signals));
        return new Claim() {
            private @Nullable FencingToken token;

            @Override
            public Attempt attempt() {
                if (!request.name().startsWith(Presence.PREFIX)) {
                    attempts.incrementAndGet();
                }
                Attempt answer = answered(claim.attempt());
                if (answer instanceof Attempt.Granted granted) {
                    Runnable step = request.name().startsWith(Presence.PREFIX) ? null : afterGrant.getAndSet(null);
                    if (step != null) {
                        step.run();
                    }
                    token = token == null ? new FencingToken(tokens.next(request.name())) : token;
                    return new Attempt.Granted(token, granted.validFor());
                }
                return answer;
            }

            @Override
            public Renewal renew() {
                return answered(claim.renew());
            }

            @Override
            public Release release() {
                Release answer = answered(claim.release());
                if (feed != null && answer == Release.RELEASED) {
                    feed.released(request.name());
                }
                return answer;
            }
        };
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        Runnable step = beforeLook.remove(name);
        if (step != null) {
            step.run();
        }
        return answered(store.holder(name));
    }

    @Override
    public long highestToken() {
        return answered(tokens.highest());
    }

    @Override
    public void raiseTokens(long above) {
        requireRaisable();
        tokens.raise(above);
    }

    @Override
    public void raiseTokens(String name, long above) {
        requireRaisable();
        tokens.raise(name, above);
    }

    private void requireRaisable() {
        if (!raisable) {
            throw new UnsupportedCapabilityException("this store cannot raise its tokens");
        }
    }

    @Override
    public Optional<ReleaseFeed> releases(ReleaseFeed.Listener listener) {
        return Optional.ofNullable(feed).map(shared -> shared.to(listener));
    }

    /** Hears of losses only. */
    private record Deaf(ClaimSignals signals) implements ClaimSignals {
        @Override
        public void mayBeFree() {}

        @Override
        public void lost(LossCause cause) {
            signals.lost(cause);
        }
    }

    /** The releases of a store, for all its clients. */
    static final class Feed {
        private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

        private record Subscriber(ReleaseFeed.Listener listener, Set<String> names) implements ReleaseFeed {
            @Override
            public void subscribe(String name) {
                names.add(name);
                listener.listening(name);
            }

            @Override
            public void unsubscribe(String name) {
                names.remove(name);
            }
        }

        ReleaseFeed to(ReleaseFeed.Listener listener) {
            Subscriber subscriber = new Subscriber(listener, ConcurrentHashMap.newKeySet());
            subscribers.add(subscriber);
            return subscriber;
        }

        void released(String name) {
            subscribers.stream()
                    .filter(each -> each.names.contains(name))
                    .forEach(each -> each.listener.released(name));
        }
    }

    /** The last token of each name: several clients of one store share them. */
    static final class Tokens {
        private final Map<String, Long> last = new HashMap<>();
        private long floor;

        synchronized long next(String name) {
            long token = Math.max(floor, last.getOrDefault(name, 0L)) + 1;
            last.put(name, token);
            return token;
        }

        synchronized void raise(String name, long above) {
            last.merge(name, above, Math::max);
        }

        synchronized void raise(long above) {
            floor = Math.max(floor, above);
        }

        synchronized long highest() {
            return Math.max(
                    floor, last.values().stream().mapToLong(each -> each).max().orElse(0));
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
