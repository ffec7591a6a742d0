package io.holdfast.bench;

import io.holdfast.lock.tck.faults.ChildJvm;
import io.holdfast.lock.tck.faults.TemporaryDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Threads of several JVMs acquire and release one lock. The JVMs live as long as the scenario, so that they are warm. Not
 * thread-safe.
 */
final class ProcessCycles implements Exercise {

    private static final Duration BOUND = Duration.ofMinutes(2);

    /** The compiler that applications have, and not that of short tests. */
    private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=4", "-Xmx256m");

    private final String scenario;
    private final int processes;
    private final int threads;
    private final List<ChildJvm> children = new ArrayList<>();
    private final TemporaryDirectory directory = TemporaryDirectory.create("holdfast-bench");
    private int turns;

    /**
     * Starts nothing yet.
     *
     * @param scenario the name of the scenario, by which the children find their contenders
     * @param threads how many each process has
     */
    ProcessCycles(String scenario, int processes, int threads) {
        this.scenario = scenario;
        this.processes = processes;
        this.threads = threads;
    }

    @Override
    public Figures turn(Contender contender, MeasuredStore store, long millis) throws Exception {
        while (children.size() < processes) {
            children.add(ChildJvm.start(OPTIONS, CrewProcess.class, scenario, Integer.toString(threads)));
        }
        Path numbers = directory.path().resolve("referee-" + turns++);
        tell(CrewProcess.BEGIN + "\t" + contender.name() + "\t" + store.address() + "\t" + numbers);
        children.forEach(child -> answer(child, CrewProcess.BEGUN));
        Thread.sleep(WARM_UP_MILLIS);
        StoreCost before = store.cost();
        long begun = System.nanoTime();
        tell(CrewProcess.MEASURE);
        Thread.sleep(millis);
        tell(CrewProcess.STOP);
        double seconds = (System.nanoTime() - begun) / 1e9;
        return figures(seconds, store.cost().since(before));
    }

    /** Longer: each of these JVMs compiles for itself, while the threads of all of them use the processors. */
    @Override
    public long compilerMillis() {
        return 30_000;
    }

    private Figures figures(double seconds, StoreCost cost) {
        List<Times> all = new ArrayList<>();
        List<Long> ofProcesses = new ArrayList<>();
        for (ChildJvm child : children) {
            long cycles = 0;
            for (int i = 0; i < threads; i++) {
                Times times = Times.of(answer(child, CrewProcess.TIMES));
                all.add(times);
                cycles += times.count();
            }
            ofProcesses.add(cycles);
            answer(child, CrewProcess.CLOSED);
        }
        return Cycles.figures(all, seconds, cost)
                .with(Measure.PROCESS_FAIRNESS, Cycles.fairness(ofProcesses, Long::longValue));
    }

    private void tell(String line) {
        children.forEach(child -> child.send(line));
    }

    private static String answer(ChildJvm child, String wanted) {
        String line = child.awaitLine(one -> one.startsWith(wanted) || one.startsWith(CrewProcess.FAILED), BOUND);
        if (line.startsWith(CrewProcess.FAILED)) {
            throw new IllegalStateException(line);
        }
        return line.substring(wanted.length()).strip();
    }

    @Override
    public void close() throws IOException {
        children.forEach(ChildJvm::close);
        directory.delete();
    }
}
