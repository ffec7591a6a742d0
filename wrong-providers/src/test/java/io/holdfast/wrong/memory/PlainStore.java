package io.holdfast.wrong.memory;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.memory.PlainLock.Entry;
import io.holdfast.wrong.memory.PlainLock.Grant;
import io.holdfast.wrong.memory.PlainLock.Session;
import io.holdfast.wrong.memory.PlainLock.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The side of the server. Right, as long as no step is overridden. Thread-safe: a step runs under the store's monitor, and the
 * signals that follow from it are given after the monitor was left.
 */
class PlainStore {

    /** How long a free lock waits for the first in its line, which may be dead. */
    static final long RESERVED = Duration.ofSeconds(1).toNanos();

    /** The time-out of a session. Long, as a busy machine must not end one. */
    static final Duration SESSION = Duration.ofSeconds(2);

    final Traits traits;
    final Map<String, PlainLock> locks = new LinkedHashMap<>();
    final List<MemoryProvider> clients = new CopyOnWriteArrayList<>();
    volatile boolean down;
    LongSupplier clock = System::nanoTime;
    long lastToken;

    /** The clock's reading in the present step. */
    long now;

    private final List<Runnable> signals = new ArrayList<>();
    private long downSince;

    PlainStore(Traits traits) {
        this.traits = traits;
    }

    /** A store that is right, with clients that may not be. */
    static PlainStore withClient(Traits traits, Function<PlainStore, MemoryProvider> client) {
        return new PlainStore(traits) {
            @Override
            MemoryProvider newClient() {
                return client.apply(this);
            }
        };
    }

    MemoryProvider open() {
        MemoryProvider client = newClient();
        clients.add(client);
        return client;
    }

    MemoryProvider newClient() {
        return new MemoryProvider(this);
    }

    // What the store is asked for.

    Attempt attempt(PlainClaim claim) {
        return alone(claim.name(), lock -> admits(lock, claim) ? grant(lock, claim) : contend(lock, claim));
    }

    Renewal renew(PlainClaim claim) {
        return alone(claim.name(), lock -> prolong(lock, claim));
    }

    List<Renewal> renewAll(List<PlainClaim> claims) {
        List<Renewal> answers = new ArrayList<>();
        claims.forEach(claim -> answers.add(renew(claim)));
        return answers;
    }

    int renewalBatch() {
        return 100;
    }

    Release release(PlainClaim claim) {
        return alone(claim.name(), lock -> free(lock, claim));
    }

    Optional<LockHolder> holder(String name) {
        return alone(name, this::describe);
    }

    long highestToken() {
        synchronized (this) {
            return lastToken;
        }
    }

    void raiseTokens(long above) {
        if (above > Long.MAX_VALUE - Integer.MAX_VALUE) {
            throw new LockConfigurationException("Tokens above " + above + " would soon be used up");
        }
        synchronized (this) {
            lastToken = Math.max(lastToken, above);
        }
    }

    // What an operator does, and what happens.

    void remove(String name) {
        alone(name, lock -> {
            end(lock, name);
            return true;
        });
    }

    void beginOutage() {
        synchronized (this) {
            down = true;
            downSince = clock.getAsLong();
        }
        clients.forEach(MemoryProvider::breakOff);
    }

    void endOutage() {
        synchronized (this) {
            if (traits.hasSessions() && clock.getAsLong() - downSince >= SESSION.toNanos()) {
                clients.forEach(this::endSession);
            }
            locks.values()
                    .forEach(lock -> lock.line.values().forEach(waiter -> later(waiter.claim.signals::mayBeFree)));
            down = false;
        }
        clients.forEach(MemoryProvider::comeBack);
        signal();
    }

    /** The server runs again, after it was killed. */
    void endCrash() {
        synchronized (this) {
            now = clock.getAsLong();
            recover();
        }
        endOutage();
    }

    /** A request of a client arrives. It keeps a session alive, but one that was silent for too long has ended before. */
    void hear(MemoryProvider client) {
        if (!traits.hasSessions()) {
            return;
        }
        synchronized (this) {
            endSilentSessions();
            client.session.heard = clock.getAsLong();
        }
        signal();
    }

    /** Time has passed. */
    void tick() {
        synchronized (this) {
            endSilentSessions();
        }
        signal();
    }

    /** Ends a session at once. */
    void expire(MemoryProvider client) {
        synchronized (this) {
            now = clock.getAsLong();
            endSession(client);
            dropAllEnded();
        }
        signal();
    }

    private void endSilentSessions() {
        if (traits.hasSessions() && !down) {
            now = clock.getAsLong();
            List<MemoryProvider> silent = clients.stream()
                    .filter(client -> client.session.isSilent(now, SESSION.toNanos()))
                    .toList();
            silent.forEach(this::endSession);
            if (!silent.isEmpty()) {
                dropAllEnded();
            }
        }
    }

    private void dropAllEnded() {
        for (PlainLock lock : List.copyOf(locks.values())) {
            boolean held = lock.grant != null;
            dropEnded(lock);
            if (held && lock.grant == null) {
                announce(lock, lock.key);
            }
            tellFirst(lock);
        }
    }

    private void endSession(MemoryProvider client) {
        List<PlainClaim> granted = new ArrayList<>();
        for (PlainLock lock : locks.values()) {
            if (lock.grant != null) {
                lock.grant.entries.values().stream()
                        .filter(entry -> entry.session() == client.session)
                        .forEach(entry -> granted.add(entry.claim()));
            }
        }
        client.session.ended = true;
        client.session = new Session();
        later(() -> client.sessionEnded(granted));
    }

    /** A client was closed. */
    void leave(MemoryProvider client) {
        synchronized (this) {
            clients.remove(client);
            if (traits.hasSessions()) {
                client.session.ended = true;
            }
            now = clock.getAsLong();
            locks.values().forEach(lock -> lock.line.values().removeIf(waiter -> waiter.claim.provider == client));
            dropAllEnded();
        }
        signal();
    }

    // The steps. They run under the monitor.

    /** Reads what is on disk, which is everything. */
    void recover() {}

    String key(String name) {
        return name;
    }

    String ownerKey(String ownerId) {
        return ownerId;
    }

    boolean admits(PlainLock lock, PlainClaim claim) {
        if (lock.grant == null) {
            return traits != Traits.LINE
                    || first(lock).map(waiter -> waiter.claim == claim).orElse(true);
        }
        return lock.isHeldBy(claim)
                || (traits.letsOwnersIn() && ownerKey(lock.grant.ownerId).equals(ownerKey(claim.ownerId())));
    }

    Attempt grant(PlainLock lock, PlainClaim claim) {
        lock.line.remove(claim.id());
        Grant grant = lock.grant;
        if (grant == null) {
            grant = newGrant(lock, claim);
            lock.grant = grant;
        }
        enter(lock, grant, claim);
        return new Attempt.Granted(new FencingToken(grant.token), validFor(claim));
    }

    Grant newGrant(PlainLock lock, PlainClaim claim) {
        return new Grant(claim, nextToken(claim), now);
    }

    long nextToken(PlainClaim claim) {
        return ++lastToken;
    }

    void enter(PlainLock lock, Grant grant, PlainClaim claim) {
        grant.put(new Entry(claim, sessionOf(claim), now + leaseNanos(claim)));
    }

    Session sessionOf(PlainClaim claim) {
        return claim.provider.session;
    }

    long leaseNanos(PlainClaim claim) {
        return claim.lease().toNanos();
    }

    Duration validFor(PlainClaim claim) {
        return traits.hasSessions() ? SESSION : claim.validFor();
    }

    Attempt contend(PlainLock lock, PlainClaim claim) {
        if (claim.waits() && traits.keepLine()) {
            lock.addWaiter(claim);
        }
        return new Attempt.Contended(retryAfter(lock, claim));
    }

    Optional<Duration> retryAfter(PlainLock lock, PlainClaim claim) {
        if (traits.hasSessions()) {
            return Optional.empty();
        }
        if (lock.grant == null) {
            return Optional.of(Duration.ofNanos(first(lock)
                    .filter(waiter -> waiter.told)
                    .map(this::reservedFor)
                    .orElse(RESERVED)));
        }
        long left = lock.grant.entries.values().stream()
                .mapToLong(entry -> entry.ends() - now)
                .max()
                .orElse(0);
        return Optional.of(Duration.ofNanos(left));
    }

    Renewal prolong(PlainLock lock, PlainClaim claim) {
        if (!lock.isHeldBy(claim)) {
            return new Renewal.Lost(LossCause.TAKEN_OVER);
        }
        if (lock.grant != null) {
            enter(lock, lock.grant, claim);
        }
        return new Renewal.Held(validFor(claim));
    }

    Release free(PlainLock lock, PlainClaim claim) {
        withdraw(lock, claim);
        if (lock.grant == null || lock.grant.entries.remove(claim.id()) == null) {
            return Release.NOT_HELD;
        }
        if (lock.grant.entries.isEmpty()) {
            end(lock, claim.name());
        }
        return Release.RELEASED;
    }

    void withdraw(PlainLock lock, PlainClaim claim) {
        lock.line.remove(claim.id());
    }

    /** Ends the grant and tells of it. */
    void end(PlainLock lock, String name) {
        lock.grant = null;
        announce(lock, name);
    }

    /** Tells those who wait that the lock is free; a line is told by {@link #tellFirst}. */
    void announce(PlainLock lock, String name) {
        if (traits == Traits.FEED) {
            clients.forEach(client -> later(() -> client.deliver(name)));
        } else if (traits != Traits.LINE) {
            lock.line.values().forEach(waiter -> later(waiter.claim.signals::mayBeFree));
        }
    }

    /** Reserves a free lock for the first in the line, and tells that claim. */
    void tellFirst(PlainLock lock) {
        if (traits == Traits.LINE && lock.grant == null) {
            first(lock).filter(waiter -> !waiter.told).ifPresent(this::tell);
        }
    }

    void tell(Waiter waiter) {
        waiter.told = true;
        waiter.toldAt = now;
        later(waiter.claim.signals::mayBeFree);
    }

    Optional<Waiter> first(PlainLock lock) {
        return lock.first();
    }

    void dropEnded(PlainLock lock) {
        if (lock.grant != null) {
            lock.grant.entries.values().removeIf(this::hasEnded);
            if (lock.grant.entries.isEmpty()) {
                lock.grant = null;
            }
        }
        first(lock)
                .filter(waiter -> waiter.told && traits == Traits.LINE && reservedFor(waiter) <= 0)
                .ifPresent(late -> lock.line.remove(late.claim.id()));
    }

    boolean hasEnded(Entry entry) {
        return entry.session().ended || (!traits.hasSessions() && entry.ends() - now <= 0);
    }

    /** Whether a lock has a grant of which nothing is in force any more, and which no step has dropped yet. */
    boolean holdsAnEndedGrant(PlainLock lock) {
        return lock.grant != null && lock.grant.entries.values().stream().allMatch(this::hasEnded);
    }

    Optional<LockHolder> describe(PlainLock lock) {
        return Optional.ofNullable(lock.grant)
                .map(grant -> LockHolder.of(grant.ownerId)
                        .withHost(grant.claimant.host())
                        .withPid(grant.claimant.pid())
                        .withThread(grant.claimant.thread())
                        .withSince(grant.since)
                        .withFencingToken(new FencingToken(grant.token)));
    }

    private long reservedFor(Waiter waiter) {
        return waiter.toldAt + RESERVED - now;
    }

    // How a step runs.

    /** Runs one step on one lock, after what has ended was dropped. */
    <T extends @Nullable Object> T alone(String name, Function<PlainLock, T> step) {
        return raw(name, lock -> {
            dropEnded(lock);
            return step.apply(lock);
        });
    }

    /** Runs one step on one lock as it is. */
    <T extends @Nullable Object> T raw(String name, Function<PlainLock, T> step) {
        T answer;
        synchronized (this) {
            endSilentSessions();
            now = clock.getAsLong();
            PlainLock lock = locks.computeIfAbsent(key(name), PlainLock::new);
            answer = step.apply(lock);
            tellFirst(lock);
            if (lock.isUnused()) {
                locks.remove(lock.key);
            }
        }
        signal();
        return answer;
    }

    /** Notes a signal to be given after the monitor was left. */
    void later(Runnable signal) {
        signals.add(signal);
    }

    private void signal() {
        List<Runnable> due;
        synchronized (this) {
            due = List.copyOf(signals);
            signals.clear();
        }
        due.forEach(Runnable::run);
    }
}
