package io.holdfast.lock.core.client;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.claim.ClientIdentity;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.core.runtime.Scheduler;
import io.holdfast.lock.engine.ClientSettings;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * Clients over one in-memory store in virtual time. Each task of the engine runs at once on the thread that submits it, so a test
 * sees the outcome in its next line.
 */
final class EngineWorld implements AutoCloseable {

    private static final Queue<LockHandle> KEPT = new ConcurrentLinkedQueue<>();

    static final Duration LEASE = Duration.ofSeconds(30);

    final VirtualTime time = new VirtualTime();
    final TroubledProvider provider;
    private final String storeName = UUID.randomUUID().toString();
    private final MemoryLockProvider operator;
    private Executor storeCalls = Runnable::run;
    private Executor releases = Runnable::run;
    private Executor renewals = Runnable::run;
    private Executor callbacks = Runnable::run;
    private Scheduler timers = time;
    private final List<LockClient> clients = new ArrayList<>();

    EngineWorld() {
        operator = MemoryLockProvider.builder(storeName).clock(time::nanos).build();
        provider = new TroubledProvider(newProvider());
    }

    /** Clients over another store. */
    EngineWorld(LockProvider store) {
        operator = MemoryLockProvider.builder(storeName).clock(time::nanos).build();
        provider = new TroubledProvider(store);
    }

    /** Changes what the store declares to clients that are made from now on. */
    EngineWorld declaring(UnaryOperator<LockCapabilities> change) {
        provider.declare(change);
        return this;
    }

    /** Clients that are made from now on renew so many claims at once. */
    EngineWorld renewingInBatchesOf(int claims) {
        provider.renewalBatch(claims);
        return this;
    }

    LockProvider newProvider() {
        // It has the clock of the store that is already open.
        return MemoryLockProvider.builder(storeName).build();
    }

    void storeCallsOn(Executor executor) {
        storeCalls = executor;
    }

    void releasesOn(Executor executor) {
        releases = executor;
    }

    void renewalsOn(Executor executor) {
        renewals = executor;
    }

    void callbacksOn(Executor executor) {
        callbacks = executor;
    }

    void timersOn(Scheduler scheduler) {
        timers = scheduler;
    }

    /** A client over the troubled provider. */
    LockClient client(LockListener... listeners) {
        return client(provider, listeners);
    }

    /** A client with another provider, as in another process. */
    LockClient otherClient() {
        return client(newProvider());
    }

    LockClient client(LockProvider over, LockListener... listeners) {
        EngineRuntime runtime = new EngineRuntime(
                time,
                timers,
                storeCalls,
                task -> releases.execute(task),
                Runnable::run,
                task -> renewals.execute(task),
                task -> callbacks.execute(task),
                () -> {});
        LockClient client = new EngineClient(
                over, new ClientSettings(LockOptions.DEFAULTS, List.of(listeners)), new ClientIdentity(), runtime);
        clients.add(client);
        return client;
    }

    /** Takes a free lock and keeps the handle reachable, also where the test does not use it again. */
    static LockHandle take(DistributedLock lock) {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        KEPT.add(handle);
        return handle;
    }

    /** Removes a lock's record as an operator does. The store signals the loss, unless signals are lost. */
    void removeRecord(String name) {
        if (!operator.remove(name)) {
            throw new IllegalStateException("There was no record of the lock " + name);
        }
    }

    /** Whether the store has a record of the lock. */
    boolean isTaken(String name) {
        return operator.holder(name).isPresent();
    }

    /** Takes a lock for a lease as another process would. */
    Claim strangerTakes(String name, Duration lease) {
        Claim claim = operator.newClaim(
                new ClaimRequest(
                        name,
                        "stranger-" + UUID.randomUUID(),
                        "stranger",
                        lease,
                        ClaimRequest.Intent.TRY_ONCE,
                        new ClaimRequest.Claimant("elsewhere", 1, "main")),
                new ClaimSignals() {
                    @Override
                    public void mayBeFree() {}

                    @Override
                    public void lost(LossCause cause) {}
                });
        if (!(claim.attempt() instanceof Attempt.Granted)) {
            throw new IllegalStateException("The stranger did not get the lock " + name);
        }
        return claim;
    }

    /** Ends all troubles and closes the clients. */
    @Override
    public void close() {
        provider.troubleAll(TroubledProvider.Trouble.NONE);
        clients.forEach(LockClient::close);
        operator.close();
    }
}
