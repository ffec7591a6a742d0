package io.holdfast.lock.tck.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ReportTest {

    private static final Finding PASSED = finding("rule11_a", Verdict.PASS, "", "1.1");
    private static final Finding LATE = finding(
            "rule75_b",
            Verdict.BROKEN,
            "waiters must be served in order ==> expected: <[0, 1]> but was: <[1, 0]>",
            "7.5");
    private static final Finding BASIC = finding(
            "rule51_c", Verdict.BROKEN, "it was <freed> & lost ==> expected: <true> but was: <false>", "5.1", "5.2");
    private static final Finding SKIPPED =
            finding("rule63_d", Verdict.SKIPPED, "not applicable: the provider declares fencing NONE", "6.3");
    private static final Finding UNSURE = finding("rule34_e", Verdict.INCONCLUSIVE, "the machine stood still", "3.4");

    private static Finding finding(String test, Verdict verdict, String text, String... rules) {
        return new Finding("provider", test, List.of(rules), List.of(), verdict, text, Duration.ofMillis(5));
    }

    private static Report of(Finding... findings) {
        return new Report(
                "redis://host", Map.of("provider", "Some<Provider>"), Duration.ofSeconds(3), List.of(findings));
    }

    @Test
    void theTailOfAnAssertionBecomesASentenceOrGoes() {
        assertThat(LATE.text()).isEqualTo("waiters must be served in order: expected was [0, 1], seen was [1, 0]");
        assertThat(BASIC.text()).isEqualTo("it was <freed> & lost");
        assertThat(finding("x", Verdict.BROKEN, "because ==> Unexpected type, expected: <A> but was: <B>")
                        .text())
                .isEqualTo("because (Unexpected type, expected: <A> but was: <B>)");
    }

    @Test
    void theSummaryNamesTheRuleToMendFirstWithItsText() {
        assertThat(Summary.of(of(PASSED, LATE, BASIC, SKIPPED))).isEqualTo("""
                        redis://host: 1 skipped, 1 pass, 2 broken (3 s)

                        BROKEN. Mend rules 5.1, 5.2 first; those further down may only follow from it:
                          rules 5.1, 5.2: A release frees only its own claim, and the comparison and the removal are one atomic step.
                              seen: it was <freed> & lost [rule51_c]
                          rule 7.5: Waiters of one client are granted the lock in the order in which they began to wait, and [FIFO] so are the claims of different clients, each of which has at most one in the store's queue for a name, that of its first waiter, and none while the client's present hold may be passed on to that waiter (7.7). A claim whose client the store cannot tell at the moment may be passed over until it attempts again. A claim that attempts once has no place in the queue, and is refused while another claim waits whose turn it is. An acquire that re-enters begins to wait only if the hold that it would share ends meanwhile.
                              seen: waiters must be served in order: expected was [0, 1], seen was [1, 0] [rule75_b]

                          skipped, as the provider declares fencing NONE: 6.3
                        """);
    }

    @Test
    void skippedRulesStandInTheOrderOfTheDocumentAndControlsBehindThem() {
        String because = "not applicable: there is no outage()";
        Report report = of(
                PASSED,
                finding("control_a", Verdict.SKIPPED, because),
                finding("rule54_b", Verdict.SKIPPED, because, "5.4", "5.10"),
                finding("rule13_c", Verdict.SKIPPED, because, "1.3", "5.4"));

        assertThat(Summary.of(report)).contains("  skipped, as there is no outage(): 1.3, 5.4, 5.10, control_a\n");
    }

    @Test
    void theSummaryOfAGreenRunEndsWithWhatItShows() {
        assertThat(Summary.of(of(PASSED))).isEqualTo("""
                        redis://host: 1 pass (3 s)
                        redis://host keeps all rules that apply.
                        """);
        Report ofOneRule =
                new Report("redis://host", Map.of(Report.ASKED_FOR, "3.2"), Duration.ofSeconds(1), List.of(PASSED));
        assertThat(Summary.of(ofOneRule)).endsWith("redis://host keeps the rules that were asked for.\n");
    }

    @Test
    void aTestThatPassedOnlyWhenItWasRepeatedIsNamed() {
        Finding repeated = finding("rule77_d", Verdict.PASS, "1 try before proved nothing: it stood still", "7.7");

        assertThat(Summary.of(of(PASSED, repeated))).isEqualTo("""
                        redis://host: 2 pass (3 s)
                          repeated, as the machine or the store stood still: rule 7.7
                        redis://host keeps all rules that apply.
                        """);
    }

    @Test
    void onlyARunThatPassedIsGreen() {
        assertThat(of(PASSED, SKIPPED).isGreen()).isTrue();
        assertThat(of(SKIPPED).isGreen()).isFalse();
        assertThat(of().isGreen()).isFalse();
        assertThat(of(PASSED, UNSURE).isGreen()).isFalse();
        assertThat(of(PASSED, UNSURE, LATE).worst()).isEqualTo(Verdict.BROKEN);
        assertThat(of(PASSED, finding("f", Verdict.DEVIATION, "declared", "7.5"))
                        .isGreen())
                .isTrue();
    }

    @Test
    void theXmlCountsAndKeepsWhatXmlCannotHoldOut() throws Exception {
        Report report =
                of(PASSED, LATE, SKIPPED, UNSURE, finding("g", Verdict.BROKEN, "the name 'a\u0001\uD83D\uDD12'"));

        Element suite = document(report).getDocumentElement();
        assertThat(suite.getAttribute("tests")).isEqualTo("5");
        assertThat(suite.getAttribute("failures")).isEqualTo("2");
        assertThat(suite.getAttribute("errors")).isEqualTo("1");
        assertThat(suite.getAttribute("skipped")).isEqualTo("1");
        Element last = (Element) suite.getElementsByTagName("failure").item(1);
        assertThat(last.getAttribute("message")).isEqualTo("the harness control g: the name 'a\uFFFD\uD83D\uDD12'");
    }

    @Test
    void theXmlHasTheFactsOfTheRunAndOfEachTestItsRulesAndHooks() throws Exception {
        Finding cut = new Finding(
                "client", "rule95_h", List.of("1.6", "9.5"), List.of("OUTAGE"), Verdict.PASS, "", Duration.ofMillis(5));

        Element suite = document(of(cut)).getDocumentElement();

        assertThat(properties(suite)).containsExactly("provider=Some<Provider>", "rule=1.6", "rule=9.5", "hook=OUTAGE");
        assertThat(properties((Element) suite.getElementsByTagName("testcase").item(0)))
                .containsExactly("rule=1.6", "rule=9.5", "hook=OUTAGE");
    }

    private static Document document(Report report) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(JUnitXml.of(report).getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> properties(Element below) {
        NodeList found = below.getElementsByTagName("property");
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .map(property -> property.getAttribute("name") + "=" + property.getAttribute("value"))
                .toList();
    }

    @Test
    void thePageShowsEachRuleAndEscapesWhatItQuotes() {
        String page = HtmlPage.of(of(PASSED, BASIC));

        assertThat(page)
                .contains("id=\"r1.1\" class=\"pass\"", "id=\"r5.1\" class=\"broken\"", "Mend rules 5.1, 5.2 first")
                .contains("it was &lt;freed&gt; &amp; lost", "Some&lt;Provider&gt;")
                .doesNotContain("<freed>");
        assertThat(RuleBook.ofThisKit().rules())
                .allSatisfy(rule -> assertThat(page).contains("id=\"r" + rule.number() + "\""));
    }
}
