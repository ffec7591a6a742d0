package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Finds out which faults a proxy can cause for a provider: a store may tell clients another address, a provider may have one connection,
 * and some requests are none of the lock's. A fault that does not work would make the kit blame the provider.
 */
final class Trials {

    private static final String PREFIX = "tck-";
    private static final Duration LONG_LEASE = Duration.ofSeconds(30);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);
    private static final Duration DELAY = Duration.ofMillis(100);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final int TRIES = 3;
    private static final int OTHER_CALLS = 20;
    private static final ClaimSignals UNHEARD = new ClaimSignals() {
        @Override
        public void mayBeFree() {}

        @Override
        public void lost(LossCause cause) {}
    };

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
        trials.put(Route.LOST_REPLIES, inBackground(() -> lostReplies(widest)));
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
        return inBackground(() -> widest.absences().containsKey(fault)
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
        return request.contains(PREFIX) || request.toLowerCase(Locale.ROOT).contains("lock");
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
            return isAnswered(() -> provider.holder(newName()), ENDS_WITHIN)
                    ? Optional.empty()
                    : Optional.of("the store does not answer by a proxy");
        }
    }

    private Optional<String> outage(LockHarness harness) {
        Fault outage = harness.faults().outage().orElseThrow();
        try (LockProvider provider = connected(harness)) {
            return during(outage, () -> isAnswered(() -> provider.holder(newName()), ENDS_WITHIN))
                    ? Optional.of("the provider reaches the store also when the proxy is cut off")
                    : Optional.empty();
        }
    }

    private Optional<String> slowNetwork(LockHarness harness) {
        Fault slow = harness.faults().slowNetwork().orElseThrow().apply(DELAY);
        try (LockProvider provider = connected(harness)) {
            Duration[] took = new Duration[1];
            during(slow, () -> {
                long start = System.nanoTime();
                boolean unused = provider.holder(newName()).isPresent();
                took[0] = Duration.ofNanos(System.nanoTime() - start);
                return true;
            });
            return took[0].compareTo(DELAY) >= 0
                    ? Optional.empty()
                    : Optional.of("a call does not wait for the replies that pass the proxy");
        }
    }

    private Optional<String> exhaustion(LockHarness harness) {
        Fault exhaustion = harness.faults().exhaustion().orElseThrow();
        try (LockProvider provider = connected(harness)) {
            boolean answered = during(exhaustion, () -> isAnsweredByNewcomer(harness));
            return answered && isAnswered(() -> provider.holder(newName()), ENDS_WITHIN)
                    ? Optional.of("a new provider is answered although it cannot connect by the proxy")
                    : Optional.empty();
        }
    }

    private static boolean isAnsweredByNewcomer(LockHarness harness) {
        try (LockProvider newcomer = harness.open()) {
            return isAnswered(() -> newcomer.holder(newName()), ENDS_WITHIN);
        } catch (LockException refused) {
            return false;
        }
    }

    private Optional<String> stalledConnection(LockHarness harness) {
        // Whether all others work shows only after several rounds: which of them a call takes may be chance.
        for (int i = 0; i < TRIES; i++) {
            Optional<String> seen = stalledOnce(harness);
            if (seen.isPresent()) {
                return seen;
            }
        }
        return Optional.empty();
    }

    private Optional<String> stalledOnce(LockHarness harness) {
        Fault stall = harness.faults().stalledConnection().orElseThrow();
        try (LockProvider provider = connected(harness)) {
            return during(stall, () -> {
                if (isAnswered(() -> provider.holder(newName()), lease.dividedBy(2))) {
                    return Optional.of("a call is answered although its connection hangs");
                }
                return isAnswered(() -> ask(provider, OTHER_CALLS), ENDS_WITHIN)
                        ? Optional.empty()
                        : Optional.of("calls wait for the one connection that hangs: the provider has no other, or uses"
                                + " it on");
            });
        }
    }

    private static boolean ask(LockProvider provider, int times) {
        boolean held = false;
        for (int i = 0; i < times; i++) {
            held |= provider.holder(newName()).isPresent();
        }
        return held;
    }

    /** Each call is the first that loses its reply: the next one may have to connect, which it cannot without replies. */
    private Optional<String> lostReplies(LockHarness harness) {
        return lostReply(harness, Claim::attempt, claim -> {}, false)
                .or(() -> lostReply(harness, Claim::renew, Claim::attempt, false))
                .or(() -> lostReply(harness, Claim::release, Claim::attempt, true));
    }

    private static Optional<String> lostReply(
            LockHarness harness, Consumer<Claim> call, Consumer<Claim> before, boolean freesTheLock) {
        Fault lost = harness.faults().lostReplies().orElseThrow();
        try (LockProvider provider = connected(harness);
                LockProvider other = connected(harness)) {
            String name = newName();
            Claim claim = claim(provider, name);
            Claim rival = claim(other, name);
            before.accept(claim);
            try {
                if (during(lost, () -> isAnswered(() -> call.accept(claim), ENDS_WITHIN))) {
                    return Optional.of("a call is answered although the reply to it was lost");
                }
                return rival.attempt() instanceof Attempt.Granted == freesTheLock
                        ? Optional.empty()
                        : Optional.of("the requests are lost with the replies that the proxy can lose");
            } finally {
                giveUp(claim);
                giveUp(rival);
            }
        }
    }

    /**
     * How long a lock is held by a client that is heard no more.
     *
     * @param longest throws if it is not free by then
     */
    static Duration lifeOfSession(Store store, Route route, Duration longest) {
        try (LockHarness harness = new SessionHarness(store, route, LONG_LEASE, Duration.ZERO, Death.AFTER_ITS_GRANT);
                LockProvider provider = harness.open();
                LockProvider other = connected(harness)) {
            String name = newName();
            Claim dead = claim(provider, name);
            Claim rival = claim(other, name);
            dead.attempt();
            long start = System.nanoTime();
            while (!(rival.attempt() instanceof Attempt.Granted)) {
                if (System.nanoTime() - start > longest.toNanos()) {
                    dead.release();
                    throw new LockConfigurationException("The sessions of the store last for more than "
                            + longest.toSeconds() + " s, and the kit waits for the end of many; allowed is a URI with a"
                            + " shorter time-out");
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
            Duration life = Duration.ofNanos(System.nanoTime() - start);
            rival.release();
            return Duration.ofMillis(life.toMillis());
        }
    }

    /** A provider may need some calls to find its broken connections. */
    private static void giveUp(Claim claim) {
        for (int i = 0; i < OTHER_CALLS; i++) {
            if (isAnswered(claim::release, ENDS_WITHIN)) {
                return;
            }
        }
    }

    private static LockProvider connected(LockHarness harness) {
        LockProvider provider = harness.open();
        Claim claim = claim(provider, newName());
        claim.attempt();
        claim.release();
        return provider;
    }

    /** A claim of a new owner, with a lease that does not end meanwhile. */
    static Claim claim(LockProvider provider, String name) {
        return provider.newClaim(
                new ClaimRequest(
                        name,
                        UUID.randomUUID().toString(),
                        UUID.randomUUID().toString(),
                        LONG_LEASE,
                        Intent.TRY_ONCE,
                        new Claimant("tck-host", ProcessHandle.current().pid(), "tck-trial")),
                UNHEARD);
    }

    static String newName() {
        return PREFIX + UUID.randomUUID();
    }

    /** A piece of a trial. */
    private interface Body<T> {
        T run();
    }

    private static <T> T during(Fault fault, Body<T> body) {
        fault.begin().run();
        try {
            return body.run();
        } finally {
            fault.end().run();
        }
    }

    private static <T> FutureTask<T> inBackground(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "lock-tck-trial");
        thread.setDaemon(true);
        // A test may have a class loader that others do not.
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.start();
        return task;
    }

    /** Whether a call returns in time; one that fails or hangs does not. */
    private static boolean isAnswered(Runnable call, Duration time) {
        FutureTask<?> task = inBackground(Executors.callable(call));
        try {
            Object unused = task.get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException notAnswered) {
            return false;
        } catch (InterruptedException interrupted) {
            throw stopped(interrupted);
        }
    }

    private static Route resultOf(FutureTask<Route> trial) {
        try {
            return trial.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("A trial of the proxy failed", failed.getCause());
        } catch (InterruptedException interrupted) {
            throw stopped(interrupted);
        }
    }

    private static IllegalStateException stopped(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("The kit was interrupted", interrupted);
    }
}
