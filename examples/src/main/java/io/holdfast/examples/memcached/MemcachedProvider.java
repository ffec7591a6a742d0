package io.holdfast.examples.memcached;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ServerAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/** Locks in one memcached server, at best effort. It has no thread and no timer. Thread-safe. */
final class MemcachedProvider implements LockProvider {

    private final MemcachedConnections connections;
    private final String prefix;

    /**
     * Creates a provider; it connects when it is used first.
     *
     * @param prefix what the keys of the locks begin with, as memcached allows it in keys: up to 64 characters
     * @param timeout how long a call may take
     */
    MemcachedProvider(ServerAddress server, String prefix, Duration timeout) {
        this.connections = new MemcachedConnections(server, timeout);
        this.prefix = prefix;
    }

    /** The tokens are the server's count of its writes: it loses no count by an eviction or a flush, but all by a restart. */
    @Override
    public LockCapabilities capabilities() {
        return LockCapabilities.BASIC.withFencing(Fencing.VOLATILE);
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return new MemcachedClaim(connections, key(request.name()), request);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        String key = key(DistributedLock.requireValidName(name));
        return connections.call(link -> {
            Optional<MemcachedItem> item = link.get(key);
            return item.isEmpty()
                    ? Optional.empty()
                    : Optional.of(MemcachedRecord.read(item.get()).holder(item.get()));
        });
    }

    /** By a write of its own, which the server counts. */
    @Override
    public long highestToken() {
        String key = prefix + "#" + UUID.randomUUID();
        return connections.call(link -> link.addAndGet(key, "", Duration.ofSeconds(1))
                .item()
                .orElseThrow()
                .unique());
    }

    /** The digest: names may be longer than keys, and have characters that keys must not have. */
    String key(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return prefix + HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("Every Java platform has SHA-256", impossible);
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
