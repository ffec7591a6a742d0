package io.holdfast.lock.spi;

import io.holdfast.lock.LockConfigurationException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The parameters of a connection: those of the URI's query, overridden by the properties that the application set. A backend
 * asks for each parameter that it knows, then calls {@link #rejectUnknown()}. The {@code lease} and the
 * {@code handOver} are among them, and the client has read them: a backend that has no use for a lease calls
 * {@link #rejectLease}, any other leaves both alone. Not thread-safe.
 */
public final class ConnectionParameters {

    private static final Pattern NAME = Pattern.compile("[A-Za-z]+");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]{1,9}");

    private final Map<String, String> values;
    private final TreeSet<String> known = new TreeSet<>(Set.of("lease", "handOver"));

    private ConnectionParameters(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Reads parameters.
     *
     * @param query the raw query of a URI, {@code name=value} joined by {@code &}, percent-encoded; may be empty
     * @param properties further parameters, which win over the query's
     * @return the parameters
     * @throws LockConfigurationException if a parameter has no value, stands in the query twice, is not percent-encoded well,
     *     or contains an unencoded {@code @}
     */
    public static ConnectionParameters of(String query, Map<String, String> properties) {
        Objects.requireNonNull(query, "query");
        Objects.requireNonNull(properties, "properties");
        if (query.indexOf('@') >= 0) {
            // With a ? in a password, what looks like the query is a piece of the password, and
            // no part of it can be named.
            throw new LockConfigurationException("The URI has an @ behind its question mark; allowed is %40 there,"
                    + " and special characters in a user name or password have to be percent-encoded");
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new LockConfigurationException(incomplete(pair, query) + "; allowed is name=value, joined by &");
            }
            String name = percentDecoded("name of a URI parameter", pair.substring(0, equals));
            String value = percentDecoded("value of a URI parameter", pair.substring(equals + 1));
            if (values.put(name, value) != null) {
                throw new LockConfigurationException("The URI's parameter '" + name + "' is given twice");
            }
        }
        values.putAll(properties);
        return new ConnectionParameters(values);
    }

    /** Shows only what looks like a name: behind an unencoded & in a password, it would be a piece of the password. */
    private static String incomplete(String pair, String query) {
        boolean shown =
                NAME.matcher(pair).matches() && !query.toLowerCase(Locale.ROOT).contains("password");
        return shown
                ? "The URI's parameter '" + pair + "' has no value"
                : "A parameter of the URI has no name and value";
    }

    /**
     * Decodes a part of a URI. A plus sign is itself: these are URIs, not HTML forms.
     *
     * @param what which part it is, for the error
     * @param text the part, percent-encoded
     * @return the part as it was meant
     * @throws LockConfigurationException if the encoding is malformed or gives no valid UTF-8; the message does not repeat the
     *     text, which may be a password
     */
    public static String percentDecoded(String what, String text) {
        Objects.requireNonNull(what, "what");
        Objects.requireNonNull(text, "text");
        return PercentEncoding.decoded(what, text);
    }

    /**
     * Reads a duration.
     *
     * @param name the name of the parameter, for the error
     * @param text a whole number of up to 15 digits with {@code ms}, {@code s}, {@code m} or {@code h}, such as {@code 500ms}
     * @return the duration
     * @throws LockConfigurationException if the text is anything else
     */
    public static Duration parseDuration(String name, String text) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(text, "text");
        return DurationText.read(text)
                .orElseThrow(() -> new LockConfigurationException("The parameter '" + name + "' is '" + text
                        + "'; allowed is a whole number of up to 15 digits with a unit of ms, s, m or h,"
                        + " such as 500ms or 30s"));
    }

    /**
     * A text parameter.
     *
     * @param name its name
     * @return its value; empty if it is not given
     */
    public Optional<String> text(String name) {
        Objects.requireNonNull(name, "name");
        known.add(name);
        return Optional.ofNullable(values.get(name));
    }

    /**
     * A text parameter of a certain form.
     *
     * @param name its name
     * @param otherwise its value if it is not given
     * @param allowed what all of the text has to match
     * @param inWords what is allowed, for the error
     * @return its value
     * @throws LockConfigurationException if it does not match
     */
    public String text(String name, String otherwise, Pattern allowed, String inWords) {
        Objects.requireNonNull(otherwise, "otherwise");
        Objects.requireNonNull(allowed, "allowed");
        Objects.requireNonNull(inWords, "inWords");
        String value = text(name).orElse(otherwise);
        if (!allowed.matcher(value).matches()) {
            throw new LockConfigurationException(
                    "The parameter '" + name + "' is '" + value + "'; allowed are " + inWords);
        }
        return value;
    }

    /**
     * A key store file of the JDK's default type whose password is the parameter {@code <name>Password}, empty if that is not
     * given. It is opened once to check it: a client library opens it only when it connects, and then may not name the one that
     * failed.
     *
     * @param name the name of the parameter with the path
     * @return the file; empty if it is not given
     * @throws LockConfigurationException if it cannot be opened with its password
     */
    public Optional<File> keyStore(String name) {
        Optional<File> given = text(name).map(File::new);
        given.ifPresent(file -> requireOpens(name, file, text(name + "Password").orElse("")));
        return given;
    }

    private static void requireOpens(String name, File file, String password) {
        try (InputStream content = new FileInputStream(file)) {
            KeyStore.getInstance(KeyStore.getDefaultType()).load(content, password.toCharArray());
        } catch (IOException | GeneralSecurityException | IllegalArgumentException unreadable) {
            throw new LockConfigurationException(
                    "The parameter '" + name + "' is '" + file
                            + "'; allowed is a key store file that can be read with the parameter '" + name
                            + "Password' ("
                            + unreadable.getMessage() + ")",
                    unreadable);
        }
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
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(otherwise, "otherwise");
        Objects.requireNonNull(least, "least");
        Objects.requireNonNull(most, "most");
        Optional<String> given = text(name);
        Duration value = given.map(text -> parseDuration(name, text)).orElse(otherwise);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new LockConfigurationException("The parameter '" + name + "' is '" + given.orElse(value.toString())
                    + "'; allowed are " + DurationText.of(least) + " to " + DurationText.of(most));
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
        Objects.requireNonNull(name, "name");
        String given = text(name).orElse(Integer.toString(otherwise));
        // Nine digits fit, and what other scripts count with, or a plus sign, is rather a slip than a number.
        boolean inRange = WHOLE_NUMBER.matcher(given).matches()
                && Integer.parseInt(given) >= least
                && Integer.parseInt(given) <= most;
        if (!inRange) {
            throw new LockConfigurationException("The parameter '" + name + "' is '" + given
                    + "'; allowed are whole numbers from " + least + " to " + most);
        }
        return Integer.parseInt(given);
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
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(otherwise, "otherwise");
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
     * All parameters whose names are of some kind, for a backend that passes them on without knowing them.
     *
     * @param names which names to take
     * @return the names with their values
     */
    public Map<String, String> matching(Predicate<String> names) {
        Objects.requireNonNull(names, "names");
        Map<String, String> found = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            if (names.test(name)) {
                known.add(name);
                found.put(name, value);
            }
        });
        return found;
    }

    /**
     * Refuses the {@code lease}, for a backend whose locks last as long as a session.
     *
     * @param instead the parameter to set instead
     * @throws LockConfigurationException if a lease is given
     */
    public void rejectLease(String instead) {
        Objects.requireNonNull(instead, "instead");
        known.remove("lease");
        if (values.containsKey("lease")) {
            throw new LockConfigurationException("The parameter 'lease' has no effect, as a lock lasts as long as its"
                    + " client's session; set '" + instead + "' instead");
        }
    }

    /**
     * Refuses every parameter that was not asked for, but for the {@code lease} and the {@code handOver}.
     *
     * @throws LockConfigurationException if there is one; the message names it and the ones that are known, never a value
     */
    public void rejectUnknown() {
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                throw new LockConfigurationException(
                        "The parameter '" + name + "' is unknown; allowed are " + String.join(", ", known));
            }
        }
    }

    /** The names only: a value may be a password. */
    @Override
    public String toString() {
        return "ConnectionParameters" + values.keySet();
    }
}
