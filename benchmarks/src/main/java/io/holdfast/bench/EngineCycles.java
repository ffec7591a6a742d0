package io.holdfast.bench;

import java.util.Collection;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Threads of a JVM of its own acquire and release, by JMH, which also tells what they allocate.
 *
 * @param scenario the name of the scenario, by which the other JVM finds the contender
 * @param threads how many
 * @param locks how many locks they share
 */
record EngineCycles(String scenario, int threads, int locks) implements Exercise {

    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final int WARM_UPS = 2;

    /** Each contender has a new JVM, whose compiler takes about five seconds. */
    private static final long EACH_WARM_UP_MILLIS = 2_500;

    private static final int MEASUREMENTS = 3;

    @Override
    public Figures turn(Contender contender, MeasuredStore store, long millis) throws RunnerException {
        Collection<RunResult> runs = new Runner(new OptionsBuilder()
                        .include(EngineBenchmark.class.getName() + ".cycle$")
                        .param("scenario", scenario)
                        .param("contender", contender.name())
                        .threads(threads)
                        .forks(1)
                        .warmupIterations(WARM_UPS)
                        .warmupTime(TimeValue.milliseconds(EACH_WARM_UP_MILLIS))
                        .measurementIterations(MEASUREMENTS)
                        .measurementTime(TimeValue.milliseconds(millis / MEASUREMENTS))
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        // There is one benchmark, with one value of each parameter.
        RunResult run = runs.iterator().next();
        return new Figures()
                .with(Measure.CYCLES, run.getPrimaryResult().getScore())
                .with(
                        Measure.ALLOCATION,
                        Objects.requireNonNull(run.getSecondaryResults().get(ALLOCATED), "what the profiler says")
                                .getScore());
    }

    /** JMH has its own. */
    @Override
    public long compilerMillis() {
        return 0;
    }
}
