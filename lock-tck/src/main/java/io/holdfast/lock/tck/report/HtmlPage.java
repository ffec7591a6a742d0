package io.holdfast.lock.tck.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A report as one page that needs nothing beside it: rule by rule, with the rule's text and what its tests have seen. */
public final class HtmlPage {

    private final Report report;
    private final RuleBook book = RuleBook.ofThisKit();
    private final StringBuilder page = new StringBuilder();

    private HtmlPage(Report report) {
        this.report = report;
    }

    /**
     * Writes the page.
     *
     * @param report of a run
     * @return the HTML
     */
    public static String of(Report report) {
        HtmlPage page = new HtmlPage(report);
        page.head();
        page.overview();
        page.mendFirst();
        page.chapters();
        page.controls();
        page.page.append("</main></body></html>\n");
        return page.page.toString();
    }

    private void head() {
        page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>")
                .append(escaped(report.subject()))
                .append(" - Holdfast compatibility kit</title>\n<style>\n")
                .append(KitText.of(HtmlPage.class, "page.css"))
                .append("</style></head>\n<body><main>\n");
    }

    private void overview() {
        page.append("<header><p class=\"kit\">Holdfast compatibility kit</p><h1>")
                .append(escaped(report.subject()))
                .append("</h1>")
                .append(chip(report.worst(), verdictOfRun()))
                .append("</header>\n<dl class=\"counts\">");
        for (Verdict verdict :
                List.of(Verdict.PASS, Verdict.BROKEN, Verdict.INCONCLUSIVE, Verdict.DEVIATION, Verdict.SKIPPED)) {
            page.append("<div class=\"")
                    .append(report.count(verdict) == 0 ? "none" : verdict.word())
                    .append("\"><dd>")
                    .append(report.count(verdict))
                    .append("</dd><dt>")
                    .append(verdict.word())
                    .append("</dt></div>");
        }
        page.append("</dl>\n<table class=\"facts\">");
        Map<String, String> facts = new LinkedHashMap<>(report.facts());
        facts.put("run", report.findings().size() + " tests in " + report.took().toSeconds() + " s");
        facts.forEach((name, value) -> page.append("<tr><th>")
                .append(escaped(name))
                .append("</th><td>")
                .append(escaped(value))
                .append("</td></tr>"));
        page.append("</table>\n");
    }

    private String verdictOfRun() {
        if (report.isGreen()) {
            return report.praise();
        }
        return switch (report.worst()) {
            case BROKEN -> "breaks rules";
            case INCONCLUSIVE -> "could not be told";
            default -> "was not tested";
        };
    }

    private void mendFirst() {
        List<Finding> broken = report.with(Verdict.BROKEN);
        if (broken.isEmpty()) {
            return;
        }
        Finding first = broken.get(0);
        page.append("<section class=\"first\"><h2>Mend ")
                .append(escaped(first.subject()))
                .append(" first</h2><p class=\"seen\">")
                .append(escaped(first.text()))
                .append(
                        "</p><p class=\"hint\">Other rules rest on it, so other failures may only follow from it.</p></section>\n");
    }

    private void chapters() {
        String chapter = "";
        for (Rule rule : book.rules()) {
            if (!rule.chapter().equals(chapter)) {
                page.append(chapter.isEmpty() ? "" : "</section>\n")
                        .append("<section><h2>")
                        .append(escaped(rule.number().substring(0, rule.number().indexOf('.')) + " " + rule.chapter()))
                        .append("</h2>\n");
                chapter = rule.chapter();
            }
            rule(rule);
        }
        page.append("</section>\n");
    }

    private void rule(Rule rule) {
        List<Finding> findings = report.of(rule.number());
        Verdict worst = Report.worst(findings);
        page.append("<article id=\"r")
                .append(rule.number())
                .append("\" class=\"")
                .append(worst.word())
                .append("\"><h3><span class=\"number\">")
                .append(rule.number())
                .append("</span>")
                .append(
                        findings.isEmpty()
                                ? "<span class=\"chip skipped\">not tested</span>"
                                : chip(worst, worst.word()))
                .append(rule.tag().isEmpty() ? "" : "<span class=\"tag\">" + escaped(rule.tag()) + "</span>")
                .append("</h3><p class=\"rule\">")
                .append(escaped(rule.text()))
                .append("</p><p class=\"intent\">")
                .append(escaped(rule.intent()))
                .append("</p>");
        if (findings.isEmpty()) {
            page.append("<p class=\"seen\">")
                    .append(escaped(
                            rule.notTested().isEmpty()
                                    ? "No test of it was run."
                                    : "Not in the kit: " + rule.notTested()))
                    .append("</p>");
        } else {
            tests(findings, worst);
        }
        page.append("</article>\n");
    }

    /** The tests of one rule: open if there is something to read. */
    private void tests(List<Finding> findings, Verdict worst) {
        boolean open = worst.compareTo(Verdict.DEVIATION) >= 0;
        page.append("<details")
                .append(open ? " open" : "")
                .append("><summary>")
                .append(findings.size() == 1 ? "1 test" : findings.size() + " tests")
                .append("</summary><ul>");
        for (Finding finding : findings) {
            page.append("<li>")
                    .append(chip(finding.verdict(), finding.verdict().word()))
                    .append("<code>")
                    .append(escaped(sentence(finding.test())))
                    .append("</code><span class=\"tag\">")
                    .append(escaped(finding.level()))
                    .append("</span><span class=\"time\">")
                    .append(finding.time().toMillis())
                    .append(" ms</span>");
            if (!finding.text().isEmpty()) {
                page.append("<p class=\"seen\">")
                        .append(escaped(finding.text()))
                        .append("</p>");
            }
            page.append("</li>");
        }
        page.append("</ul></details>");
    }

    private void controls() {
        List<Finding> controls = report.findings().stream()
                .filter(finding -> finding.rules().isEmpty())
                .toList();
        if (controls.isEmpty()) {
            return;
        }
        page.append("<section><h2>Controls of the harness</h2><article>");
        tests(controls, Report.worst(controls));
        page.append("</article></section>\n");
    }

    private static String chip(Verdict verdict, String text) {
        return "<span class=\"chip " + verdict.word() + "\">" + escaped(text) + "</span>";
    }

    /** The name of a test is a sentence without blanks. */
    private static String sentence(String test) {
        String said = test.substring(test.indexOf('_') + 1);
        return said.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
