package io.holdfast.evidence;

import io.holdfast.lock.tck.report.Finding;
import io.holdfast.lock.tck.report.JUnitXml;
import io.holdfast.lock.tck.report.Report;
import io.holdfast.lock.tck.report.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reports as the kit writes them, of two providers that have one test class each. */
final class SampleReports {

    static final String COMMIT = "0123456789ab";

    static final TestedProvider SERVER =
            new TestedProvider("Servers", "server", "lock-server", List.of("a.ServerProviderTckTest"), "");
    static final TestedProvider RARE = new TestedProvider(
            "Servers", "rare", "lock-rare", List.of("a.RareProviderTckTest"), "there is no rare server here");
    static final List<TestedProvider> PROVIDERS = List.of(SERVER, RARE);

    private static final Map<String, String> FACTS =
            Map.of("on", "Java 17, 2 processors", "with", "Server 1.2, Client 3.4");

    private final Path folder;

    SampleReports(Path folder) {
        this.folder = folder;
    }

    static Finding passed(String test, List<String> rules, String... hooks) {
        return finding(test, Verdict.PASS, "", rules, hooks);
    }

    static Finding finding(String test, Verdict verdict, String text, List<String> rules, String... hooks) {
        return new Finding("provider", test, rules, List.of(hooks), verdict, text, Duration.ofMillis(5));
    }

    /** Adds the report of a provider to a run. */
    SampleReports with(String commit, String run, TestedProvider provider, Finding... findings) {
        return withText(
                commit,
                run,
                provider,
                JUnitXml.of(new Report(provider.name(), FACTS, Duration.ofSeconds(3), List.of(findings))));
    }

    SampleReports withText(String commit, String run, TestedProvider provider, String xml) {
        try {
            Path place = Files.createDirectories(folder.resolve(commit).resolve(run));
            Files.writeString(place.resolve("TEST-" + provider.classes().get(0) + ".xml"), xml);
            return this;
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    ReportStore store() {
        return new ReportStore(folder, PROVIDERS);
    }

    Observations seen() {
        return new Observations(COMMIT, PROVIDERS, store().runsOf(COMMIT));
    }
}
