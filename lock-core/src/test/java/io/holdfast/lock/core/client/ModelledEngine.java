package io.holdfast.lock.core.client;

import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.claim.ClientIdentity;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.core.hold.Grant;
import io.holdfast.lock.core.hold.HandOvers;
import io.holdfast.lock.core.hold.Hold;
import io.holdfast.lock.core.hold.Services;
import io.holdfast.lock.core.lease.LeaseEnd;
import io.holdfast.lock.core.local.Deadline;
import io.holdfast.lock.core.local.LocalLocks;
import io.holdfast.lock.core.local.LockRequest;
import io.holdfast.lock.core.local.Waiter;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.core.runtime.EventDispatcher;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An engine for a model checker: each task runs at once on the thread that submits it, and the model checker tries the orders of
 * the steps of several threads.
 */
final class ModelledEngine {

    static final String LOCK = "stock";

    /** Made once: its random number and the look-up of the host's name take longer than a run of the model. */
    private static final ClientIdentity IDENTITY = new ClientIdentity();

    final ModelTime time = new ModelTime();
    final OneLockStore store = new OneLockStore();
    final Services services;
    final LocalLocks locks;

    ModelledEngine(LockListener... listeners) {
        EngineRuntime runtime = new EngineRuntime(
                time, time, Runnable::run, Runnable::run, Runnable::run, Runnable::run, Runnable::run, () -> {});
        services = Services.of(store, IDENTITY, runtime, new EventDispatcher(List.of(listeners), runtime.callbacks()));
        locks = new LocalLocks(services);
    }

    Waiter acquire(OwnerId owner) {
        return locks.acquire(new LockRequest(LOCK, owner, LockOptions.DEFAULTS, Deadline.NEVER), Runnable::run);
    }

    private static ClaimRequest request(OwnerId owner, Duration leaseTime) {
        return new ClaimRequest(
                LOCK,
                "claim",
                owner.toString(),
                leaseTime,
                ClaimRequest.Intent.WAIT,
                new ClaimRequest.Claimant("here", 1, "main"));
    }

    /** A hold of another lock. It has no handle yet, and the lease keeper does not know it. */
    Hold granted(OwnerId owner, OneLockStore lock, Duration leaseTime) {
        Hold[] granted = new Hold[1];
        SerialClaim claim = new SerialClaim(
                services.storeCalls(), request(owner, leaseTime), lock.newClaim(null, new ClaimSignals() {
                    @Override
                    public void mayBeFree() {}

                    @Override
                    public void lost(LossCause cause) {
                        granted[0].lose(cause);
                    }
                }));
        claim.attemptFor(1);
        Attempt.Granted answer = new Attempt.Granted(Optional.empty(), leaseTime);
        LeaseEnd end = services.clocks().endOf(leaseTime, answer.storeTime(), time.nanos());
        Grant grant = new Grant(claim, answer.fencingToken(), time.nanos(), end, HandOvers.from(time.nanos(), 0));
        granted[0] = new Hold(services, new NoHome(), owner, LockOptions.DEFAULTS, grant);
        return granted[0];
    }

    /** The home of one hold, without waiters. */
    private static final class NoHome implements Hold.Home {
        private final ReentrantLock mutex = new ReentrantLock();

        @Override
        public ReentrantLock mutex() {
            return mutex;
        }

        @Override
        public boolean passesOn(Hold hold) {
            return false;
        }

        @Override
        public boolean hasWaiters() {
            return false;
        }

        @Override
        public void passedOn() {}

        @Override
        public void releasing(Hold hold) {}

        @Override
        public void releaseEnded(Hold hold) {}

        @Override
        public void gaveBack(Hold hold) {}

        @Override
        public void mayBeFree(Hold hold) {}
    }
}
