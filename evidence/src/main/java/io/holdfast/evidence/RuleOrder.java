package io.holdfast.evidence;

import java.util.Comparator;

/** The order of rules in the specification: 2.10 comes after 2.9. */
final class RuleOrder {

    static final Comparator<String> BY_NUMBER =
            Comparator.<String>comparingInt(RuleOrder::chapter).thenComparingInt(RuleOrder::place);

    private RuleOrder() {}

    private static int chapter(String rule) {
        return Integer.parseInt(rule.substring(0, rule.indexOf('.')));
    }

    private static int place(String rule) {
        return Integer.parseInt(rule.substring(rule.indexOf('.') + 1));
    }
}
