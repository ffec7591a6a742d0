package io.holdfast.lock.core.lease;

import io.holdfast.lock.LockException;
import io.holdfast.lock.core.claim.StoreCalls;
import io.holdfast.lock.core.runtime.Alarm;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Watches the leases of all holds of a client: renews them in batches after a third of their time, warns when only a third is
 * left, and ends a hold at its deadline, also while a renewal hangs.
 *
 * <p>There is one timer for all leases. It is set again only for an earlier time, so that acquiring and releasing locks in a loop
 * costs it nothing; when it fires, it does what is due and is set for the next lease.
 */
public final class LeaseKeeper {

    /** How far ahead one tick looks for renewals that can go along; a lease's own limit is narrower, mostly. */
    private static final long LOOK_AHEAD_NANOS = Duration.ofSeconds(5).toNanos();

    private final LockProvider provider;
    private final StoreCalls storeCalls;
    private final EngineRuntime runtime;
    private final int batchSize;
    private final RenewalLanes lanes;
    private final ReentrantLock mutex = new ReentrantLock();

    // All below is guarded by the mutex.
    private final LeaseQueue queue = new LeaseQueue();
    private final Alarm timer;
    private int sequence;

    /** Creates a keeper without leases. */
    public LeaseKeeper(LockProvider provider, StoreCalls storeCalls, EngineRuntime runtime) {
        this.provider = provider;
        this.storeCalls = storeCalls;
        this.runtime = runtime;
        this.batchSize = provider.renewalBatch();
        this.lanes = new RenewalLanes(runtime);
        this.timer = new Alarm(runtime, mutex, this::tick);
    }

    /** Begins to watch a lease that runs from a reading of the clock. Has no effect if it has ended since. */
    public void keep(Lease lease, long from) {
        mutex.lock();
        try {
            if (lease.isHeldAt(runtime.now())) {
                lease.begin(++sequence, from, lease.deadline());
                queue.add(lease);
                setTimer();
            }
        } finally {
            mutex.unlock();
        }
    }

    /** Stops watching a lease: no renewal is sent for it any more. */
    public void drop(Lease lease) {
        mutex.lock();
        try {
            boolean unused = queue.remove(lease);
        } finally {
            mutex.unlock();
        }
    }

    /** A lease was prolonged to its new deadline. */
    public void renewed(Lease lease) {
        change(lease, () -> lease.restart(runtime.now(), lease.deadline()));
    }

    /** Renews a lease again, sooner than usual: a renewal failed, or could not be sent. */
    public void retrySoon(Lease lease) {
        change(lease, () -> lease.retry(runtime.now()));
    }

    /** Renews a lease now, if it is renewed automatically: it may end sooner than was promised. */
    public void renewNow(Lease lease) {
        change(lease, () -> lease.renewNow(runtime.now()));
    }

    /** Leases end earlier than they did: the store's clock was set forward. */
    public void endsHaveMoved() {
        mutex.lock();
        try {
            List<Lease> moved = queue.all().filter(Lease::isOutdated).toList();
            moved.forEach(queue::remove);
            long now = runtime.now();
            moved.forEach(lease -> lease.endEarlier(now));
            moved.forEach(queue::add);
            setTimer();
        } finally {
            mutex.unlock();
        }
    }

    private void change(Lease lease, Runnable change) {
        mutex.lock();
        try {
            if (queue.remove(lease)) {
                change.run();
                queue.add(lease);
                setTimer();
            }
        } finally {
            mutex.unlock();
        }
    }

    private void setTimer() {
        if (!queue.isEmpty()) {
            timer.setAtTheLatest(queue.first().due());
        }
    }

    private void tick() {
        Due due = new Due();
        mutex.lock();
        try {
            takeWhatIsDue(runtime.now(), due);
            setTimer();
        } finally {
            mutex.unlock();
        }
        // One that breaks must not take the renewals of this tick with it.
        due.ended.forEach(lease -> EngineRuntime.run(lease::expire));
        renew(due.toRenew.stream().filter(this::isWanted).toList(), due.longestPause);
        due.late.forEach(Lease::renewalIsLate);
        due.atRisk.forEach(Lease::warn);
    }

    /** What one tick has to do. */
    private static final class Due {
        final List<Lease> ended = new ArrayList<>();
        final List<Lease> atRisk = new ArrayList<>();
        final List<Lease> late = new ArrayList<>();
        final List<Lease> toRenew = new ArrayList<>();

        /** For how long each of the renewals may wait for others. */
        long longestPause = Long.MAX_VALUE;
    }

    private boolean isWanted(Lease lease) {
        boolean wanted = lease.isRenewalWanted();
        if (!wanted) {
            // Its owner may share the hold again before the lease ends.
            retrySoon(lease);
        }
        return wanted;
    }

    private void takeWhatIsDue(long now, Due due) {
        for (Lease lease : queue.dueBy(now + LOOK_AHEAD_NANOS)) {
            if (lease.isOver(now)) {
                // It stays in the queue until the hold drops it, so that nothing that breaks on the way hides a loss.
                due.ended.add(lease);
                continue;
            }
            boolean unused = queue.remove(lease);
            if (lease.takeWarning(now)) {
                due.atRisk.add(lease);
                // Before a renewal is begun in this tick, which cannot be late.
                if (lease.isRenewalPending()) {
                    due.late.add(lease);
                }
            }
            if (lease.takeRenewal(now)) {
                due.toRenew.add(lease);
                due.longestPause = Math.min(due.longestPause, lease.longestPause());
            }
            queue.add(lease);
        }
    }

    /** Each batch is a task, so that a batch that hangs does not delay the others. */
    private void renew(List<Lease> leases, long longestPause) {
        Map<Object, List<Lease>> groups = new LinkedHashMap<>();
        for (Lease lease : leases) {
            lease.renewalBegan();
            try {
                Object group = storeCalls.run("renew", lease.claim().lockName(), () -> groupOf(lease));
                groups.computeIfAbsent(group, first -> new ArrayList<>()).add(lease);
            } catch (LockException unknown) {
                lease.renewalFailed(unknown);
            }
        }
        groups.values().forEach(group -> renewGroup(group, longestPause));
    }

    private Object groupOf(Lease lease) {
        return provider.renewalGroup(lease.claim().unguarded());
    }

    private void renewGroup(List<Lease> leases, long longestPause) {
        for (int from = 0; from < leases.size(); from += batchSize) {
            List<Lease> batch = List.copyOf(leases.subList(from, Math.min(from + batchSize, leases.size())));
            lanes.run(new RenewalBatch(provider, storeCalls, this, runtime, batch), longestPause);
        }
    }
}
