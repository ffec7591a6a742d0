package io.holdfast.lock.tck;

import io.holdfast.lock.tck.report.Verdict;

/** A failed test of the kit: the rules, the verdict, and what was seen. */
final class KitFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final Verdict verdict;
    private final String seen;

    KitFailure(String subject, Verdict verdict, String seen, Throwable failure) {
        super(subject + (subject.startsWith("rules ") ? " are " : " is ") + verdict.word() + ": " + seen, failure);
        this.verdict = verdict;
        this.seen = seen;
        setStackTrace(failure.getStackTrace());
    }

    Verdict verdict() {
        return verdict;
    }

    String seen() {
        return seen;
    }
}
