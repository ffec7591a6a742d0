package io.holdfast.bench;

import java.util.EnumMap;
import java.util.Map;

/** What a turn showed. Not thread-safe. */
final class Figures {

    private final Map<Measure, Double> values = new EnumMap<>(Measure.class);

    Figures with(Measure measure, double value) {
        values.put(measure, value);
        return this;
    }

    /** The value; not a number if it was not measured. */
    double of(Measure measure) {
        return values.getOrDefault(measure, Double.NaN);
    }
}
