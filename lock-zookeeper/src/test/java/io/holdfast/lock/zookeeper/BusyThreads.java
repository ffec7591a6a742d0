package io.holdfast.lock.zookeeper;

import java.util.ArrayList;
import java.util.List;

/**
 * Threads that keep all processors busy until they are closed, so that any other thread of the machine may have to wait for one.
 */
final class BusyThreads implements AutoCloseable {

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    private BusyThreads(int count) {
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(this::spin, "busy " + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    static BusyThreads onePerProcessorAndOneMore() {
        return new BusyThreads(Runtime.getRuntime().availableProcessors() + 1);
    }

    void start() {
        threads.forEach(Thread::start);
    }

    private void spin() {
        while (!closed) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
