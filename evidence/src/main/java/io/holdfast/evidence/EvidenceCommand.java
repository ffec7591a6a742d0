package io.holdfast.evidence;

import io.holdfast.lock.tck.report.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/** The command {@code ./tck evidence}: runs the kit over the project's own providers, and writes the page. */
public final class EvidenceCommand {

    // How it ends; the same as of the command that runs the kit.
    private static final int GREEN = 0;
    private static final int BROKEN = 1;
    private static final int INCONCLUSIVE = 2;
    private static final int NO_PAGE = 3;

    private static final String USAGE = """
            ./tck evidence [runs]

            Runs the kit over all providers of this project, on real servers, as often as is said (once unless it is said; a run
            takes about twenty minutes), and writes docs/evidence.md from the reports in target/evidence. Runs of one commit add up;
            reports of another commit are refused. "./tck evidence 0" runs nothing, and writes the page from the reports that are there.

            It ends with 0 if nothing is broken or inconclusive in any of these runs, 1 if a rule is broken, 2 if the machine was too slow
            to tell, 3 if there is no page.
            """;

    private final Path checkout;
    private final KitBuild build;
    private final CodeVersion code;
    private final ReportStore store;
    private final PrintStream out;

    private EvidenceCommand(Path checkout, String maven, PrintStream out) {
        List<TestedProvider> providers = TestedProvider.all();
        this.checkout = checkout;
        this.build = new KitBuild(checkout, maven, providers);
        this.code = CodeVersion.in(checkout);
        this.store = new ReportStore(checkout.resolve("target/evidence"), providers);
        this.out = out;
    }

    /**
     * Runs it, and ends the JVM.
     *
     * @param arguments the folder of the checkout, the command that starts Maven, and what the user has said
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) {
        List<String> said = List.of(arguments).subList(2, arguments.length);
        if (said.contains("--help")) {
            System.out.print(USAGE);
            return GREEN;
        }
        try {
            int runs = runs(said);
            return new EvidenceCommand(Path.of(arguments[0]), arguments[1], System.out).collect(runs);
        } catch (EvidenceException | UncheckedIOException refused) {
            System.err.println("tck evidence: " + refused.getMessage());
            return NO_PAGE;
        }
    }

    static int runs(List<String> said) {
        String runs = said.isEmpty() ? "1" : said.get(0);
        if (said.size() > 1 || !runs.matches("\\d{1,3}")) {
            throw new EvidenceException("'" + String.join(" ", said) + "' is no number of runs; allowed is 0 to 999");
        }
        return Integer.parseInt(runs);
    }

    private int collect(int runs) {
        String commit = code.commit();
        if (runs > 0) {
            code.requireCommitted();
            store.refuseOthersThan(commit);
        }
        for (int i = 1; i <= runs; i++) {
            out.println("Run " + i + " of " + runs + ", of commit " + commit);
            Path reports = store.begin(commit, Clock.systemUTC());
            build.run(reports, line -> out.println("  " + line));
            store.keep(reports);
        }
        return write(commit);
    }

    private int write(String commit) {
        List<Path> unfinished = store.unfinishedRunsOf(commit);
        if (!unfinished.isEmpty()) {
            out.println("Left out, as they were broken off: " + unfinished);
        }
        List<TestedProvider> providers = TestedProvider.all();
        Observations seen = new Observations(commit, providers, store.runsOf(commit));
        Path page = checkout.resolve("docs/evidence.md");
        try {
            Files.writeString(page, EvidencePage.of(seen));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        out.println(page + ": " + Markdown.counted(seen.runs().size(), "run") + ", " + seen.count(RecordedTest::passed)
                + " tests passed, "
                + seen.count(test -> test.verdict() == Verdict.BROKEN) + " broken, "
                + seen.count(test -> test.verdict() == Verdict.INCONCLUSIVE) + " inconclusive");
        return exitCode(seen);
    }

    private static int exitCode(Observations seen) {
        if (seen.count(test -> test.verdict() == Verdict.BROKEN) > 0) {
            return BROKEN;
        }
        return seen.count(test -> test.verdict() == Verdict.INCONCLUSIVE) > 0 ? INCONCLUSIVE : GREEN;
    }
}
