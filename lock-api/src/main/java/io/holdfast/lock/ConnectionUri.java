package io.holdfast.lock;

import io.holdfast.lock.spi.ConnectionParameters;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The URI that a client is opened on: the engine's own parameters taken out, the rest left for the backend. */
final class ConnectionUri {

    private static final String EXAMPLES = "allowed is scheme:rest, such as redis://localhost:6379 or memory:test";
    private static final String ENCODED = "; special characters in a user name or password are percent-encoded";
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:(?://)?");
    private static final Pattern SCHEME_ALONE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");
    private static final Pattern ALL_BUT_A_PORT = Pattern.compile("(?s):(?!\\d{0,5}(?:/|\\z)).*");
    private static final String MASK = "***";

    /** After this scheme comes the URL of a JDBC driver, in the form of that driver: none of its parameters is ours. */
    private static final String NESTED = "jdbc";

    private final String scheme;
    private final URI backendUri;
    private final String query;

    private ConnectionUri(String scheme, URI backendUri, String query) {
        this.scheme = scheme;
        this.backendUri = backendUri;
        this.query = query;
    }

    static ConnectionUri parse(String text) {
        if (SCHEME_ALONE.matcher(text).matches()) {
            throw new LockConfigurationException("'" + text + "' is a scheme with nothing behind it; " + EXAMPLES);
        }
        URI whole = parsedStrictly(text, text);
        if (whole.getScheme() == null) {
            throw new LockConfigurationException("'" + redacted(text) + "' has no scheme; " + EXAMPLES);
        }
        String scheme = whole.getScheme().toLowerCase(Locale.ROOT);
        if (scheme.equals(NESTED)) {
            return new ConnectionUri(scheme, whole, "");
        }
        if (whole.getRawFragment() != null) {
            throw new LockConfigurationException("'" + redacted(text) + "' has a fragment (#); " + EXAMPLES + ENCODED);
        }
        int queryStart = text.indexOf('?');
        String base = queryStart < 0 ? text : text.substring(0, queryStart);
        String query = queryStart < 0 ? "" : text.substring(queryStart + 1);
        // Checked as a whole first: an error of one pair is told with what stands beside it.
        ConnectionParameters unused = ConnectionParameters.of(query, Map.of());
        String backendQuery = Stream.of(query.split("&"))
                .filter(pair -> !OptionParameters.has(pair))
                .collect(Collectors.joining("&"));
        // A scheme whose parameters are all taken out keeps the question mark: with nothing behind it, it is no URI.
        boolean bare = backendQuery.isEmpty() && !SCHEME_ALONE.matcher(base).matches();
        URI backendUri = parsedStrictly(bare ? base : base + "?" + backendQuery, text);
        return new ConnectionUri(scheme, backendUri, query);
    }

    private static URI parsedStrictly(String part, String text) {
        try {
            return new URI(part);
        } catch (URISyntaxException malformed) {
            // Neither the message nor the cause of the JDK's exception: both repeat the whole text, password and all.
            throw new LockConfigurationException("'" + redacted(text) + "' is not a URI (" + malformed.getReason()
                    + " at index " + malformed.getIndex() + "); " + EXAMPLES + ENCODED);
        }
    }

    /**
     * Hides whatever may be a password, also in a text that is no well-formed URI: all between the scheme and the last at
     * sign, all parameters, and what stands behind a colon unless it is a port.
     */
    static String redacted(String text) {
        Matcher scheme = SCHEME.matcher(text);
        int start = scheme.lookingAt() ? scheme.end() : 0;
        int end = start;
        while (end < text.length() && "?;#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        int at = text.lastIndexOf('@');
        String prefix = text.substring(0, start);
        if (at > end) {
            // An unencoded ? in a password, or an unencoded @ in a parameter: all of it may be secret.
            return prefix + MASK;
        }
        String place = at < start ? text.substring(start, end) : MASK + text.substring(at, end);
        String parameters = end == text.length() ? "" : text.charAt(end) + MASK;
        return prefix + ALL_BUT_A_PORT.matcher(place).replaceFirst(":" + MASK) + parameters;
    }

    String scheme() {
        return scheme;
    }

    URI backendUri() {
        return backendUri;
    }

    ConnectionParameters parameters(Map<String, String> properties) {
        return ConnectionParameters.of(query, properties);
    }

    @Override
    public String toString() {
        return redacted(backendUri.toString());
    }
}
