package io.holdfast.lock.tck.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RuleBookTest {

    private final RuleBook book = RuleBook.ofThisKit();

    @Test
    void allRulesOfTheDocumentAreThere() throws IOException {
        String specification = Files.readString(Path.of("../SPEC.md"));
        Pattern rule = Pattern.compile("(?m)^- \\*\\*(\\d+\\.\\d+) ");

        assertThat(book.rules())
                .extracting(Rule::number)
                .containsExactlyElementsOf(rule.matcher(specification)
                        .results()
                        .map((MatchResult found) -> found.group(1))
                        .toList());
    }

    @Test
    void aRuleHasItsChapterItsTextAndItsIntent() {
        Rule rule = book.rule("8.6").orElseThrow();

        assertThat(rule.chapter()).isEqualTo("Loss");
        assertThat(rule.text())
                .startsWith("Where grants and renewals tell the store's time,")
                .endsWith("a hold whose deadline has passed by that is lost at once.");
        assertThat(rule.intent()).startsWith("The store has ended those leases");
        assertThat(book.rule("6.6").orElseThrow().notTested()).isEqualTo("The resource is no part of a provider.");
        assertThat(book.rule("4.6").orElseThrow().tag()).isEqualTo("STORE");
        assertThat(book.rule("8.7")).isEmpty();
    }

    @Test
    void textIsPlain() {
        assertThat(book.rules()).allSatisfy(rule -> {
            assertThat(rule.text()).isNotBlank().doesNotContain("*", "`", "](");
            assertThat(rule.intent()).isNotBlank().doesNotContain("*", "`", "](");
        });
    }

    @Test
    void safetyRulesAreThoseOfTheDocument() {
        assertThat(book.rule("1.1").orElseThrow().isOfSafety()).isTrue();
        assertThat(book.rule("8.6").orElseThrow().isOfSafety()).isTrue();
        assertThat(book.rule("7.5").orElseThrow().isOfSafety()).isFalse();
        assertThat(book.rules().stream().filter(Rule::isOfSafety)).hasSize(34);
    }
}
