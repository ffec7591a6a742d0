package io.holdfast.examples.demo;

/**
 * Whether a claim of the demo held.
 *
 * @param holds true if it did
 * @param claim what was claimed, the same text either way
 * @param seen what was seen
 */
record DemoVerdict(boolean holds, String claim, String seen) {}
