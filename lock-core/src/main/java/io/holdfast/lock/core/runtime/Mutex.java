package io.holdfast.lock.core.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A lock of this process that its thread may take again, to be extended by what it guards. A {@link java.util.concurrent.locks.ReentrantLock} is
 * two objects of 48 bytes together, and a client has two locks for each name that it holds. The queue is that of the {@code FIFOMutex} in the documentation
 * of {@link LockSupport}. No wait ends by an interrupt, which is kept.
 */
public class Mutex {

    private static final VarHandle OWNER = field("owner", Thread.class);
    private static final VarHandle WAITING = field("waiting", Queue.class);

    private volatile @Nullable Thread owner;

    /** Null until a thread has to wait. */
    private volatile @Nullable Queue<Thread> waiting;

    /** How often its owner has taken it again; guarded by this lock. Short, so that the flags of what extends it fit beside it. */
    private short again;

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Mutex.class, name, type);
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError("The field is above", impossible);
        }
    }

    /** Takes it. Waits for another thread that has it. */
    public final void lock() {
        if (!tryLock()) {
            await(Thread.currentThread());
        }
    }

    /** Takes it, unless another thread has it. */
    public final boolean tryLock() {
        Thread current = Thread.currentThread();
        if (owner == current) {
            again++;
            return true;
        }
        return OWNER.compareAndSet(this, null, current);
    }

    private void await(Thread current) {
        Queue<Thread> queue = queue();
        queue.add(current);
        boolean interrupted = false;
        // The owner that leaves now finds this thread in the queue, or this thread finds that it has left.
        while (queue.peek() != current || !OWNER.compareAndSet(this, null, current)) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        queue.remove();
        if (interrupted) {
            current.interrupt();
        }
    }

    private Queue<Thread> queue() {
        Queue<Thread> present = waiting;
        if (present == null) {
            Queue<Thread> made = new ConcurrentLinkedQueue<>();
            present = WAITING.compareAndSet(this, null, made) ? made : queue();
        }
        return present;
    }

    /**
     * Ends what {@link #lock()} or {@link #tryLock()} began.
     *
     * @throws IllegalMonitorStateException if this thread does not have it
     */
    public final void unlock() {
        if (owner != Thread.currentThread()) {
            throw new IllegalMonitorStateException("another thread has it, or none");
        }
        if (again > 0) {
            again--;
            return;
        }
        owner = null;
        Queue<Thread> queue = waiting;
        if (queue != null) {
            LockSupport.unpark(queue.peek());
        }
    }
}
