package io.holdfast.lock.core.client;

import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.OwnHandle;
import io.holdfast.lock.core.hold.Services;
import io.holdfast.lock.core.local.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** The view of a lock for code that wants a {@link Lock}: owned by the thread that locks it, and reentrant. */
final class ThreadLock implements Lock {

    private final Services services;
    private final Acquirer<?> acquirer;
    private final ThreadHolds holds;

    ThreadLock(Services services, Acquirer<?> acquirer, ThreadHolds holds) {
        this.services = services;
        this.acquirer = acquirer;
        this.holds = holds;
    }

    @Override
    public void lock() {
        acquireUninterruptibly(Deadline.NEVER);
    }

    @Override
    public boolean tryLock() {
        return acquireUninterruptibly(Deadline.AT_ONCE);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        acquire(Deadline.NEVER, Interrupts.END_THE_WAIT);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(unit, "unit");
        // In nanoseconds, which are cut where they do not fit: the longest time of a unit is a
        // common way to say "for ever".
        Duration maxWait = Duration.ofNanos(unit.toNanos(time));
        return acquire(Deadline.after(maxWait, services.runtime()), Interrupts.END_THE_WAIT);
    }

    private boolean acquireUninterruptibly(Deadline deadline) {
        try {
            return acquire(deadline, Interrupts.WAIT);
        } catch (InterruptedException impossible) {
            throw new AssertionError("An acquire that keeps interrupts for later was interrupted", impossible);
        }
    }

    private boolean acquire(Deadline deadline, Interrupts interrupts) throws InterruptedException {
        OwnerId thread = services.identity().threadOwner();
        Optional<? extends OwnHandle> handle = acquirer.acquire(thread, deadline, interrupts);
        handle.ifPresent(held -> holds.push(acquirer.names(), held));
        return handle.isPresent();
    }

    @Override
    public void unlock() {
        holds.pop(acquirer.names())
                .orElseThrow(() -> new IllegalMonitorStateException(
                        "The lock '" + String.join(", ", acquirer.names()) + "' is not held by the thread '"
                                + Thread.currentThread().getName() + "' through this view"))
                .close();
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A distributed lock has no conditions");
    }

    @Override
    public String toString() {
        return "Lock[" + String.join(", ", acquirer.names()) + "]";
    }
}
