package io.holdfast.evidence;

import io.holdfast.lock.tck.report.RuleBook;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** The page {@code docs/evidence.md}: a template whose text people write, filled with what was seen. */
final class EvidencePage {

    private EvidencePage() {}

    static String of(Observations seen) {
        Notes notes = new Notes();
        String faults = new FaultTables(seen, notes).write();
        return template()
                .replace("{headline}", new Headline(seen).write().strip())
                .replace("{faults}", faults.strip())
                .replace("{notes}", notes.list().strip())
                .replace(
                        "{rules}",
                        new RuleTable(seen, RuleBook.ofThisKit()).write().strip())
                .replace("{missing}", missing(seen) + halves(seen))
                .replace("{skipped}", new SkippedTable(seen, notes).write().strip());
    }

    private static String missing(Observations seen) {
        return seen.unseen().stream()
                .map(provider -> "No run of **" + provider.name() + "**: " + provider.mayBeMissing() + ".\n\n")
                .collect(Collectors.joining());
    }

    private static String halves(Observations seen) {
        return seen.seen().stream()
                .filter(provider -> provider.classes().stream().noneMatch(test -> test.endsWith("ClientTckTest")))
                .map(provider -> "**" + provider.name()
                        + "**: only the tests at the level of the SPI, none through a client.\n\n")
                .collect(Collectors.joining());
    }

    private static String template() {
        try (InputStream stream = EvidencePage.class.getResourceAsStream("page.txt")) {
            if (stream == null) {
                throw new FileNotFoundException("page.txt");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
