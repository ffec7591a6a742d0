package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A bad network between the engine and the provider under test: it loses requests and replies, and counts renewals. The store
 * itself works.
 */
final class Interposer implements LockProvider {

    private final LockProvider provider;
    private final AtomicInteger renewals = new AtomicInteger();
    private volatile Network attempts = Network.WELL;
    private volatile Network renewing = Network.WELL;
    private volatile String hanging = "";
    private volatile CountDownLatch untilThen = new CountDownLatch(0);

    Interposer(LockProvider provider) {
        this.provider = provider;
    }

    /** What happens to a call on its way. */
    enum Network {
        WELL,
        REQUEST_LOST,
        REPLY_LOST;

        <T> T carry(Supplier<T> call) {
            if (this == REQUEST_LOST) {
                throw new LockStoreException("The kit has lost the request, and the store has not seen it");
            }
            T reply = call.get();
            if (this == REPLY_LOST) {
                throw new LockStoreException("The kit has lost the reply " + reply);
            }
            return reply;
        }
    }

    void attemptsTravel(Network network) {
        attempts = network;
    }

    void renewalsTravel(Network network) {
        renewing = network;
    }

    /** Lets the renewals of one lock hang, as on a connection whose peer has vanished. */
    void renewalsHang(String name, CountDownLatch until) {
        untilThen = until;
        hanging = name;
    }

    int renewals() {
        return renewals.get();
    }

    private void hang() {
        try {
            untilThen.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new LockStoreException("The renewal that hung was interrupted", interrupted);
        }
    }

    @Override
    public LockCapabilities capabilities() {
        return provider.capabilities();
    }

    /** Each claim is renewed by its own call: calls are what gets lost here. */
    @Override
    public int renewalBatch() {
        return 1;
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        Claim claim = provider.newClaim(request, signals);
        return new Claim() {
            @Override
            public Attempt attempt() {
                return attempts.carry(claim::attempt);
            }

            @Override
            public Renewal renew() {
                renewals.incrementAndGet();
                if (request.name().equals(hanging)) {
                    hang();
                }
                return renewing.carry(claim::renew);
            }

            @Override
            public Release release() {
                return claim.release();
            }
        };
    }

    @Override
    public Optional<ReleaseFeed> releases(ReleaseFeed.Listener listener) {
        return provider.releases(listener);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return provider.holder(name);
    }

    @Override
    public void close() {
        provider.close();
    }
}
