package io.holdfast.examples.demo;

/**
 * Whether a claim of the demo held.
 *
 * @param holds true if it did
 * @param claim what was claimed, with the figures that were seen
 */
record Verdict(boolean holds, String claim) {}
