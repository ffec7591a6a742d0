package io.holdfast.lock.core.client;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store with one lock, whatever its name, and a feed of which the test sends the messages. */
final class FeedStore implements LockProvider, ReleaseFeed {
    private final OneLockStore lock = new OneLockStore();
    private final List<String> calls = new ArrayList<>();
    private final Ordering ordering;
    private ReleaseFeed.@Nullable Listener listener;

    /** A store whose releases are told to all who wait. */
    FeedStore() {
        this(Ordering.NONE);
    }

    private FeedStore(Ordering ordering) {
        this.ordering = ordering;
    }

    /** A store that keeps waiting claims in a line, and tells the next one alone. */
    static FeedStore withLine() {
        return new FeedStore(Ordering.FIFO);
    }

    @Override
    public LockCapabilities capabilities() {
        return lock.capabilities().withOrdering(ordering);
    }

    @Override
    public boolean reachesRefusedClaimsOnly() {
        return ordering == Ordering.FIFO;
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return lock.newClaim(request, new ClaimSignals() {
            @Override
            public void mayBeFree() {}

            @Override
            public void lost(LossCause cause) {
                signals.lost(cause);
            }
        });
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return lock.holder(name);
    }

    @Override
    public Optional<ReleaseFeed> releases(ReleaseFeed.Listener to) {
        listener = to;
        return Optional.of(this);
    }

    @Override
    public void subscribe(String name) {
        calls.add("+" + name);
    }

    @Override
    public void unsubscribe(String name) {
        calls.add("-" + name);
    }

    @Override
    public void close() {
        lock.close();
    }

    OneLockStore lock() {
        return lock;
    }

    /** The subscriptions so far: a plus or a minus, and the name. */
    List<String> calls() {
        return calls;
    }

    ReleaseFeed.Listener listener() {
        return Objects.requireNonNull(listener);
    }
}
