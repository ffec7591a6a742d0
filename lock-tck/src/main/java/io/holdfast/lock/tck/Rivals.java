package io.holdfast.lock.tck;

import io.holdfast.lock.tck.faults.ChildJvm;
import io.holdfast.lock.tck.faults.TemporaryDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Assertions;

/** Processes that compete for one lock, and what they wrote down. */
final class Rivals implements AutoCloseable {

    private static final Duration STARTS_WITHIN = Duration.ofSeconds(60);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(30);

    private final LockHarness harness;
    private final String name;
    private final TemporaryDirectory directory = TemporaryDirectory.create("lock-tck-rivals");
    private final Map<String, ChildJvm> running = new LinkedHashMap<>();
    private final Set<String> killed = new LinkedHashSet<>();
    private int started;

    Rivals(LockHarness harness, String name) {
        this.harness = harness;
        this.name = name;
    }

    /** Starts a process, which does not compete yet. */
    String launch() {
        String process = "process-" + ++started;
        ChildJvm child = ChildJvm.start(
                RivalProcess.class,
                name,
                Long.toString(harness.lease().toMillis()),
                directory.path().toString(),
                process);
        running.put(process, child);
        child.send(harness.uri().orElseThrow());
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
        for (Map.Entry<String, ChildJvm> each : running.entrySet()) {
            if (!killed.contains(each.getKey())) {
                Assertions.assertTrue(
                        each.getValue().awaitExit(Duration.ZERO).isEmpty(),
                        () -> each.getKey() + " ended by itself; its output: "
                                + each.getValue().lines());
                each.getValue().send("end");
            }
        }
        History history = new History();
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
            history.add(process, directory.path().resolve(process), wasKilled);
        }
        return history;
    }

    /** The number that the processes have added to. */
    long number() throws IOException {
        return new FencedFile(directory.path().resolve("number")).number();
    }

    @Override
    public void close() {
        running.values().forEach(ChildJvm::close);
        directory.delete();
    }
}
