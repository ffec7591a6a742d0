package io.holdfast.lock.tck;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LossCause;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it hears, as one word for each event. */
final class EventLog implements LockListener {

    private final List<String> events = new CopyOnWriteArrayList<>();

    long count(String event) {
        return events.stream().filter(event::equals).count();
    }

    @Override
    public void acquired(LockEvent event) {
        events.add("acquired");
    }

    @Override
    public void contended(LockEvent event) {
        events.add("contended");
    }

    @Override
    public void renewed(LockEvent event) {
        events.add("renewed");
    }

    @Override
    public void renewalFailed(LockEvent event, LockException failure) {
        events.add("renewalFailed");
    }

    @Override
    public void lost(LockEvent event, LossCause cause) {
        events.add("lost");
    }

    @Override
    public void released(LockEvent event) {
        events.add("released");
    }
}
