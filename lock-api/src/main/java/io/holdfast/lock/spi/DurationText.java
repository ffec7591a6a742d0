package io.holdfast.lock.spi;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as parameters have them: a whole number and a unit. */
final class DurationText {

    private static final Pattern FORM = Pattern.compile("(-?[0-9]{1,15})(ms|s|m|h)");

    private DurationText() {}

    /** The units, largest first. */
    private enum Unit {
        H(Duration.ofHours(1)),
        M(Duration.ofMinutes(1)),
        S(Duration.ofSeconds(1)),
        MS(Duration.ofMillis(1));

        private final Duration one;

        Unit(Duration one) {
            this.one = one;
        }
    }

    /** Reads a duration; empty if it is none. */
    static Optional<Duration> read(String text) {
        Matcher parts = FORM.matcher(text);
        return parts.matches()
                ? Optional.of(Unit.valueOf(parts.group(2).toUpperCase(Locale.ROOT))
                        .one
                        .multipliedBy(Long.parseLong(parts.group(1))))
                : Optional.empty();
    }

    /** Writes a duration of whole milliseconds, in the largest unit of which it is a whole number. */
    static String of(Duration duration) {
        Unit unit = Unit.MS;
        for (Unit larger : Unit.values()) {
            if (duration.toMillis() % larger.one.toMillis() == 0) {
                unit = larger;
                break;
            }
        }
        return duration.dividedBy(unit.one) + unit.name().toLowerCase(Locale.ROOT);
    }
}
