package io.holdfast.evidence;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All that was seen of one version of the code.
 *
 * @param commit of the code
 * @param providers in the order of the page
 * @param runs the earliest first
 */
record Observations(String commit, List<TestedProvider> providers, List<StoredRun> runs) {

    /**
     * A test in one run, and whose it is.
     *
     * @param provider whose
     * @param test what was seen
     */
    record Sighting(TestedProvider provider, RecordedTest test) {}

    /** All tests of all providers in all runs. */
    Stream<Sighting> all() {
        return providers.stream()
                .flatMap(provider -> testsOf(provider).stream().map(test -> new Sighting(provider, test)));
    }

    List<RecordedTest> testsOf(TestedProvider provider) {
        return runs.stream().flatMap(run -> run.testsOf(provider).stream()).toList();
    }

    long count(Predicate<RecordedTest> wanted) {
        return all().map(Sighting::test).filter(wanted).count();
    }

    /** Those that any report is of. */
    List<TestedProvider> seen() {
        return providers.stream()
                .filter(provider -> !testsOf(provider).isEmpty())
                .toList();
    }

    /** Those without any report. */
    List<TestedProvider> unseen() {
        return providers.stream()
                .filter(provider -> testsOf(provider).isEmpty())
                .toList();
    }

    /** The different values of a fact, in the order in which they were seen. */
    List<String> facts(String name) {
        return runs.stream()
                .flatMap(run -> run.suites().values().stream())
                .flatMap(List::stream)
                .map(suite -> suite.facts().getOrDefault(name, ""))
                .filter(value -> !value.isEmpty())
                .distinct()
                .toList();
    }
}
