package io.holdfast.lock.tck.report;

/** What became of a test of the kit, from the one that matters least to the one that matters most. */
public enum Verdict {
    /** The provider does not declare what the rule needs, or the harness lacks a hook. */
    SKIPPED("skipped"),
    /** The rule was seen to hold. */
    PASS("pass"),
    /** The rule is broken, and the vendor has said so: {@link io.holdfast.lock.tck.Deviation}. */
    DEVIATION("deviation"),
    /** The machine was too slow to tell. */
    INCONCLUSIVE("inconclusive"),
    /** The rule is broken. */
    BROKEN("broken");

    private final String word;

    Verdict(String word) {
        this.word = word;
    }

    /**
     * The verdict in lower case.
     *
     * @return one word
     */
    public String word() {
        return word;
    }
}
