package io.holdfast.lock;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who holds a lock, as its store tells it. For people and logs: it may be out of date when it arrives, so no decision about
 * exclusion can rest on it. Immutable.
 *
 * <p>A provider starts from {@link #of} and adds what its store keeps.
 */
public final class LockHolder {

    private final String owner;
    private final Optional<String> host;
    private final OptionalLong pid;
    private final Optional<String> thread;
    private final Optional<Instant> since;
    private final Optional<FencingToken> fencingToken;

    private LockHolder(
            String owner,
            Optional<String> host,
            OptionalLong pid,
            Optional<String> thread,
            Optional<Instant> since,
            Optional<FencingToken> fencingToken) {
        this.owner = owner;
        this.host = host;
        this.pid = pid;
        this.thread = thread;
        this.since = since;
        this.fencingToken = fencingToken;
    }

    /**
     * A holder of whom only the owner is known.
     *
     * @param owner the owner, the same text as in the events and the log of its client
     * @return the holder
     */
    public static LockHolder of(String owner) {
        Objects.requireNonNull(owner, "owner");
        return new LockHolder(
                owner, Optional.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * This holder with a host.
     *
     * @param name the host name of the holder's process
     * @return a changed copy
     */
    public LockHolder withHost(String name) {
        Objects.requireNonNull(name, "name");
        return new LockHolder(owner, Optional.of(name), pid, thread, since, fencingToken);
    }

    /**
     * This holder with a process id.
     *
     * @param id the process id on the host
     * @return a changed copy
     */
    public LockHolder withPid(long id) {
        return new LockHolder(owner, host, OptionalLong.of(id), thread, since, fencingToken);
    }

    /**
     * This holder with a thread.
     *
     * @param name the name of the thread that acquired the lock
     * @return a changed copy
     */
    public LockHolder withThread(String name) {
        Objects.requireNonNull(name, "name");
        return new LockHolder(owner, host, pid, Optional.of(name), since, fencingToken);
    }

    /**
     * This holder with the time of the grant.
     *
     * @param time when the lock was granted, by the store's clock
     * @return a changed copy
     */
    public LockHolder withSince(Instant time) {
        Objects.requireNonNull(time, "time");
        return new LockHolder(owner, host, pid, thread, Optional.of(time), fencingToken);
    }

    /**
     * This holder with a fencing token.
     *
     * @param token the token of the grant
     * @return a changed copy
     */
    public LockHolder withFencingToken(FencingToken token) {
        Objects.requireNonNull(token, "token");
        return new LockHolder(owner, host, pid, thread, since, Optional.of(token));
    }

    /**
     * The owner of the claim, as the events and the log of its client name it.
     *
     * @return the owner
     */
    public String owner() {
        return owner;
    }

    /**
     * The host name of the holder's process.
     *
     * @return the host; empty if the store does not keep it
     */
    public Optional<String> host() {
        return host;
    }

    /**
     * The process id on that host.
     *
     * @return the id; empty if the store does not keep it
     */
    public OptionalLong pid() {
        return pid;
    }

    /**
     * The name of the thread that acquired the lock.
     *
     * @return the name; empty if the store does not keep it
     */
    public Optional<String> thread() {
        return thread;
    }

    /**
     * When the lock was granted, by the store's clock. Neither renewals nor repeated requests move it. In ZooKeeper it is when
     * the holder's claim came to the store, which is before the grant if it had to wait.
     *
     * @return the time; empty if the store does not keep it
     */
    public Optional<Instant> since() {
        return since;
    }

    /**
     * The token of the grant.
     *
     * @return the token; empty if the store has none
     */
    public Optional<FencingToken> fencingToken() {
        return fencingToken;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockHolder that
                && that.owner.equals(owner)
                && that.host.equals(host)
                && that.pid.equals(pid)
                && that.thread.equals(thread)
                && that.since.equals(since)
                && that.fencingToken.equals(fencingToken);
    }

    @Override
    public int hashCode() {
        return Objects.hash(owner, host, pid, thread, since, fencingToken);
    }

    /** What is known, and nothing else. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("LockHolder[owner=").append(owner);
        host.ifPresent(known -> text.append(", host=").append(known));
        pid.ifPresent(known -> text.append(", pid=").append(known));
        thread.ifPresent(known -> text.append(", thread=").append(known));
        since.ifPresent(known -> text.append(", since=").append(known));
        fencingToken.ifPresent(known -> text.append(", fencingToken=").append(known));
        return text.append(']').toString();
    }
}
