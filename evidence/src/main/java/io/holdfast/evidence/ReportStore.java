package io.holdfast.evidence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the reports of all runs are kept: a folder for each commit of the code, and in it one for each run. Runs of the same code
 * add up; those of other code are refused.
 */
final class ReportStore {

    /** At the end of the name of a run's folder until Maven has ended. */
    private static final String UNFINISHED = ".unfinished";

    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH.mm.ss'Z'");

    private final Path folder;
    private final List<TestedProvider> providers;

    ReportStore(Path folder, List<TestedProvider> providers) {
        this.folder = folder;
        this.providers = providers;
    }

    /**
     * Refuses to go on beside reports of other code.
     *
     * @param commit the commit of the code
     * @throws EvidenceException if there is a report of another commit
     */
    void refuseOthersThan(String commit) {
        List<Path> others = foldersIn(folder).stream()
                .filter(each -> !each.getFileName().toString().equals(commit))
                .toList();
        if (!others.isEmpty()) {
            throw new EvidenceException("There are reports of other code than that of commit " + commit
                    + ", which must not be mixed with its own. Remove or move them: " + others);
        }
    }

    /**
     * Reads all runs.
     *
     * @param commit the commit of the code
     * @return the runs, the earliest first
     * @throws EvidenceException if there is none, one is incomplete, or one is of another commit
     */
    List<StoredRun> runsOf(String commit) {
        refuseOthersThan(commit);
        List<Path> runs = foldersIn(folder.resolve(commit)).stream()
                .filter(run -> !run.toString().endsWith(UNFINISHED))
                .toList();
        if (runs.isEmpty()) {
            throw new EvidenceException("There is no report of commit " + commit + " in " + folder
                    + ". Run ./tck evidence, which takes about twenty minutes");
        }
        return runs.stream().map(run -> StoredRun.in(run, providers)).toList();
    }

    /** Those that were broken off, and do not count. */
    List<Path> unfinishedRunsOf(String commit) {
        return foldersIn(folder.resolve(commit)).stream()
                .filter(run -> run.toString().endsWith(UNFINISHED))
                .toList();
    }

    /** Makes the folder of a new run, which does not count before it is {@linkplain #keep kept}. */
    Path begin(String commit, Clock clock) {
        String name = NAME.format(LocalDateTime.ofInstant(clock.instant(), ZoneOffset.UTC));
        try {
            return Files.createDirectories(folder.resolve(commit).resolve(name + UNFINISHED));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * Lets a run count.
     *
     * @param run its folder
     * @throws EvidenceException if one of its reports is missing
     */
    void keep(Path run) {
        StoredRun.in(run, providers);
        String name = run.getFileName().toString();
        try {
            Files.move(run, run.resolveSibling(name.substring(0, name.length() - UNFINISHED.length())));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static List<Path> foldersIn(Path place) {
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(place)) {
            return entries.filter(Files::isDirectory).sorted().toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
