package io.holdfast.lock.tck.report;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What the tests of one level of the kit have found so far. Thread-safe. */
public final class Journal {

    /** More broken rules than anybody mends before the next run. Each of them may take seconds to fail. */
    private static final int ENOUGH = 25;

    private final Collection<Finding> findings = new ConcurrentLinkedQueue<>();

    /** Creates an empty journal. */
    public Journal() {}

    /**
     * Adds what a test found.
     *
     * @param finding of one test
     */
    public void add(Finding finding) {
        findings.add(finding);
    }

    /**
     * All findings so far.
     *
     * @return in the order in which the tests ended
     */
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /**
     * Whether so much is broken that further tests tell nobody anything.
     *
     * @return true if the others should not be run
     */
    public boolean hasSeenEnough() {
        return findings.stream()
                        .filter(finding -> finding.verdict() == Verdict.BROKEN)
                        .count()
                >= ENOUGH;
    }
}
