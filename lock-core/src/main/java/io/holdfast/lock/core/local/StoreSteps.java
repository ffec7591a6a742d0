package io.holdfast.lock.core.local;

import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.claim.ClaimReaper.Until;
import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.core.hold.Grant;
import io.holdfast.lock.core.hold.HandOvers;
import io.holdfast.lock.core.hold.Hold;
import io.holdfast.lock.core.hold.HoldHandle;
import io.holdfast.lock.core.hold.Services;
import io.holdfast.lock.core.lease.LeaseEnd;
import io.holdfast.lock.core.local.Waiter.End;
import io.holdfast.lock.core.runtime.LockLog;
import io.holdfast.lock.spi.Attempt;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * The calls to the store on behalf of waiters. A blocking acquire makes them on its own thread, an asynchronous one on a thread
 * of the client's. Each ends with an event of the {@link LocalLock}.
 */
final class StoreSteps {

    private final Services services;
    private final LocalLocks locks;

    StoreSteps(Services services, LocalLocks locks) {
        this.services = services;
        this.locks = locks;
    }

    /** Asks the store for the lock. */
    void attempt(LocalLock lock, Waiter waiter) {
        run(lock, waiter, () -> {
            if (!lock.beginAttempt(waiter)) {
                return;
            }
            SerialClaim claim = waiter.claimForAttempt();
            long sentAt = services.now();
            Attempt answer;
            try {
                answer = claim.attemptFor(1 + lock.handOversFor(waiter));
            } catch (LockException unknown) {
                release(waiter, claim, Until.RELEASED);
                throw unknown;
            }
            if (answer instanceof Attempt.Granted granted) {
                LeaseEnd end = services.clocks().endOf(granted.validFor(), granted.storeTime(), sentAt);
                HandOvers handOvers = handOvers(waiter, granted);
                granted(lock, waiter, new Grant(claim, granted.fencingToken(), sentAt, end, handOvers));
            } else {
                lock.refused(waiter, (Attempt.Contended) answer, registerForWakeUps(waiter));
            }
        });
    }

    /** Each hand-over takes one of the tokens that the store has reserved. */
    private HandOvers handOvers(Waiter waiter, Attempt.Granted granted) {
        int bound = waiter.request().options().handOver();
        int most = granted.fencingToken().isPresent() ? Math.min(bound, granted.tokens() - 1) : bound;
        return HandOvers.from(services.now(), most);
    }

    /** Registers a waiter that was refused for messages. Returns whether the store will wake it. */
    private boolean registerForWakeUps(Waiter waiter) {
        if (locks.wakeUps().hasFeed()) {
            return waiter.request().waits()
                    && locks.wakeUps().register(waiter.request().lockName(), waiter);
        }
        return services.provider().capabilities().wakeUp() == WakeUp.PUSH;
    }

    private void granted(LocalLock lock, Waiter waiter, Grant grant) {
        if (services.now() - grant.end().reading() >= 0) {
            release(waiter, grant.claim(), Until.ANSWERED);
            lock.failed(waiter, grantedTooLate(waiter.request()), false);
        } else {
            waiter.claim = null;
            lock.granted(waiter, grant);
        }
    }

    private static LockException grantedTooLate(LockRequest request) {
        return new LockLostException(
                "The lock '" + request.lockName()
                        + "' was granted, but its time ran out before the answer came: the store is too slow, or the lease of "
                        + request.options().leaseTime().toMillis() + " ms or the session's time-out too short",
                LossCause.EXPIRED);
    }

    private void release(Waiter waiter, SerialClaim claim, Until until) {
        waiter.claim = null;
        services.reaper().release(claim, until, () -> locks.wakeUp(claim.lockName()), () -> {});
    }

    /** Shares the hold of the same owner, which may have to be renewed first. */
    void reenter(LocalLock lock, Waiter waiter, Hold own) {
        run(lock, waiter, () -> {
            Optional<HoldHandle> handle;
            try {
                handle = HoldHandle.reentering(own, waiter.thread());
            } catch (LockException unknown) {
                lock.failed(waiter, unknown, false);
                return;
            }
            lock.reentered(waiter, own, handle);
        });
    }

    /** Takes back the claim of a waiter that ends, so that it leaves nothing at the store. */
    void withdraw(LocalLock lock, Waiter waiter, End end) {
        run(lock, waiter, () -> {
            SerialClaim claim = waiter.claim;
            if (claim != null) {
                waiter.claim = null;
                try {
                    claim.release();
                } catch (LockException unknown) {
                    // The acquire ends as it should. Nobody is woken afterwards: the claim kept nobody from the lock.
                    services.reaper().release(claim, Until.ANSWERED, () -> {}, () -> {});
                }
            }
            lock.withdrawn(waiter, end);
        });
    }

    /** Takes back the claim of a waiter that was passed another one. Nobody is woken afterwards: it kept nobody from the lock. */
    void leave(SerialClaim claim) {
        services.reaper().release(claim, Until.ANSWERED, () -> {}, () -> {});
    }

    private void run(LocalLock lock, Waiter waiter, Runnable step) {
        try {
            waiter.run(() -> {
                try {
                    step.run();
                } catch (LockException unknown) {
                    // A pool that gave up because this thread was interrupted says nothing of the store.
                    boolean ofTheStore = unknown instanceof LockStoreException
                            && !Thread.currentThread().isInterrupted();
                    lock.failed(waiter, unknown, ofTheStore);
                } catch (RuntimeException | Error broken) {
                    broke(lock, waiter, broken);
                }
            });
        } catch (RejectedExecutionException closed) {
            lock.withdrawn(waiter, End.with(locks.closedException()));
        }
    }

    private void broke(LocalLock lock, Waiter waiter, Throwable broken) {
        SerialClaim claim = waiter.claim;
        if (claim != null) {
            release(waiter, claim, Until.RELEASED);
        }
        String what = "The acquire of the lock '" + waiter.request().lockName() + "' broke off";
        LockLog.write(Level.ERROR, what, broken);
        lock.failed(waiter, new LockStoreException(what, broken), true);
    }
}
