package io.holdfast.lock.spi;

import io.holdfast.lock.ApiStatus;
import io.holdfast.lock.LockConfigurationException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parameters of a connection: those of the URI's query, overridden by the properties that the application set. A backend
 * asks for each parameter that it knows, then calls {@link #rejectUnknown()}. Not thread-safe.
 */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public final class ConnectionParameters {

    private static final Pattern DURATION = Pattern.compile("(-?\\d{1,15})(ms|s|m|h)");

    private final Map<String, String> values;
    private final TreeSet<String> known = new TreeSet<>();

    private ConnectionParameters(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Reads parameters.
     *
     * @param query the raw query of a URI, {@code name=value} joined by {@code &}, percent-encoded; may be empty
     * @param properties further parameters, which win over the query's
     * @return the parameters
     * @throws LockConfigurationException if a parameter has no value, or stands in the query twice
     */
    public static ConnectionParameters of(String query, Map<String, String> properties) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                // Not shown: behind an unencoded ? in a password, it is a piece of the password.
                throw new LockConfigurationException(
                        "A parameter of the URI has no name and value; allowed is name=value, joined by &");
            }
            String name = decoded(pair.substring(0, equals));
            if (values.put(name, decoded(pair.substring(equals + 1))) != null) {
                throw new LockConfigurationException("The URI's parameter '" + name + "' is given twice");
            }
        }
        values.putAll(properties);
        return new ConnectionParameters(values);
    }

    private static String decoded(String text) {
        try {
            // A plus sign is itself: these are URIs, not HTML forms.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new LockConfigurationException("A URI parameter has a malformed percent-encoding", malformed);
        }
    }

    /**
     * Reads a duration.
     *
     * @param name the name of the parameter, for the error
     * @param text a whole number with {@code ms}, {@code s}, {@code m} or {@code h}, such as {@code 500ms}
     * @return the duration
     * @throws LockConfigurationException if the text is anything else
     */
    public static Duration parseDuration(String name, String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new LockConfigurationException("The parameter '" + name + "' is '" + text
                    + "'; allowed is a whole number with a unit of ms, s, m or h, such as 500ms or 30s");
        }
        try {
            return Duration.ofMillis(
                    Math.multiplyExact(Long.parseLong(matcher.group(1)), unitMillis(matcher.group(2))));
        } catch (ArithmeticException tooLong) {
            throw new LockConfigurationException(
                    "The parameter '" + name + "' is '" + text + "', which is too long", tooLong);
        }
    }

    private static long unitMillis(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            default -> throw new IllegalArgumentException("Not a unit of time: " + unit);
        };
    }

    /**
     * A text parameter.
     *
     * @param name its name
     * @return its value; empty if it is not given
     */
    public Optional<String> text(String name) {
        known.add(name);
        return Optional.ofNullable(values.get(name));
    }

    /**
     * A duration parameter.
     *
     * @param name its name
     * @param otherwise its value if it is not given
     * @param least the least value allowed
     * @param most the greatest value allowed
     * @return its value
     * @throws LockConfigurationException if it is not a duration or out of range
     */
    public Duration duration(String name, Duration otherwise, Duration least, Duration most) {
        Duration value = text(name).map(given -> parseDuration(name, given)).orElse(otherwise);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new LockConfigurationException("The parameter '" + name + "' is " + value.toMillis()
                    + " ms; allowed are " + least.toMillis() + " to " + most.toMillis() + " ms");
        }
        return value;
    }

    /**
     * A whole-number parameter.
     *
     * @param name its name
     * @param otherwise its value if it is not given
     * @param least the least value allowed
     * @param most the greatest value allowed
     * @return its value
     * @throws LockConfigurationException if it is not a number or out of range
     */
    public int integer(String name, int otherwise, int least, int most) {
        String given = text(name).orElse(Integer.toString(otherwise));
        try {
            int value = Integer.parseInt(given);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw outOfRange(name, given, least, most, notANumber);
        }
        throw outOfRange(name, given, least, most, null);
    }

    private static LockConfigurationException outOfRange(
            String name, String given, int least, int most, @org.jspecify.annotations.Nullable Throwable cause) {
        String message = "The parameter '" + name + "' is '" + given + "'; allowed are whole numbers from " + least
                + " to " + most;
        return cause == null ? new LockConfigurationException(message) : new LockConfigurationException(message, cause);
    }

    /**
     * A parameter that is one constant of an enum, written in any case.
     *
     * @param name its name
     * @param otherwise its value if it is not given
     * @param <E> the enum
     * @return its value
     * @throws LockConfigurationException if it is no such constant
     */
    public <E extends Enum<E>> E choice(String name, E otherwise) {
        Optional<String> given = text(name);
        if (given.isEmpty()) {
            return otherwise;
        }
        TreeSet<String> allowed = new TreeSet<>();
        for (E constant : otherwise.getDeclaringClass().getEnumConstants()) {
            String spelling = constant.name().toLowerCase(Locale.ROOT);
            if (spelling.equals(given.get().toLowerCase(Locale.ROOT))) {
                return constant;
            }
            allowed.add(spelling);
        }
        throw new LockConfigurationException(
                "The parameter '" + name + "' is '" + given.get() + "'; allowed are " + String.join(", ", allowed));
    }

    /**
     * Refuses every parameter that was not asked for.
     *
     * @throws LockConfigurationException if there is one; the message names it and the ones that are known, never a value
     */
    public void rejectUnknown() {
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                TreeSet<String> allowed = new TreeSet<>(known);
                allowed.add("lease");
                throw new LockConfigurationException(
                        "The parameter '" + name + "' is unknown; allowed are " + String.join(", ", allowed));
            }
        }
    }

    /** The names only: a value may be a password. */
    @Override
    public String toString() {
        return "ConnectionParameters" + values.keySet();
    }
}
