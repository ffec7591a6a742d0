package io.holdfast.evidence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One run of the kit over all providers.
 *
 * @param day when it was started
 * @param suites the reports, by provider
 */
record StoredRun(LocalDate day, Map<TestedProvider, List<RecordedSuite>> suites) {

    /**
     * Reads the reports of a run.
     *
     * @param folder with an XML file for each test class, or for each class within it; its name begins with the day
     * @throws EvidenceException if a report is missing that has to be there
     */
    static StoredRun in(Path folder, List<TestedProvider> providers) {
        Map<TestedProvider, List<RecordedSuite>> suites = new LinkedHashMap<>();
        List<String> missing = new ArrayList<>();
        for (TestedProvider provider : providers) {
            List<RecordedSuite> own = new ArrayList<>();
            for (String test : provider.classes()) {
                List<Path> reports = reports(folder, test);
                reports.forEach(report -> own.add(RecordedSuite.read(report)));
                if (reports.isEmpty() && provider.mayBeMissing().isEmpty()) {
                    missing.add(test);
                }
            }
            suites.put(provider, own);
        }
        if (!missing.isEmpty()) {
            throw new EvidenceException("The run " + folder + " has no report of " + String.join(", ", missing)
                    + ". See maven.log there; then remove the folder, and run ./tck evidence again");
        }
        return new StoredRun(
                LocalDate.parse(folder.getFileName().toString().substring(0, "2026-01-31".length())), suites);
    }

    /** That of the class, or those of the classes within it. */
    private static List<Path> reports(Path folder, String test) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> {
                        String name = file.getFileName().toString();
                        return name.endsWith(".xml")
                                && (name.equals("TEST-" + test + ".xml") || name.startsWith("TEST-" + test + "$"));
                    })
                    .sorted()
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException("The run " + folder + " cannot be read", failed);
        }
    }

    List<RecordedTest> testsOf(TestedProvider provider) {
        return suites.getOrDefault(provider, List.of()).stream()
                .flatMap(suite -> suite.tests().stream())
                .toList();
    }
}
