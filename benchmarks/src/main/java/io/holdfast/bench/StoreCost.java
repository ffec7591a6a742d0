package io.holdfast.bench;

/**
 * What a store has done so far; not a number where it does not tell.
 *
 * @param cpuMicros the time of its process
 * @param scriptMicros the time in scripts
 * @param requests how many it was sent: in Redis what it read at once
 * @param commands how many it ran, those inside scripts too
 */
record StoreCost(double cpuMicros, double scriptMicros, double requests, double commands) {

    StoreCost since(StoreCost before) {
        return new StoreCost(
                cpuMicros - before.cpuMicros,
                scriptMicros - before.scriptMicros,
                requests - before.requests,
                commands - before.commands);
    }

    /** Adds what each cycle has cost. */
    Figures addTo(Figures figures, double cycles) {
        return figures.with(Measure.SERVER_CPU, cpuMicros / cycles)
                .with(Measure.SCRIPTS, scriptMicros / cycles)
                .with(Measure.REQUESTS, requests / cycles)
                .with(Measure.COMMANDS, commands / cycles);
    }
}
