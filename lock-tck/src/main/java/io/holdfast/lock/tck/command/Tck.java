package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockException;
import io.holdfast.lock.tck.LockRule;
import io.holdfast.lock.tck.Soak;
import io.holdfast.lock.tck.report.Finding;
import io.holdfast.lock.tck.report.KitText;
import io.holdfast.lock.tck.report.Report;
import io.holdfast.lock.tck.report.Reports;
import io.holdfast.lock.tck.report.Summary;
import java.io.File;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the kit from the command line, against the provider of a URI. */
public final class Tck {

    private static final int GREEN = 0;
    private static final int BROKEN = 1;
    private static final int INCONCLUSIVE = 2;
    private static final int NOT_RUN = 3;

    private static final List<Class<?>> LEVELS = List.of(Levels.ProviderLevel.class, Levels.ClientLevel.class);

    private final Options options;
    private final PrintStream out;

    private Tck(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /**
     * Runs the kit, and ends the JVM with 0 if all rules hold that apply, 1 if one is broken, 2 if the machine was too slow to
     * tell, and 3 if nothing could be tested.
     *
     * @param arguments as {@code --help} tells
     */
    public static void main(String[] arguments) {
        System.exit(run(System.out, System.err, arguments));
    }

    static int run(PrintStream out, PrintStream err, String... arguments) {
        if (arguments.length == 0 || Stream.of("--help", "-h").anyMatch(Arrays.asList(arguments)::contains)) {
            (arguments.length == 0 ? err : out).print(KitText.of(Tck.class, "help.txt"));
            return arguments.length == 0 ? NOT_RUN : GREEN;
        }
        try {
            return new Tck(Options.parse(arguments), out).run();
        } catch (LockException | UncheckedIOException refused) {
            err.println("tck: " + refused.getMessage());
            return NOT_RUN;
        }
    }

    private int run() {
        Thread.currentThread().setContextClassLoader(withVendorsClasses());
        EngineLog.keepIn(options.report());
        StorePace pace = StorePace.of(options);
        int rules = options.soakAlone() ? GREEN : rules(pace);
        int soak = options.soak().map(time -> soak(pace, time)).orElse(GREEN);
        // What is broken matters most.
        return rules == BROKEN || soak == BROKEN ? BROKEN : Math.max(rules, soak);
    }

    private int rules(StorePace pace) {
        Levels.runOn(Testbed.of(options, pace)::harness);
        out.println("Testing " + Address.shown(options.uri()) + " with " + pace + ". This takes "
                + (options.oneByOne() ? "some minutes." : "a minute or less."));
        Report report = joined(reports(pace.testsAtATime()));
        out.print(Summary.of(report));
        options.report()
                .ifPresent(directory -> out.println("The whole report: "
                        + Reports.write(report, directory, "lock-tck").toAbsolutePath()));
        int code = exitCode(report);
        return code == BROKEN && hasFailed(pace.store()) ? INCONCLUSIVE : code;
    }

    /** Whether the store itself has failed, and not its provider. Says so. */
    private boolean hasFailed(Store store) {
        Optional<String> outage = store.outage();
        outage.ifPresent(
                why -> out.println("INCONCLUSIVE: the store does not answer any more, so what is broken above may be"
                        + " its failure and no fault of the provider: " + why));
        return outage.isPresent();
    }

    private int soak(StorePace pace, Duration time) {
        Store store = pace.store();
        Soak.Plan plan = new Soak.Plan(
                store.uri(),
                store.properties(),
                store.isInThisProcess(),
                pace.fenced(),
                pace.lease(),
                pace.lease().plus(pace.tolerance()),
                time);
        out.println("Soaking " + store + " for " + time.toSeconds() + " s with " + pace + ", by several "
                + (plan.alone() ? "clients of this process." : "processes that are paused and killed."));
        Soak.Result result;
        try {
            result = Soak.run(plan, line -> out.println("  so far " + line));
        } catch (LockException | IllegalStateException brokenOff) {
            if (hasFailed(store)) {
                return INCONCLUSIVE;
            }
            throw brokenOff;
        }
        out.println("Soak of " + store + ": " + result);
        if (options.soakAlone() && options.report().isPresent()) {
            out.println("No rule was tested, so there is no report: add --rule all.");
        }
        if (!result.violations().isEmpty()) {
            out.println("BROKEN, as the history shows:");
            result.violations().forEach(line -> out.println("  " + line));
            return BROKEN;
        }
        if (!result.doubts().isEmpty()) {
            result.doubts().forEach(line -> out.println("INCONCLUSIVE: " + line + "."));
            return INCONCLUSIVE;
        }
        out.println("No violation.");
        return GREEN;
    }

    private static int exitCode(Report report) {
        if (report.isGreen()) {
            return GREEN;
        }
        return switch (report.worst()) {
            case BROKEN -> BROKEN;
            case INCONCLUSIVE -> INCONCLUSIVE;
            default -> NOT_RUN;
        };
    }

    private ClassLoader withVendorsClasses() {
        List<URL> places = new ArrayList<>();
        for (Path place : options.classPath()) {
            // For the processes that the kit starts.
            System.setProperty("java.class.path", System.getProperty("java.class.path") + File.pathSeparator + place);
            try {
                places.add(place.toUri().toURL());
            } catch (MalformedURLException impossible) {
                throw new IllegalStateException("Every file has a URL", impossible);
            }
        }
        return new URLClassLoader(places.toArray(URL[]::new), Tck.class.getClassLoader());
    }

    private Queue<Report> reports(int testsAtATime) {
        Queue<Report> reports = new ConcurrentLinkedQueue<>();
        for (Class<?> level : LEVELS) {
            Reports.passOn(level, reports::add);
        }
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(LEVELS.stream().map(DiscoverySelectors::selectClass).toList())
                .filters(wantedRules())
                .configurationParameter(
                        "junit.jupiter.execution.parallel.enabled", Boolean.toString(!options.oneByOne()))
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "same_thread")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter(
                        "junit.jupiter.execution.parallel.config.fixed.parallelism", Integer.toString(testsAtATime))
                .build();
        LauncherFactory.create().execute(request);
        return reports;
    }

    private PostDiscoveryFilter wantedRules() {
        return descriptor -> FilterResult.includedIf(options.rules().isEmpty()
                || descriptor
                        .getSource()
                        .filter(MethodSource.class::isInstance)
                        .map(source -> ((MethodSource) source).getJavaMethod().getAnnotation(LockRule.class))
                        .map(rule -> Arrays.stream(rule.value()).anyMatch(options.rules()::contains))
                        .orElse(false));
    }

    private Report joined(Queue<Report> levels) {
        Map<String, String> facts = new LinkedHashMap<>();
        List<Finding> findings = new ArrayList<>();
        Duration took = Duration.ZERO;
        for (Report level : levels) {
            facts.putAll(level.facts());
            findings.addAll(level.findings());
            Duration sideBySide = level.took().compareTo(took) > 0 ? level.took() : took;
            took = options.oneByOne() ? took.plus(level.took()) : sideBySide;
        }
        if (!options.rules().isEmpty()) {
            facts.put(Report.ASKED_FOR, String.join(", ", options.rules()));
        }
        return new Report(Address.shown(options.uri()), facts, took, findings);
    }
}
