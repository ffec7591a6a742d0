package io.holdfast.lock.core;

import io.holdfast.lock.spi.LockProvider;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Watches the leases of all holds of a client: has them renewed, in batches, at a third of their time, warns when only a third
 * is left, and ends a hold at its deadline, also while a renewal hangs.
 *
 * <p>There is one timer for all leases. It is set again only for an earlier time, so that taking and releasing locks in a loop
 * costs it nothing; when it fires, it does what is due and sets itself for the next lease.
 */
final class LeaseKeeper {

    /** How far ahead one tick looks for renewals that can go along; a lease's own limit is narrower, mostly. */
    private static final long LOOK_AHEAD_NANOS = Duration.ofSeconds(5).toNanos();

    private static final long PAUSE_AFTER_A_FAILURE_NANOS =
            Duration.ofMillis(100).toNanos();

    private final LockProvider provider;
    private final StoreCalls storeCalls;
    private final EngineRuntime runtime;
    private final EventDispatcher events;
    private final int batchSize;
    private final ReentrantLock mutex = new ReentrantLock();

    // All below is guarded by the mutex.
    private final Map<Hold, Lease> leases = new HashMap<>();
    private final TreeSet<Lease> queue = new TreeSet<>();
    private long sequence;
    private final Alarm timer;

    LeaseKeeper(LockProvider provider, StoreCalls storeCalls, EngineRuntime runtime, EventDispatcher events) {
        this.provider = provider;
        this.storeCalls = storeCalls;
        this.runtime = runtime;
        this.events = events;
        this.batchSize = provider.capabilities().renewalBatch();
        this.timer = new Alarm(runtime, this::tick);
    }

    /** Begins to watch a hold whose grant was asked for at a reading of the clock. */
    void keep(Hold hold, long grantedAt) {
        mutex.lock();
        try {
            drop(hold);
            Lease lease = new Lease(hold, sequence++);
            lease.restart(grantedAt, hold.deadline());
            leases.put(hold, lease);
            queue.add(lease);
            setTimer();
        } finally {
            mutex.unlock();
        }
    }

    /** Stops watching a hold: no renewal is sent for it any more. */
    void drop(Hold hold) {
        mutex.lock();
        try {
            Lease lease = leases.remove(hold);
            if (lease != null) {
                queue.remove(lease);
            }
        } finally {
            mutex.unlock();
        }
    }

    /** The lease of a hold was prolonged to its new deadline. */
    void renewed(Hold hold) {
        change(hold, lease -> lease.restart(runtime.ticker().nanos(), hold.deadline()));
    }

    /** Sends the renewal of a hold again, sooner than usual: it failed, or could not be sent. */
    void retrySoon(Hold hold) {
        change(hold, lease -> lease.retry(runtime.ticker().nanos()));
    }

    private void change(Hold hold, Consumer<Lease> change) {
        mutex.lock();
        try {
            Lease lease = leases.get(hold);
            if (lease != null) {
                queue.remove(lease);
                change.accept(lease);
                queue.add(lease);
                setTimer();
            }
        } finally {
            mutex.unlock();
        }
    }

    private void setTimer() {
        if (!queue.isEmpty()) {
            timer.setForAtTheLatest(queue.first().due());
        }
    }

    private void tick(long number) {
        List<Hold> ended = new ArrayList<>();
        List<Hold> atRisk = new ArrayList<>();
        List<Hold> overdue = new ArrayList<>();
        List<Hold> toRenew = new ArrayList<>();
        mutex.lock();
        try {
            if (!timer.rang(number)) {
                return;
            }
            long now = runtime.ticker().nanos();
            if (!guarded(() -> takeWhatIsDue(now, ended, atRisk, overdue, toRenew))) {
                timer.setForAtTheLatest(now + PAUSE_AFTER_A_FAILURE_NANOS);
            }
        } finally {
            mutex.unlock();
        }
        ended.forEach(hold -> guarded(() -> end(hold)));
        guarded(() -> renew(wanted(toRenew)));
        overdue.forEach(hold -> guarded(hold.renewal()::overdue));
        atRisk.forEach(hold -> guarded(() -> warn(hold)));
    }

    /** Holds without renewal are checked for dropped handles here. */
    private static void end(Hold hold) {
        hold.warnOfDroppedHandles();
        hold.expire();
    }

    /** Those that somebody can still release; the others end with their lease, unless their owner re-enters them. */
    private List<Hold> wanted(List<Hold> due) {
        List<Hold> wanted = new ArrayList<>(due.size());
        for (Hold hold : due) {
            hold.warnOfDroppedHandles();
            if (hold.isWanted()) {
                wanted.add(hold);
            } else {
                retrySoon(hold);
            }
        }
        return wanted;
    }

    private void warn(Hold hold) {
        Duration left = hold.remaining();
        // It may have been released or renewed since this tick began.
        if (!hold.isAtRisk()) {
            return;
        }
        if (hold.isWanted()) {
            events.log().atRisk(hold.event(), left);
        }
        events.emit(listener -> listener.atRisk(hold.event(), hold.remaining()));
    }

    private void takeWhatIsDue(long now, List<Hold> ended, List<Hold> atRisk, List<Hold> overdue, List<Hold> toRenew) {
        if (queue.size() < leases.size()) {
            // The tick before this one broke off.
            queue.addAll(leases.values());
        }
        for (Lease lease : comingUp(now)) {
            queue.remove(lease);
            if (lease.isOver(now)) {
                ended.add(lease.hold());
                leases.remove(lease.hold());
                continue;
            }
            if (lease.takeWarning(now)) {
                atRisk.add(lease.hold());
                // Before a renewal is begun in this tick, which cannot be overdue.
                if (lease.hold().renewal().isOpen()) {
                    overdue.add(lease.hold());
                }
            }
            if (lease.takeRenewal(now)) {
                toRenew.add(lease.hold());
            }
            queue.add(lease);
        }
        setTimer();
    }

    /**
     * Whatever breaks in one part must not keep the others from being done: they are about other locks.
     *
     * @return whether it was done
     */
    private static boolean guarded(Runnable part) {
        try {
            part.run();
            return true;
        } catch (Throwable broken) {
            LockLog.write(Level.ERROR, "Keeping leases broke off; it goes on with the next lease that is due", broken);
            return false;
        }
    }

    private List<Lease> comingUp(long now) {
        List<Lease> found = new ArrayList<>();
        for (Lease lease : queue) {
            if (lease.due() - now > LOOK_AHEAD_NANOS) {
                break;
            }
            found.add(lease);
        }
        return found;
    }

    /** Each batch runs on a thread of its own, as far as there are threads: one that hangs does not delay the others. */
    private void renew(List<Hold> holds) {
        for (int from = 0; from < holds.size(); from += batchSize) {
            List<Hold> batch = List.copyOf(holds.subList(from, Math.min(from + batchSize, holds.size())));
            batch.forEach(hold -> hold.renewal().begins());
            try {
                runtime.renewals().execute(new RenewalBatch(provider, storeCalls, this, runtime.ticker(), batch));
            } catch (RejectedExecutionException closed) {
                // The client is closing, which gives up every hold: there is nothing left to renew.
                return;
            }
        }
    }
}
