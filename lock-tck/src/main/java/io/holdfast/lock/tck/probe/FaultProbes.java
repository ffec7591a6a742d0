package io.holdfast.lock.tck.probe;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Shows whether the faults of a harness work, as a provider meets them. The controls of the kit demand that each does; the
 * command offers those that do. Each probe says what it saw if the fault does not work, and is empty if it does.
 */
public final class FaultProbes {

    private final ProbeCaller caller;
    private final String free;

    /**
     * Probes by the calls of one caller.
     *
     * @param caller makes the calls
     * @param free the name of a lock that nobody holds
     */
    public FaultProbes(ProbeCaller caller, String free) {
        this.caller = caller;
        this.free = free;
    }

    /**
     * No call reaches the store.
     *
     * @param fault which must keep it away
     * @param provider which has connected before
     * @return what was seen instead
     */
    public Optional<String> cutOff(Fault fault, LockProvider provider) {
        return during(fault, () -> caller.isAnswered(() -> ask(provider)))
                ? Optional.of("a call was answered meanwhile")
                : Optional.empty();
    }

    /**
     * Calls hang.
     *
     * @param pause which must leave them without an answer
     * @param provider which has connected before
     * @param hangs how long it must
     * @return what was seen instead
     */
    public Optional<String> pause(Fault pause, LockProvider provider, Duration hangs) {
        return during(pause, () -> caller.isAnsweredBefore(() -> ask(provider), hangs))
                ? Optional.of("a call was answered meanwhile")
                : Optional.empty();
    }

    /**
     * Every reply is late.
     *
     * @param slow which must delay it
     * @param provider which has connected before
     * @param delay by how much
     * @return what was seen instead
     */
    public Optional<String> slowNetwork(Fault slow, LockProvider provider, Duration delay) {
        Duration took = during(slow, () -> {
            long start = System.nanoTime();
            ask(provider);
            return Duration.ofNanos(System.nanoTime() - start);
        });
        return took.compareTo(delay) >= 0
                ? Optional.empty()
                : Optional.of("a call took " + took.toMillis() + " ms, and the reply was to be late by "
                        + delay.toMillis() + " ms");
    }

    /**
     * One connection hangs, and no other.
     *
     * @param stall which must let it hang
     * @param provider which has connected before
     * @param hangs how long it must
     * @param others the calls after the one that hangs
     * @param limit how long they may take together
     * @return what was seen instead
     */
    public Optional<String> stalledConnection(
            Fault stall, LockProvider provider, Duration hangs, int others, Duration limit) {
        return during(stall, () -> {
            if (caller.isAnsweredBefore(() -> ask(provider), hangs)) {
                return Optional.of("the first call was answered");
            }
            return caller.isAnsweredWithin(() -> ask(provider, others), limit)
                    ? Optional.empty()
                    : Optional.of("the calls after it were not answered: the provider has no other connection, or uses"
                            + " this one on");
        });
    }

    /**
     * No new connection can be made.
     *
     * @param exhaustion which must leave none
     * @param newcomer opens a provider, which may connect at once, and calls it
     * @return what was seen instead
     */
    public Optional<String> exhaustion(Fault exhaustion, Runnable newcomer) {
        return during(exhaustion, () -> caller.isAnswered(newcomer))
                ? Optional.of("the call of a new provider was answered")
                : Optional.empty();
    }

    /**
     * The reply to a command is lost, and the command is carried out.
     *
     * @param lost which must lose the reply
     * @param call the command
     * @param rival a claim of another client for the same lock, which attempts after the fault
     * @param frees whether the command frees the lock
     * @return what was seen instead
     */
    public Optional<String> lostReply(Fault lost, Runnable call, Supplier<Claim> rival, boolean frees) {
        if (during(lost, () -> caller.isAnswered(call))) {
            return Optional.of("a call was answered, and its reply was to be lost");
        }
        return rival.get().attempt() instanceof Attempt.Granted == frees
                ? Optional.empty()
                : Optional.of("a command was lost with its reply");
    }

    /**
     * The command is answered with an error at once, and is not carried out.
     *
     * @param errors which must answer it so
     * @param attempt the command, by which a claim would be granted a lock that is free
     * @param rival a claim of another client for the same lock, which attempts after the fault
     * @return what was seen instead
     */
    public Optional<String> errorReply(Fault errors, Runnable attempt, Supplier<Claim> rival) {
        if (during(errors, () -> caller.isAnswered(attempt))) {
            return Optional.of("a call was answered, and the store was to refuse it");
        }
        return rival.get().attempt() instanceof Attempt.Granted
                ? Optional.empty()
                : Optional.of("a command was carried out that was answered with an error");
    }

    private void ask(LockProvider provider) {
        ask(provider, 1);
    }

    private void ask(LockProvider provider, int times) {
        for (int i = 0; i < times; i++) {
            boolean unused = provider.holder(free).isPresent();
        }
    }

    private static <T> T during(Fault fault, Supplier<T> body) {
        fault.begin().run();
        try {
            return body.get();
        } finally {
            fault.end().run();
        }
    }
}
