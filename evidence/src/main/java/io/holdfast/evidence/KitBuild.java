package io.holdfast.evidence;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A build by Maven that runs the kit over all providers, and no other test. */
final class KitBuild {

    private static final Pattern ENDED = Pattern.compile("(Tests run: .*) -- in io\\.holdfast\\.(.*TckTest)$");

    private final Path checkout;
    private final String maven;
    private final List<TestedProvider> providers;

    KitBuild(Path checkout, String maven, List<TestedProvider> providers) {
        this.checkout = checkout;
        this.maven = maven;
        this.providers = providers;
    }

    /**
     * Runs it. A test that fails does not end it.
     *
     * @param reports the folder for the reports
     * @param progress hears of each test class that has ended
     * @throws EvidenceException if Maven fails
     */
    void run(Path reports, Consumer<String> progress) {
        Path log = reports.resolve("maven.log");
        try {
            Process process = new ProcessBuilder(command(reports))
                    .directory(checkout.toFile())
                    .redirectErrorStream(true)
                    .start();
            try (BufferedReader lines = process.inputReader();
                    BufferedWriter kept = Files.newBufferedWriter(log)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    kept.write(line);
                    kept.newLine();
                    Matcher ended = ENDED.matcher(line);
                    if (ended.find()) {
                        progress.accept(ended.group(2) + ": " + ended.group(1));
                    }
                }
            }
            if (process.waitFor() != 0) {
                throw new EvidenceException("Maven failed. All that it said is in " + log);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("Maven cannot be run", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new EvidenceException("interrupted");
        }
    }

    /** Builds where ./demo and ./tck build, as they have compiled most of it already. */
    List<String> command(Path reports) {
        String tests = providers.stream()
                .flatMap(provider -> provider.classes().stream())
                .collect(Collectors.joining(","));
        String modules =
                providers.stream().map(TestedProvider::module).distinct().collect(Collectors.joining(","));
        return List.of(
                maven,
                "-B",
                "-Dstyle.color=never",
                "-P",
                "quick,demo",
                "-pl",
                modules,
                "-am",
                "test",
                "-Dtest=" + tests,
                "-Dmaven.test.failure.ignore=true",
                "-Dholdfast.tck.report=" + reports.toAbsolutePath());
    }
}
