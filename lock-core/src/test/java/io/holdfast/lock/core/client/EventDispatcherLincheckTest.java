package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.Programs.expect;
import static io.holdfast.lock.core.client.Programs.step;
import static io.holdfast.lock.core.client.Programs.thread;

import io.holdfast.lock.LockListener;
import io.holdfast.lock.core.runtime.EventDispatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Two threads emit events while the client's threads deliver them: each arrives once, in order, and one at a time. */
public class EventDispatcherLincheckTest {

    private static final int OTHER = 10;

    private final ConcurrentLinkedQueue<Runnable> callbacks = new ConcurrentLinkedQueue<>();
    private final EventDispatcher dispatcher = new EventDispatcher(List.of(new LockListener() {}), callbacks::add);
    private final List<Integer> emitted = new ArrayList<>();
    private final List<Integer> delivered = new ArrayList<>();
    private volatile boolean delivering;
    private volatile boolean overlapped;

    public void begin() {}

    public void emit(int event) {
        synchronized (emitted) {
            emitted.add(event);
        }
        dispatcher.emit(listener -> deliver(event));
    }

    private void deliver(int event) {
        overlapped |= delivering;
        delivering = true;
        delivered.add(event);
        delivering = false;
    }

    public void callback() {
        Runnable task = callbacks.poll();
        if (task != null) {
            task.run();
        }
    }

    @Validate
    public void allHaveArrivedInOrder() {
        while (!callbacks.isEmpty()) {
            callback();
        }
        expect(!overlapped, "one delivery at a time");
        expect(delivered.size() == emitted.size() && delivered.containsAll(emitted), "all of " + emitted);
        expect(isSorted(delivered.stream().filter(event -> event < OTHER).toList()), "one thread's events in order");
        expect(isSorted(delivered.stream().filter(event -> event >= OTHER).toList()), "the other's events in order");
    }

    private static boolean isSorted(List<Integer> events) {
        return events.equals(events.stream().sorted().toList());
    }

    @Test
    void eventsArriveOnceInOrderAndOneAtATime() {
        Programs.of(EventDispatcherLincheckTest.class, 60)
                .program(thread(step("emit", 1), step("emit", 2)), thread(step("callback"), step("callback")))
                .program(thread(step("emit", 1), step("callback")), thread(step("emit", OTHER), step("callback")))
                .program(
                        thread(step("emit", 1), step("emit", 2)),
                        thread(step("emit", OTHER), step("callback")),
                        thread(step("callback")))
                .check();
    }
}
