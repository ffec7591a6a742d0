package io.holdfast.bench;

/**
 * What a turn showed.
 *
 * @param cyclesPerSecond of all threads together: acquire and release
 * @param medianMicros of a cycle of one thread
 * @param p99Micros of a cycle of one thread
 * @param fairness cycles of the thread that had fewest, in parts of those of the one that had most
 * @param serverMicros of the server's process for each cycle
 * @param scriptMicros of the server in scripts for each cycle
 * @param commands that the server was sent for each cycle
 */
record TurnResult(
        double cyclesPerSecond,
        double medianMicros,
        double p99Micros,
        double fairness,
        double serverMicros,
        double scriptMicros,
        double commands) {}
