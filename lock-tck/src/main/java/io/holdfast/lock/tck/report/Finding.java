package io.holdfast.lock.tck.report;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one test of the kit found.
 *
 * @param level the level of the kit, {@code provider} or {@code client}
 * @param test the name of its method
 * @param rules the numbers of the rules that it proves; none for a control of the harness
 * @param hooks the names of the hooks of the harness that it needs, such as {@code OUTAGE}
 * @param verdict what became of it
 * @param text why, in one sentence; for a test that passed what was seen in the tries before, mostly nothing
 * @param time how long it took
 */
public record Finding(
        String level,
        String test,
        List<String> rules,
        List<String> hooks,
        Verdict verdict,
        String text,
        Duration time) {

    /** The test that all others rest on: what no provider can do without. */
    public static final String FIRST_THINGS = "firstThings";

    /** How the text begins of a test that was left out because too much is broken. */
    public static final String NOT_RUN = "was not run: ";

    /** JUnit appends what it compared, which says nothing where a sentence has been compared with true. */
    private static final Pattern COMPARISON = Pattern.compile("(?s) ==> expected: <(.*)> but was: <(.*)>$");

    private static final Pattern OTHER_TAIL = Pattern.compile("(?s) ==> (.*)$");

    /**
     * Creates a finding.
     *
     * @param level the level of the kit
     * @param test the name of its method
     * @param rules the numbers of the rules that it proves; none for a control of the harness
     * @param hooks the names of the hooks of the harness that it needs
     * @param verdict what became of it
     * @param text why, as the assertion said it; becomes one sentence
     * @param time how long it took
     */
    public Finding {
        rules = List.copyOf(rules);
        hooks = List.copyOf(hooks);
        text = sentence(text);
    }

    private static String sentence(String assertion) {
        Matcher comparison = COMPARISON.matcher(assertion);
        if (comparison.find()) {
            String said = assertion.substring(0, comparison.start());
            boolean bare = isTruth(comparison.group(1)) && isTruth(comparison.group(2));
            return bare ? said : said + ": expected was " + comparison.group(1) + ", seen was " + comparison.group(2);
        }
        return OTHER_TAIL.matcher(assertion).replaceFirst(" ($1)").strip();
    }

    private static boolean isTruth(String compared) {
        return compared.equals("true") || compared.equals("false");
    }

    /**
     * What was tested.
     *
     * @return the rules, or the control of the harness
     */
    public String subject() {
        return subject(test, rules);
    }

    /**
     * What a test is about.
     *
     * @param test the name of its method
     * @param rules the numbers of the rules that it proves
     * @return the rules, or the control of the harness
     */
    public static String subject(String test, List<String> rules) {
        if (rules.isEmpty()) {
            return "the harness control " + test;
        }
        return (rules.size() == 1 ? "rule " : "rules ") + String.join(", ", rules);
    }
}
