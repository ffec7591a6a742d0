package io.holdfast.bench;

import java.util.Locale;

/** What a turn measures. */
enum Measure {
    CYCLES("cycles/s", 0, Better.MORE),
    P50("p50 µs", 0, Better.LESS),
    P99("p99 µs", 0, Better.LESS),
    FAIRNESS("fairness", 2, Better.MORE),
    PROCESS_FAIRNESS("of processes", 2, Better.MORE),
    SERVER_CPU("cpu µs", 1, Better.LESS),
    SCRIPTS("lua µs", 1, Better.LESS),
    REQUESTS("requests", 2, Better.LESS),
    COMMANDS("commands", 2, Better.LESS),
    LAST_SERVED("last served ms", 1, Better.LESS),
    REQUESTS_A_SECOND("requests/s", 1, Better.LESS),
    COMMANDS_A_SECOND("commands/s", 1, Better.LESS),
    HEAP("heap bytes per lock", 0, Better.LESS),
    THREADS("threads", 0, Better.LESS),
    ALLOCATION("allocated bytes", 0, Better.LESS);

    enum Better {
        MORE,
        LESS
    }

    private final String title;
    private final int digits;
    private final Better better;

    Measure(String title, int digits, Better better) {
        this.title = title;
        this.digits = digits;
        this.better = better;
    }

    String title() {
        return title;
    }

    /** The title, for who does not know whether more is better. */
    String explainedTitle() {
        return better == Better.MORE ? title : title + " (less is better)";
    }

    /** How good a value is in parts of a reference: above 1 if it is better. */
    double ratio(double value, double reference) {
        return better == Better.MORE ? value / reference : reference / value;
    }

    String text(double value) {
        return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%,." + digits + "f", value);
    }
}
