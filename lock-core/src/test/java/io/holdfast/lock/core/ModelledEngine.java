package io.holdfast.lock.core;

import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ClientSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An engine whose threads are those of a model checker: whatever it would do on a thread of its own runs at once on the thread
 * that asks for it, and the model checker tries the orders in which the steps of several threads can happen.
 */
final class ModelledEngine {

    static final String LOCK = "stock";

    /** Its random number and the look-up of the host's name cost more than a whole run of the model. */
    private static final ClientIdentity IDENTITY = new ClientIdentity();

    final ModelTime time = new ModelTime();
    final OneLockStore store = new OneLockStore();
    final Engine engine;

    ModelledEngine(LockListener... listeners) {
        EngineRuntime runtime = new EngineRuntime(
                time, time, Runnable::run, Runnable::run, Runnable::run, Runnable::run, Runnable::run, () -> {});
        engine = new Engine(store, new ClientSettings(LockOptions.DEFAULTS, List.of(listeners)), IDENTITY, runtime);
    }

    Acquisition acquisition(OwnerId owner) {
        return new Acquisition(engine, new Terms(LOCK, owner, LockOptions.DEFAULTS, Deadline.NEVER), Runnable::run);
    }

    private static ClaimRequest request(OwnerId owner, Duration leaseTime) {
        return new ClaimRequest(
                LOCK,
                "claim",
                owner.id(),
                leaseTime,
                ClaimRequest.Intent.WAIT,
                new ClaimRequest.Claimant("here", 1, "main"));
    }

    /** A hold of a lock of its own; it has no handle yet, and the engine does not know of it. */
    Hold granted(OwnerId owner, OneLockStore lock, Duration leaseTime) {
        Hold[] granted = new Hold[1];
        SerialClaim claim =
                new SerialClaim(engine.storeCalls(), request(owner, leaseTime), lock.newClaim(null, new ClaimSignals() {
                    @Override
                    public void mayBeFree() {}

                    @Override
                    public void lost(LossCause cause) {
                        granted[0].lose(cause);
                    }
                }));
        Terms terms = new Terms(LOCK, owner, LockOptions.DEFAULTS.withLeaseTime(leaseTime), Deadline.NEVER);
        claim.attempt();
        granted[0] = new Hold(engine, terms, claim, new Attempt.Granted(Optional.empty(), leaseTime), time.nanos());
        return granted[0];
    }
}
