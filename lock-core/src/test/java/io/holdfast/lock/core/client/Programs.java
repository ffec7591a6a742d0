package io.holdfast.lock.core.client;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.holdfast.lock.core.runtime.LockLog;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.util.LoggingLevel;

/**
 * Small concurrent programs for Lincheck's model checker, which runs each in many orders of its steps: first all with one switch
 * of threads, then all with two, and so on, until the bound is reached. The programs are named, not random: with a millisecond or
 * more for a run, chance would seldom put together the three operations that matter.
 *
 * <p>Each program starts with the test's {@code begin()}. What a constructor makes is made outside the model, where identity hash
 * codes are others than inside: a set that is filled there does not find its elements again.
 *
 * <p>Only the model checker for classes with operations is used. Lincheck 3.7's {@code runConcurrentTest} looks simpler, but on
 * JDK 25 it misses every race and says nothing; its stress mode needs minutes for what the model checker finds in seconds.
 */
final class Programs {

    /**
     * Trusted to be atomic, so that no time is spent on orders within them; but not their {@code forEach}: what it calls may wait
     * for a lock, and within an atomic step no other thread runs to release that.
     */
    private static final String[] TRUSTED = {
        "java.util.ArrayDeque",
        "java.util.ArrayList",
        "java.util.HashMap",
        "java.util.LinkedHashSet",
        "java.util.List",
        "java.util.TreeSet",
        "java.util.concurrent.ConcurrentHashMap",
        "java.util.concurrent.ConcurrentHashMap$KeySetView",
        "java.time.Duration",
    };

    private final Class<?> test;
    private final ModelCheckingOptions options;

    private Step begin = step("begin");

    private Programs(Class<?> test, int orders) {
        this.test = test;
        this.options = new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(orders)
                .addGuarantee(forClasses(TRUSTED)
                        .methods(name -> !name.equals("forEach"))
                        .treatAsAtomic())
                .minimizeFailedScenario(false)
                .logLevel(LoggingLevel.ERROR)
                // Not meant for Java callers, hence the name. A run's first steps load and instrument classes, which
                // has taken a busy machine longer than the limit that is built in: it then says that the run hangs.
                .invocationTimeout$lincheck(Duration.ofMinutes(2).toMillis());
    }

    /**
     * Programs of the operations of a test class.
     *
     * @param orders in how many orders each program is run at most
     */
    static Programs of(Class<?> test, int orders) {
        return new Programs(test, orders);
    }

    /** One operation, by the name of its method. */
    static Step step(String operation, Object... arguments) {
        return new Step(operation, List.of(arguments));
    }

    /** The operations of one thread, in order. */
    static List<Step> thread(Step... steps) {
        return List.of(steps);
    }

    /** Checks what has to be true after every run. AssertJ cannot: Lincheck compares all objects, which its assertions refuse. */
    static void expect(boolean condition, String expected) {
        if (!condition) {
            throw new IllegalStateException("Expected: " + expected);
        }
    }

    /** Begins the programs that follow with another operation than {@code begin()}. */
    Programs begunBy(Step step) {
        begin = step;
        return this;
    }

    /** Adds a program of some threads. */
    @SafeVarargs
    final Programs program(List<Step>... threads) {
        List<List<Actor>> parallel = new ArrayList<>();
        for (List<Step> thread : threads) {
            parallel.add(thread.stream().map(this::actor).toList());
        }
        options.addCustomScenario(new ExecutionScenario(List.of(actor(begin)), parallel, List.of(), validation()));
        return this;
    }

    /** The results of each run must be those of some order of whole operations, run on one thread by another class. */
    Programs likeOneThreadOf(Class<?> specification) {
        options.sequentialSpecification(specification);
        return this;
    }

    void check() {
        // The first message of a JVM starts the logging of the JDK. In a run of the model that
        // looks like a run that hangs.
        LockLog.write(Level.INFO, "Checks the programs of " + test.getSimpleName(), null);
        options.check(test);
    }

    private Actor actor(Step step) {
        return new Actor(method(step.operation()), step.arguments());
    }

    private Method method(String name) {
        return Arrays.stream(test.getMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(test + " has no public method " + name));
    }

    private Actor validation() {
        return Arrays.stream(test.getMethods())
                .filter(method -> method.isAnnotationPresent(Validate.class))
                .findFirst()
                .map(method -> new Actor(method, List.of()))
                .orElse(null);
    }

    record Step(String operation, List<Object> arguments) {}
}
