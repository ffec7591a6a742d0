package io.holdfast.lock.core.client;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/** An executor whose tasks hang until the test lets them run. */
final class TaskQueue implements Executor {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean open;

    @Override
    public void execute(Runnable task) {
        if (open) {
            task.run();
        } else {
            tasks.add(task);
        }
    }

    int size() {
        return tasks.size();
    }

    /** Runs the oldest hanging task, if there is one. */
    void runNext() {
        Runnable task = tasks.poll();
        if (task != null) {
            task.run();
        }
    }

    /** Runs the hanging tasks, and those that they submit. */
    void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** From now on nothing hangs. */
    void open() {
        open = true;
        runAll();
    }
}
