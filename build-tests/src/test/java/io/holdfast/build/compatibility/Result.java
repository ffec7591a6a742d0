package io.holdfast.build.compatibility;

import io.holdfast.build.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What came of the tests of a line. */
enum Result {
    PASSED,
    FAILED,
    NOT_RUN;

    private static final Pattern COUNTS = Pattern.compile("<testsuite [^>]*>");

    /** What the reports of a line say of a JDK. Those of an earlier run on another one are passed over. */
    static Result of(VersionLine line, int jdk) {
        return of(line.reports(), line.prefix(), "name=\"java.specification.version\" value=\"" + jdk + "\"");
    }

    private static Result of(Path folder, String prefix, String onTheJdk) {
        if (!Files.isDirectory(folder)) {
            return NOT_RUN;
        }
        Pattern wanted = Pattern.compile("TEST-.*\\." + Pattern.quote(prefix) + "[^.]*\\.xml");
        try (Stream<Path> files = Files.list(folder)) {
            List<Result> results = files.filter(file ->
                            wanted.matcher(file.getFileName().toString()).matches())
                    .map(Checkout::read)
                    .filter(report -> report.contains(onTheJdk))
                    .map(Result::ofReport)
                    .toList();
            return together(results);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Result together(List<Result> results) {
        if (results.contains(FAILED)) {
            return FAILED;
        }
        return results.contains(PASSED) ? PASSED : NOT_RUN;
    }

    /** A report of which every test was skipped is of no run. */
    static Result ofReport(String report) {
        Matcher suite = COUNTS.matcher(report);
        if (!suite.find() || count("errors", suite.group()) + count("failures", suite.group()) > 0) {
            return FAILED;
        }
        return count("tests", suite.group()) > count("skipped", suite.group()) ? PASSED : NOT_RUN;
    }

    private static int count(String name, String suite) {
        Matcher value = Pattern.compile(" " + name + "=\"(\\d+)\"").matcher(suite);
        if (!value.find()) {
            throw new AssertionError("No count of " + name + " in " + suite);
        }
        return Integer.parseInt(value.group(1));
    }

    /** The word of the page. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
