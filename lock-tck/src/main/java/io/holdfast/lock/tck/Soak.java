package io.holdfast.lock.tck;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.tck.faults.ChildJvm;
import io.holdfast.lock.tck.faults.TemporaryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Competes for a few locks for a long time, by several processes with several threads each, which are paused and killed, and
 * checks what they have written down: holds that overlap, tokens out of order, holds without an end, waits for ever, lost
 * updates. Meanwhile this process holds one more lock all the time, which must not be lost, however often it was renewed.
 */
public final class Soak {

    private static final Duration ROUND = Duration.ofSeconds(60);
    private static final int LOCKS = 3;
    private static final int PROCESSES = 3;
    private static final int THREADS = 3;
    private static final int PAUSES_PER_KILL = 3;
    private static final int ENOUGH_GRANTS = 10;
    /** So that only a machine that stands still for long can end the lock that is kept. */
    private static final int LEASES_OF_THE_KEPT = 10;

    private final Plan plan;
    private final Consumer<String> progress;
    private final List<String> names =
            Stream.generate(() -> "tck-" + UUID.randomUUID()).limit(LOCKS).toList();
    private final History history = new History();
    private final List<String> doubts = new ArrayList<>();
    private final long begun = Pace.now();
    private final boolean canPause = ChildJvm.canBePaused();
    private int kills;
    private int pauses;
    private int rounds;

    private Soak(Plan plan, Consumer<String> progress) {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * What to do.
     *
     * @param uri the store
     * @param properties parameters that are not in the URI
     * @param alone whether only this process reaches the store: then its threads compete, and nothing is paused or killed
     * @param fenced whether the provider has fencing tokens
     * @param lease of each grant, or the time-out of the session
     * @param longestLife how long after its last sign of life a holder may still hold
     * @param duration for how long
     */
    public record Plan(
            String uri,
            Map<String, String> properties,
            boolean alone,
            boolean fenced,
            Duration lease,
            Duration longestLife,
            Duration duration) {

        /** Hides the URI and the properties, which may have a password. */
        @Override
        public String toString() {
            return "a soak of " + duration.toSeconds() + " s";
        }
    }

    /**
     * What was seen.
     *
     * @param grants how many holds there were
     * @param losses how many of them were lost
     * @param kills how many processes were killed
     * @param pauses how often a process was stopped for longer than its leases last
     * @param longestWait the longest wait that ended in a grant
     * @param took how long all took
     * @param violations the first of what must not be, each with the part of the history that shows it; empty if there is none
     * @param doubts why it cannot be told whether there was a violation, one sentence each; empty if it can
     */
    public record Result(
            long grants,
            long losses,
            int kills,
            int pauses,
            Duration longestWait,
            Duration took,
            List<String> violations,
            List<String> doubts) {

        /**
         * The counts, for a person.
         *
         * @return one line
         */
        @Override
        public String toString() {
            return grants + " grants, " + losses + " losses, " + kills + " kills, " + pauses
                    + " pauses, the longest wait " + longestWait.toMillis() + " ms, in " + took.toSeconds() + " s";
        }
    }

    /**
     * Runs until the time is over, or something was seen that must not be.
     *
     * @param plan what to do
     * @param progress hears of it, at most once a minute
     * @return what was seen
     */
    public static Result run(Plan plan, Consumer<String> progress) {
        try {
            return new Soak(plan, progress).run();
        } catch (IOException failed) {
            throw new UncheckedIOException("What the processes wrote down cannot be read", failed);
        }
    }

    private Result run() throws IOException {
        Duration lease = plan.lease().multipliedBy(LEASES_OF_THE_KEPT);
        try (LockClient keeping = client()) {
            LockHandle kept = keeping.lock("tck-" + UUID.randomUUID(), LockOptions.DEFAULTS.withLeaseTime(lease))
                    .acquire();
            List<String> violations = List.of();
            while (violations.isEmpty() && doubts.isEmpty() && !left().isZero()) {
                violations = round(left().compareTo(ROUND) < 0 ? left() : ROUND);
                history.forget();
                if (violations.isEmpty()) {
                    violations = lossOf(kept, lease);
                }
                if (violations.isEmpty() && doubts.isEmpty() && !left().isZero()) {
                    progress.accept(result(violations) + "; no violation");
                }
            }
            boolean unused = kept.release();
            if (history.grants() < ENOUGH_GRANTS) {
                doubts.add("too few grants to tell anything");
            }
            return result(violations);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("The soak was interrupted", interrupted);
        }
    }

    private LockClient client() {
        LockClient.Builder builder = LockClient.builder(plan.uri());
        plan.properties().forEach(builder::property);
        return builder.build();
    }

    /** What must not be with a lock that is renewed; a machine that stood still for long proves nothing. */
    private List<String> lossOf(LockHandle kept, Duration lease) {
        CompletableFuture<LossCause> lost = kept.lost().toCompletableFuture();
        if (!lost.isDone()) {
            return List.of();
        }
        String seen = "a lock that this process held all the time, with a lease of " + lease.toMillis()
                + " ms, was lost within " + Pace.since(begun).toSeconds() + " s, ";
        Duration stood = Metronome.worst(begun, lease);
        if (stood.compareTo(lease.dividedBy(4)) >= 0) {
            doubts.add(seen + "but the machine stood still for " + stood.toMillis() + " ms meanwhile");
            return List.of();
        }
        return List.of(seen + "though nothing has disturbed its client: " + lost.join());
    }

    private Result result(List<String> violations) {
        return new Result(
                history.grants(),
                history.losses(),
                kills,
                pauses,
                history.longestWait(),
                Pace.since(begun),
                violations,
                List.copyOf(doubts));
    }

    private Duration left() {
        Duration left = plan.duration().minus(Pace.since(begun));
        return left.isNegative() ? Duration.ZERO : left;
    }

    private List<String> round(Duration time) throws IOException {
        rounds++;
        long before = history.writes();
        try {
            return plan.alone() ? amongThreads(time, before) : amongProcesses(time, before);
        } catch (InconclusiveError doubt) {
            doubts.add(doubt.getMessage());
            return List.of();
        } catch (AssertionError broken) {
            return List.of(String.valueOf(broken.getMessage()));
        }
    }

    private List<String> amongProcesses(Duration time, long writesBefore) throws IOException {
        Contest contest = new Contest(names, plan.lease(), THREADS, plan.uri(), plan.properties());
        long start = Pace.now();
        int killsBefore = kills;
        try (Rivals rivals = new Rivals(contest, "round-" + rounds + "-process-")) {
            List<String> running = new ArrayList<>();
            for (int i = 0; i < PROCESSES; i++) {
                running.add(rivals.launch());
            }
            running.forEach(rivals::go);
            for (int i = 1; Pace.since(start).compareTo(time) < 0; i++) {
                String process = running.get(ThreadLocalRandom.current().nextInt(running.size()));
                if (!canPause || i % (PAUSES_PER_KILL + 1) == 0) {
                    replace(process, running, rivals);
                } else {
                    pause(process, rivals);
                }
                Pace.pass(plan.lease());
            }
            rivals.end(history);
            return violations(rivals.number(), writesBefore, (kills - killsBefore) * THREADS);
        }
    }

    private void pause(String process, Rivals rivals) {
        rivals.pause(process);
        Pace.pass(plan.longestLife().plus(plan.lease().dividedBy(2)));
        rivals.resume(process);
        pauses++;
    }

    private void replace(String process, List<String> running, Rivals rivals) {
        rivals.kill(process);
        kills++;
        String next = rivals.launch();
        running.set(running.indexOf(process), next);
        rivals.go(next);
    }

    private List<String> amongThreads(Duration time, long writesBefore) throws IOException {
        TemporaryDirectory directory = TemporaryDirectory.create("lock-tck-soak");
        try {
            long start = Pace.now();
            List<Call<?>> clients = new ArrayList<>();
            for (int i = 1; i <= PROCESSES; i++) {
                Path log = directory.path().resolve("client-" + i);
                clients.add(Call.running(() -> {
                    try (LockClient client = client()) {
                        RivalProcess.compete(
                                client,
                                names,
                                plan.lease(),
                                THREADS,
                                log,
                                () -> Pace.since(start).compareTo(time) >= 0);
                    }
                }));
            }
            Pace.watch(time, () -> clients.stream().noneMatch(Call::isDone));
            clients.forEach(Call::result);
            for (int i = 1; i <= PROCESSES * THREADS; i++) {
                Path log = directory.path().resolve("client-" + ((i - 1) / THREADS + 1));
                Path file = RivalProcess.file(log, (i - 1) % THREADS + 1);
                history.add("round-" + rounds + "-" + file.getFileName(), file, false);
            }
            long sum = 0;
            for (int i = 0; i < LOCKS; i++) {
                sum += RivalProcess.resource(directory.path(), i).number();
            }
            return violations(sum, writesBefore, 0);
        } finally {
            directory.delete();
        }
    }

    /** A thread that is killed may have no time to write down its last update. */
    private List<String> violations(long number, long writesBefore, int killedThreads) {
        List<String> seen = new ArrayList<>(history.evidence(plan.fenced()));
        long writes = history.writes() - writesBefore;
        if (plan.fenced() && (number < writes || number > writes + killedThreads)) {
            seen.add("an update was lost: the sum of the numbers is " + number + " after " + writes + " updates");
        }
        return seen;
    }
}
