package io.holdfast.bench;

import java.util.List;

/**
 * What all contenders do in turns.
 *
 * @param name for the command line and the page
 * @param title what it is, for the table
 * @param threads how many, in one JVM
 * @param locks how many locks they share: thread {@code i} takes lock {@code i % locks}
 * @param contenders who takes part; the first is the limit
 */
record Scenario(String name, String title, int threads, int locks, List<Contender> contenders) {}
