package io.holdfast.lock.tck.faults;

import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The faults that a harness can cause, each of them optional: the rules that need another one are skipped. A control of the kit
 * proves of each that it does something.
 *
 * <p>The kit asks for a fault before it opens a provider. The fault must reach the providers that the harness opens from then on,
 * and no providers of other harnesses: a fault of a whole server needs a separate server, which is best started with the first
 * provider, as the kit also asks only to see what there is. Every fault that has begun is ended, and no two are there at a time.
 */
public interface Faults {

    /**
     * No faults.
     *
     * @return faults none of which is offered
     */
    static Faults none() {
        return new Faults() {};
    }

    /**
     * No faults, and why.
     *
     * @param because the end of the sentence "skipped, as ...", such as {@code the store is in this process}
     * @return faults none of which is offered
     */
    static Faults none(String because) {
        return new Faults() {
            @Override
            public Optional<String> absence(String fault) {
                return Optional.of(because);
            }
        };
    }

    /**
     * An outage, and no other fault.
     *
     * @param outage makes it when it is asked for
     * @return the faults
     */
    static Faults ofOutage(Supplier<Fault> outage) {
        return new Faults() {
            @Override
            public Optional<Fault> outage() {
                return Optional.of(outage.get());
            }
        };
    }

    /**
     * The end of the session of a {@link MortalProvider}, and no other fault.
     *
     * @param life how long the store may take to give a silent session up
     * @return the faults
     */
    static Faults ofSessionEnd(Duration life) {
        return new Faults() {
            @Override
            public Optional<Consumer<LockProvider>> sessionEnd() {
                return Optional.of(provider -> ((MortalProvider) provider).endSession(life));
            }
        };
    }

    /**
     * Why a fault is not offered, for the report. The kit asks the same about what else a harness may lack.
     *
     * @param fault the name of its method here, such as {@code outage}, or of one in the harness, such as {@code uri}
     * @return the end of the sentence "skipped, as ..."; empty if the kit should only say that there is no such fault
     */
    default Optional<String> absence(String fault) {
        return Optional.empty();
    }

    /**
     * Cuts the providers off from their store, as a broken network would: connections break, and new ones are refused at once.
     *
     * @return the fault; empty if there is no such way
     */
    default Optional<Fault> outage() {
        return Optional.empty();
    }

    /**
     * Loses the replies to commands which the store carries out. A provider that repeats a command loses that reply, too. It
     * loses the reply to the command that grants. It does not lose the reply to a command that only makes or keeps a session:
     * without a session no attempt reaches the lock.
     *
     * @return the fault; empty if there is no such way
     */
    default Optional<Fault> lostReplies() {
        return Optional.empty();
    }

    /**
     * Loses the first reply to a command which the store carries out. A provider that repeats the command gets the reply to that.
     *
     * @return the fault; empty if there is no such way
     */
    default Optional<LostReply> lostReply() {
        return Optional.empty();
    }

    /**
     * Has the store answer each request that would change something with an error, and carry out none of it: nobody may write, or
     * there is no room. Connections stay, and questions may be answered. A provider may know some errors and mistake others, so
     * there is a fault for each kind that a test can cause. An error that lets some changes pass is none of them, such as the
     * {@code OOM} of Redis, which lets releases.
     *
     * @return the faults, one for each kind of error; empty if there is no such way
     */
    default List<Fault> errorReplies() {
        return List.of();
    }

    /**
     * Lets one connection of several hang, the first that carries a request from then on: it stays open, and nothing passes. All
     * others work. At the end of the fault the store gets the request, also if its client has given it up. It may be a request
     * that the client sends by itself, such as the PING of a feed. A provider with one connection has no such fault.
     *
     * @return the fault; empty if there is no such way
     */
    default Optional<Fault> stalledConnection() {
        return Optional.empty();
    }

    /**
     * Slows the network down: every reply comes later by a time, a sixth of the lease at most.
     *
     * @return makes the fault of that delay; empty if there is no such way
     */
    default Optional<Function<Duration, Fault>> slowNetwork() {
        return Optional.empty();
    }

    /**
     * Stops the store where it is (SIGSTOP), or holds what is sent to it: connections stay open, and nothing is answered. What
     * was sent meanwhile is carried out afterwards.
     *
     * @return the fault; empty if there is no such way
     */
    default Optional<Fault> pause() {
        return Optional.empty();
    }

    /**
     * Kills the store (SIGKILL), and starts it again with its data.
     *
     * @return the fault, which ends when the store takes connections again; empty if there is no such way
     */
    default Optional<Fault> crash() {
        return Optional.empty();
    }

    /**
     * Kills the store (SIGKILL), and starts it again without its data.
     *
     * @return the fault, which ends when the store takes connections again; empty if there is no such way
     */
    default Optional<Fault> dataLoss() {
        return Optional.empty();
    }

    /**
     * Ends the session of a provider at the store, as if it had expired.
     *
     * @return ends the session of a provider that the harness has opened; empty if there are no sessions or no such way
     */
    default Optional<Consumer<LockProvider>> sessionEnd() {
        return Optional.empty();
    }

    /**
     * Sets the store's clock forward, and back again at the end.
     *
     * @return makes the fault of that step; empty if there is no such way
     */
    default Optional<Function<Duration, Fault>> clockStep() {
        return Optional.empty();
    }

    /**
     * Uses up the connections that the store admits: open ones stay, and no new one can be made.
     *
     * @return the fault; empty if there is no such way
     */
    default Optional<Fault> exhaustion() {
        return Optional.empty();
    }
}
