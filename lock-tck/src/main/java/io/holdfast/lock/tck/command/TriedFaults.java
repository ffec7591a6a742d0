package io.holdfast.lock.tck.command;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.LostReply;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Those of some faults that were seen to work.
 *
 * @param faults all of them
 * @param absences why the others are not offered, by the names of their methods
 */
record TriedFaults(Faults faults, Map<String, String> absences) implements Faults {

    private <T> Optional<T> offered(String name, Supplier<Optional<T>> fault) {
        return absences.containsKey(name) ? Optional.empty() : fault.get();
    }

    @Override
    public Optional<String> absence(String fault) {
        return Optional.ofNullable(absences.get(fault.equals("lostReply") ? Route.LOST_REPLIES : fault));
    }

    @Override
    public Optional<Fault> outage() {
        return offered(Route.OUTAGE, faults::outage);
    }

    @Override
    public Optional<Fault> lostReplies() {
        return offered(Route.LOST_REPLIES, faults::lostReplies);
    }

    @Override
    public Optional<LostReply> lostReply() {
        return offered(Route.LOST_REPLIES, faults::lostReply);
    }

    @Override
    public Optional<Fault> stalledConnection() {
        return offered(Route.STALLED_CONNECTION, faults::stalledConnection);
    }

    @Override
    public Optional<Fault> pause() {
        return offered(Route.PAUSE, faults::pause);
    }

    @Override
    public Optional<Function<Duration, Fault>> slowNetwork() {
        return offered(Route.SLOW_NETWORK, faults::slowNetwork);
    }

    @Override
    public Optional<Fault> exhaustion() {
        return offered(Route.EXHAUSTION, faults::exhaustion);
    }

    @Override
    public Optional<Consumer<LockProvider>> sessionEnd() {
        return offered("sessionEnd", faults::sessionEnd);
    }
}
