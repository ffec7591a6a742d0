package io.holdfast.lock.core.client;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LossCause;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A listener that records each event in a word or two. */
final class RecordedEvents implements LockListener {

    private final List<String> kinds = new CopyOnWriteArrayList<>();
    private final List<LockEvent> events = new CopyOnWriteArrayList<>();

    List<String> kinds() {
        return kinds;
    }

    List<LockEvent> events() {
        return events;
    }

    void forget() {
        kinds.clear();
        events.clear();
    }

    long count(String kind) {
        return kinds.stream().filter(kind::equals).count();
    }

    private void add(String kind, LockEvent event) {
        events.add(event);
        kinds.add(kind);
    }

    @Override
    public void acquired(LockEvent event) {
        add("acquired", event);
    }

    @Override
    public void contended(LockEvent event) {
        add("contended", event);
    }

    @Override
    public void renewed(LockEvent event) {
        add("renewed", event);
    }

    @Override
    public void renewalFailed(LockEvent event, LockException failure) {
        add("renewalFailed", event);
    }

    @Override
    public void atRisk(LockEvent event, Duration remaining) {
        add("atRisk", event);
    }

    @Override
    public void lost(LockEvent event, LossCause cause) {
        add("lost " + cause, event);
    }

    @Override
    public void released(LockEvent event) {
        add("released", event);
    }
}
