package io.holdfast.examples.memcached;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A claim for one lock, which is an item. The item is added if there is none, and later written only by {@code cas}, which
 * compares and writes in one step.
 */
final class MemcachedClaim implements Claim {

    /** How often a call begins again if the item changes between two of its requests. */
    private static final int ROUNDS = 3;

    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final MemcachedConnections connections;
    private final String key;
    private final ClaimRequest request;

    MemcachedClaim(MemcachedConnections connections, String key, ClaimRequest request) {
        this.connections = connections;
        this.key = key;
        this.request = request;
    }

    @Override
    public Attempt attempt() {
        return connections.call(link -> {
            for (int round = 0; round < ROUNDS; round++) {
                Optional<Attempt> answer = attempt(link);
                if (answer.isPresent()) {
                    return answer.get();
                }
            }
            return new Attempt.Contended(Optional.of(AT_ONCE));
        });
    }

    /** Empty if the lock became free meanwhile. */
    private Optional<Attempt> attempt(MemcachedLink link) throws IOException {
        MemcachedLink.Added added =
                link.addAndGet(key, MemcachedRecord.of(request).text(), request.leaseTime());
        if (added.item().isEmpty()) {
            if (added.stored()) {
                throw new IOException("the record of the lock was gone as soon as it was written");
            }
            return Optional.empty();
        }
        MemcachedItem item = added.item().get();
        MemcachedRecord record = MemcachedRecord.read(item);
        if (!isOurs(record)) {
            return Optional.of(new Attempt.Contended(Optional.empty()));
        }
        // An earlier request of this claim has arrived: the lease has to begin with this one.
        Optional<FencingToken> token =
                added.stored() ? Optional.of(record.token(item)) : prolonged(link, Optional.of(item));
        return token.map(granted -> new Attempt.Granted(granted, request.validFor()));
    }

    @Override
    public Renewal renew() {
        return connections.call(link -> prolonged(link, link.get(key))
                .<Renewal>map(token -> new Renewal.Held(request.validFor()))
                .orElseGet(() -> new Renewal.Lost(LossCause.TAKEN_OVER)));
    }

    /** Writes this claim's item anew, with the full lease; empty if it is not there. */
    private Optional<FencingToken> prolonged(MemcachedLink link, Optional<MemcachedItem> found) throws IOException {
        Optional<MemcachedItem> item = found;
        for (int round = 0; round < ROUNDS; round++) {
            Optional<MemcachedRecord> own = own(item);
            if (own.isEmpty()) {
                return Optional.empty();
            }
            FencingToken token = own.get().token(item.orElseThrow());
            String text = own.get().with(token).text();
            if (link.replace(key, item.orElseThrow(), text, request.leaseTime())) {
                return Optional.of(token);
            }
            item = link.get(key);
        }
        throw changing();
    }

    @Override
    public Release release() {
        return connections.call(link -> {
            for (int round = 0; round < ROUNDS; round++) {
                Optional<MemcachedItem> item = link.get(key);
                if (own(item).isEmpty()) {
                    return Release.NOT_HELD;
                }
                if (link.remove(key, item.orElseThrow())) {
                    return Release.RELEASED;
                }
            }
            throw changing();
        });
    }

    private Optional<MemcachedRecord> own(Optional<MemcachedItem> item) throws IOException {
        Optional<MemcachedRecord> record =
                item.isEmpty() ? Optional.empty() : Optional.of(MemcachedRecord.read(item.get()));
        return record.filter(this::isOurs);
    }

    private boolean isOurs(MemcachedRecord record) {
        return record.claimId().equals(request.claimId());
    }

    /** Only late requests of this very claim can have done that. */
    private static IOException changing() {
        return new IOException("the record of the lock changed between any two requests");
    }
}
