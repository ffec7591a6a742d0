package io.holdfast.build.spec;

/**
 * One rule of the specification.
 *
 * @param id such as {@code 3.2}
 * @param level MUST, SHOULD or MAY
 * @param untested whether the specification says why no test can prove it
 */
record SpecRule(String id, String level, boolean untested) {}
