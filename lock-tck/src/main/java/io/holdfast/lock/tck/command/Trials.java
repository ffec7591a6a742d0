package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockException;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.probe.FaultProbes;
import io.holdfast.lock.tck.probe.ProbeCaller;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Finds out which faults a proxy can cause for a provider: a store may tell clients another address, a provider may have one
 * connection, and some requests are none of the lock's. A fault that does not work would make the kit blame the provider.
 */
final class Trials {

    private static final Duration DELAY = Duration.ofMillis(100);
    private static final int TRIES = 3;
    private static final int OTHER_CALLS = 20;
    private static final ProbeCaller CALLER = new BackgroundCaller();

    private final Function<Route, LockHarness> making;
    private final Duration lease;

    Trials(Function<Route, LockHarness> making, Duration lease) {
        this.making = making;
        this.lease = lease;
    }

    /** One trial: says why the fault does not work; empty if it does. */
    private interface Trial {
        Optional<String> on(LockHarness harness);
    }

    /** The way with the faults that work, of those that it may have. */
    Route over(Route widest) {
        Optional<String> noProxy = tried(widest, Trials::answersByProxy);
        if (noProxy.isPresent()) {
            return Route.direct(noProxy.get());
        }
        Map<String, FutureTask<Route>> trials = new LinkedHashMap<>();
        trials.put(Route.OUTAGE, alone(widest, Route.OUTAGE, this::outage));
        trials.put(Route.SLOW_NETWORK, alone(widest, Route.SLOW_NETWORK, this::slowNetwork));
        trials.put(Route.EXHAUSTION, alone(widest, Route.EXHAUSTION, this::exhaustion));
        trials.put(Route.STALLED_CONNECTION, alone(widest, Route.STALLED_CONNECTION, this::stalledConnection));
        trials.put(Route.PAUSE, alone(widest, Route.PAUSE, this::pause));
        trials.put(Route.LOST_REPLIES, BackgroundCaller.inBackground(() -> lostReplies(widest)));
        Route found = widest;
        for (Map.Entry<String, FutureTask<Route>> each : trials.entrySet()) {
            Route seen = resultOf(each.getValue());
            String absence = seen.absences().get(each.getKey());
            found = absence == null ? found : found.without(each.getKey(), absence);
            found = each.getKey().equals(Route.LOST_REPLIES) ? found.losing(seen.losesReplyTo()) : found;
        }
        return found;
    }

    private FutureTask<Route> alone(Route widest, String fault, Trial trial) {
        return BackgroundCaller.inBackground(() -> widest.absences().containsKey(fault)
                ? widest
                : tried(widest, trial)
                        .map(reason -> widest.without(fault, reason))
                        .orElse(widest));
    }

    private Route lostReplies(Route widest) {
        if (widest.absences().containsKey(Route.LOST_REPLIES)) {
            return widest;
        }
        // Rather not all: a pool asks by separate requests whether a connection works, but only after a while.
        List<Predicate<String>> choices = List.of(Trials::isOfLocks, request -> true);
        Optional<String> reason = Optional.empty();
        for (Predicate<String> choice : choices) {
            Route route = widest.losing(choice);
            Optional<String> seen = tried(route, this::lostReplies);
            if (seen.isEmpty()) {
                return route;
            }
            reason = reason.or(() -> seen);
        }
        return widest.without(Route.LOST_REPLIES, reason.orElseThrow());
    }

    /** Whether a request names a lock of the kit, or a table of locks. */
    private static boolean isOfLocks(String request) {
        return request.contains(TrialLocks.PREFIX)
                || request.toLowerCase(Locale.ROOT).contains("lock");
    }

    /** Repeats a trial that fails: the machine may be slow. */
    private Optional<String> tried(Route route, Trial trial) {
        Optional<String> reason = Optional.empty();
        for (int i = 0; i < TRIES; i++) {
            try (LockHarness harness = making.apply(route)) {
                reason = trial.on(harness);
            } catch (LockException failed) {
                // Not the message: it may be a vendor's, with a password.
                reason = Optional.of("a call failed in the trial of the proxy, by a "
                        + failed.getClass().getSimpleName());
            }
            if (reason.isEmpty()) {
                return reason;
            }
        }
        return reason;
    }

    private static Optional<String> answersByProxy(LockHarness harness) {
        // Asked for, so that there is a proxy.
        boolean unused = harness.faults().outage().isPresent();
        try (LockProvider provider = harness.open()) {
            return CALLER.isAnswered(() -> provider.holder(TrialLocks.newName()))
                    ? Optional.empty()
                    : Optional.of("the store does not answer by a proxy");
        }
    }

    private Optional<String> outage(LockHarness harness) {
        Fault outage = harness.faults().outage().orElseThrow();
        try (LockProvider provider = TrialLocks.connected(harness)) {
            return probes().cutOff(outage, provider);
        }
    }

    private Optional<String> pause(LockHarness harness) {
        Fault pause = harness.faults().pause().orElseThrow();
        try (LockProvider provider = TrialLocks.connected(harness)) {
            return probes().pause(pause, provider, lease);
        }
    }

    private Optional<String> slowNetwork(LockHarness harness) {
        Fault slow = harness.faults().slowNetwork().orElseThrow().apply(DELAY);
        try (LockProvider provider = TrialLocks.connected(harness)) {
            return probes().slowNetwork(slow, provider, DELAY);
        }
    }

    private Optional<String> exhaustion(LockHarness harness) {
        Fault exhaustion = harness.faults().exhaustion().orElseThrow();
        try (LockProvider provider = TrialLocks.connected(harness)) {
            return probes().exhaustion(exhaustion, () -> askByNewcomer(harness))
                    .filter(seen -> CALLER.isAnswered(() -> provider.holder(TrialLocks.newName())));
        }
    }

    private static void askByNewcomer(LockHarness harness) {
        try (LockProvider newcomer = harness.open()) {
            boolean unused = newcomer.holder(TrialLocks.newName()).isPresent();
        }
    }

    private Optional<String> stalledConnection(LockHarness harness) {
        // Whether all others work shows only after several rounds: which of them a call takes may be chance.
        for (int i = 0; i < TRIES; i++) {
            Fault stall = harness.faults().stalledConnection().orElseThrow();
            try (LockProvider provider = TrialLocks.connected(harness)) {
                Optional<String> seen = probes().stalledConnection(
                                stall, provider, lease.dividedBy(2), OTHER_CALLS, BackgroundCaller.ENDS_WITHIN);
                if (seen.isPresent()) {
                    return seen;
                }
            }
        }
        return Optional.empty();
    }

    /** Each call is the first that loses its reply: the next one may have to connect, which it cannot without replies. */
    private Optional<String> lostReplies(LockHarness harness) {
        return lostReply(harness, Claim::attempt, claim -> {}, false)
                .or(() -> lostReply(harness, Claim::renew, Claim::attempt, false))
                .or(() -> lostReply(harness, Claim::release, Claim::attempt, true));
    }

    private static Optional<String> lostReply(
            LockHarness harness, Consumer<Claim> call, Consumer<Claim> before, boolean frees) {
        Fault lost = harness.faults().lostReplies().orElseThrow();
        try (LockProvider provider = TrialLocks.connected(harness);
                LockProvider other = TrialLocks.connected(harness)) {
            String name = TrialLocks.newName();
            Claim claim = TrialLocks.claim(provider, name);
            Claim rival = TrialLocks.claim(other, name);
            before.accept(claim);
            try {
                return probes().lostReply(lost, () -> call.accept(claim), () -> rival, frees);
            } finally {
                giveUp(claim);
                giveUp(rival);
            }
        }
    }

    /** A provider may need some calls to find its broken connections. */
    private static void giveUp(Claim claim) {
        for (int i = 0; i < OTHER_CALLS; i++) {
            if (CALLER.isAnswered(claim::release)) {
                return;
            }
        }
    }

    private static FaultProbes probes() {
        return new FaultProbes(CALLER, TrialLocks.newName());
    }

    private static Route resultOf(FutureTask<Route> trial) {
        try {
            return trial.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("A trial of the proxy failed", failed.getCause());
        } catch (InterruptedException interrupted) {
            throw BackgroundCaller.stopped(interrupted);
        }
    }
}
