package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.report.Finding;
import io.holdfast.lock.tck.report.Journal;
import io.holdfast.lock.tck.report.KitText;
import io.holdfast.lock.tck.report.Report;
import io.holdfast.lock.tck.report.Reports;
import io.holdfast.lock.tck.report.Verdict;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One run of one class of the vendor: what is asked once for all its tests, and what they find. Thread-safe. */
final class LevelRun {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(LevelRun.class);

    private final Class<?> vendors;
    private final Journal journal = new Journal();
    private final Deviations deviations;
    private final Map<String, Candidate> candidates = new ConcurrentHashMap<>();
    private final long begun = Pace.now();

    private LevelRun(Class<?> vendors) {
        this.vendors = vendors;
        this.deviations = Deviations.of(vendors);
    }

    /** What is found out once about a provider: a parameterized class has one for each of its invocations. */
    private static final class Candidate {
        private final Once<About> about = new Once<>();
        private final Once<Optional<FirstThings.Defect>> firstFault = new Once<>();
    }

    /** What the provider and the harness say of themselves. They are constant, and opening a provider may cost a connection. */
    private record About(LockCapabilities capabilities, Map<String, String> facts) {

        static About of(KitCase test) {
            try (LockHarness harness = test.harness();
                    LockProvider provider = harness.open()) {
                LockCapabilities declared = provider.capabilities();
                Map<String, String> facts = new LinkedHashMap<>();
                facts.put("provider", provider.getClass().getName());
                facts.put("declares", shown(declared));
                facts.put(
                        "measured with",
                        "a lease of " + harness.lease().toMillis() + " ms and a tolerance of "
                                + harness.expiryTolerance().toMillis() + " ms");
                if (!harness.versions().isEmpty()) {
                    facts.put("with", String.join(", ", harness.versions()));
                }
                facts.put("on", platform());
                facts.put("by", "lock-tck " + KitText.of(LevelRun.class, "version.txt"));
                facts.put("begun", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
                return new About(declared, facts);
            }
        }

        private static String platform() {
            return String.join(
                    ", ",
                    "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vm.name") + ")",
                    System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                    Runtime.getRuntime().availableProcessors() + " processors");
        }

        private static String shown(LockCapabilities declared) {
            return String.join(
                    ", ",
                    "fencing " + declared.fencing(),
                    "ordering " + declared.ordering(),
                    "wake-up " + declared.wakeUp(),
                    "reentrancy " + declared.reentrancy(),
                    "lease control " + declared.leaseControl());
        }
    }

    /** The run that a test or its class belongs to. */
    static LevelRun of(ExtensionContext context) {
        // A test finds what beforeAll has put here: the store of its class is asked first.
        return context.getStore(NAMESPACE)
                .getOrComputeIfAbsent(
                        LevelRun.class, key -> new LevelRun(context.getRequiredTestClass()), LevelRun.class);
    }

    /** The level of the kit, as reports name it. */
    String level() {
        return LockClientTck.class.isAssignableFrom(vendors) ? "client" : "provider";
    }

    Journal journal() {
        return journal;
    }

    Deviations deviations() {
        return deviations;
    }

    private Candidate candidate(ExtensionContext context) {
        String invocation = context.getParent().orElse(context).getUniqueId();
        return candidates.computeIfAbsent(invocation, first -> new Candidate());
    }

    LockCapabilities capabilities(ExtensionContext context, KitCase test) {
        return candidate(context).about.get(() -> About.of(test)).capabilities();
    }

    /** What the provider cannot do although all tests rely on it; empty if there is nothing. */
    Optional<FirstThings.Defect> firstFault(ExtensionContext context, KitCase test) {
        return candidate(context).firstFault.get(() -> {
            Optional<FirstThings.Defect> fault = FirstThings.defectOf(test::harness);
            fault.ifPresent(seen -> journal.add(seen.finding(level())));
            return fault;
        });
    }

    /**
     * Publishes the report. Fails if a declared deviation is none, or if no test has failed that shows why the others were not
     * run.
     *
     * @param directory for files; empty if none are wanted
     */
    void end(Optional<Path> directory) {
        Report report = report();
        Reports.publish(vendors, report);
        directory.ifPresent(place -> Reports.write(report, place, vendors.getName()));
        Optional<FirstThings.Defect> fault = candidates.values().stream()
                .flatMap(each -> each.firstFault.ifFound().flatMap(found -> found).stream())
                .findFirst();
        boolean shown = journal.findings().stream()
                .anyMatch(
                        each -> each.verdict() == Verdict.BROKEN && !each.test().equals(Finding.FIRST_THINGS));
        if (fault.isPresent() && !shown) {
            throw new AssertionError("no rule can be tested before this is mended, " + fault.get());
        }
        List<String> outOfDate = deviations.outOfDate(journal.findings()).toList();
        if (!outOfDate.isEmpty()) {
            throw new AssertionError("a deviation from rule " + String.join(", ", outOfDate)
                    + " is declared, but the provider keeps it: remove the annotation");
        }
    }

    private Report report() {
        Map<String, String> facts = candidates.values().stream()
                .flatMap(each -> each.about.ifFound().map(About::facts).stream())
                .findFirst()
                .orElse(Map.of());
        return new Report(vendors.getSimpleName(), facts, Pace.since(begun), journal.findings());
    }

    /** A value that the first thread to need it finds out. */
    private static final class Once<T> {
        private @Nullable T value;

        synchronized T get(Supplier<T> search) {
            T found = value;
            if (found == null) {
                found = search.get();
                value = found;
            }
            return found;
        }

        synchronized Optional<T> ifFound() {
            return Optional.ofNullable(value);
        }
    }
}
