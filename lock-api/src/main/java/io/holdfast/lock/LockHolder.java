package io.holdfast.lock;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Who holds a lock, as its store tells it. For people and logs: it may be out of date when it arrives, so no decision about
 * exclusion can rest on it.
 *
 * @param owner the owner of the claim; the events and the log of its client name it alike
 * @param host the host name of the holder's process; empty if the store does not keep it
 * @param pid the process id on that host; 0 if the store does not keep it
 * @param thread the name of the thread that acquired the lock; empty if the store does not keep it
 * @param since when the lock was granted, by the store's clock; empty if the store does not keep it
 * @param fencingToken the token of the grant; empty if the store has none
 */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public record LockHolder(
        String owner,
        String host,
        long pid,
        String thread,
        Optional<Instant> since,
        Optional<FencingToken> fencingToken) {

    /**
     * Creates a holder.
     *
     * @param owner the owner of the claim; the events and the log of its client name it alike
     * @param host the host name of the holder's process; empty if the store does not keep it
     * @param pid the process id on that host; 0 if the store does not keep it
     * @param thread the name of the thread that acquired the lock; empty if the store does not keep it
     * @param since when the lock was granted, by the store's clock; empty if the store does not keep it
     * @param fencingToken the token of the grant; empty if the store has none
     */
    public LockHolder {
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(thread, "thread");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(fencingToken, "fencingToken");
    }
}
