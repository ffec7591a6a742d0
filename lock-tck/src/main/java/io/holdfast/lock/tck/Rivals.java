package io.holdfast.lock.tck;

import io.holdfast.lock.tck.faults.ChildJvm;
import io.holdfast.lock.tck.faults.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Assertions;

/** Processes that compete for one lock, and what they wrote down. */
final class Rivals implements AutoCloseable {

    private static final Duration STARTS_WITHIN = Duration.ofMinutes(2);
    private static final Duration ENDS_WITHIN = Duration.ofMinutes(1);

    /**
     * A store that keeps times without their zone, or in that of its client, lets leases of others end hours too early or too
     * late.
     */
    private static final String ELSEWHERE = "Asia/Kolkata";

    private final Contest contest;
    private final String prefix;
    private final TemporaryDirectory directory = TemporaryDirectory.create("lock-tck-rivals");
    private final Map<String, ChildJvm> running = new LinkedHashMap<>();
    private final Set<String> killed = new LinkedHashSet<>();
    private int started;

    Rivals(LockHarness harness, String name, Duration lease) {
        this(new Contest(List.of(name), lease, 1, harness.uri().orElseThrow(), Map.of()), "process-");
    }

    /** Begins a contest among processes whose names begin with a prefix. */
    Rivals(Contest contest, String prefix) {
        this.contest = contest;
        this.prefix = prefix;
    }

    /** Starts a process, which does not compete yet. Every other one is in another time zone. */
    String launch() {
        String process = prefix + ++started;
        ChildJvm child = ChildJvm.start(
                started % 2 == 0 ? List.of("-Duser.timezone=" + ELSEWHERE) : List.of(),
                RivalProcess.class,
                String.join(",", contest.names()),
                Long.toString(contest.lease().toMillis()),
                Integer.toString(contest.threads()),
                directory.path().resolve(process).toString());
        running.put(process, child);
        child.send(contest.uri());
        contest.properties().forEach((name, value) -> child.send(name + "=" + value));
        child.send("");
        return process;
    }

    /** Lets it compete, once it has loaded and connected. */
    void go(String process) {
        ChildJvm child = child(process);
        long before = Pace.now();
        String ready = child.awaitLine(RivalProcess.READY, STARTS_WITHIN);
        long clock = Long.parseLong(ready.substring(RivalProcess.READY.length()));
        if (clock - before < -STARTS_WITHIN.toNanos() || clock - Pace.now() > 0) {
            throw new InconclusiveError("System.nanoTime() of two JVMs of this machine cannot be compared: " + clock
                    + " was read before " + Pace.now());
        }
        child.send("go");
    }

    private ChildJvm child(String process) {
        return Objects.requireNonNull(running.get(process), process);
    }

    /** Ends a process as a power failure would. */
    void kill(String process) {
        child(process).kill();
        killed.add(process);
    }

    void pause(String process) {
        child(process).pause();
    }

    void resume(String process) {
        child(process).resume();
    }

    /** Ends the others in order, each of which must come to its end, and returns what all have written. */
    History end() throws IOException {
        History history = new History();
        end(history);
        return history;
    }

    /** As {@link #end()}, and adds to a history what all have written. */
    void end(History history) throws IOException {
        for (Map.Entry<String, ChildJvm> each : running.entrySet()) {
            if (!killed.contains(each.getKey())) {
                Assertions.assertTrue(
                        each.getValue().awaitExit(Duration.ZERO).isEmpty(),
                        () -> each.getKey() + " ended by itself; its output: "
                                + each.getValue().lines());
                each.getValue().send("end");
            }
        }
        for (Map.Entry<String, ChildJvm> each : running.entrySet()) {
            String process = each.getKey();
            boolean wasKilled = killed.contains(process);
            if (!wasKilled) {
                Assertions.assertEquals(
                        0,
                        each.getValue().awaitExit(ENDS_WITHIN).orElse(-1),
                        () -> process + " must come to its end within " + ENDS_WITHIN + "; its output: "
                                + each.getValue().lines());
            }
            for (int i = 1; i <= contest.threads(); i++) {
                Path file = RivalProcess.file(directory.path().resolve(process), i);
                // One that was killed early may have written nothing.
                if (Files.exists(file)) {
                    history.add(file.getFileName().toString(), file, wasKilled);
                }
            }
        }
    }

    /** The numbers that the processes have added to, together. */
    long number() throws IOException {
        long sum = 0;
        for (int i = 0; i < contest.names().size(); i++) {
            sum += RivalProcess.resource(directory.path(), i).number();
        }
        return sum;
    }

    @Override
    public void close() {
        running.values().forEach(ChildJvm::close);
        directory.delete();
    }
}
