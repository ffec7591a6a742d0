package io.holdfast.lock;

import io.holdfast.lock.spi.ConnectionParameters;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The URI that a client is opened on: the engine's own parameters taken out, the rest left for the backend. */
final class ConnectionUri {

    private static final String LEASE = "lease";
    private static final String EXAMPLES = "allowed is scheme:rest, such as redis://localhost:6379 or memory:test";
    private static final Pattern SECRET_PARAMETER =
            Pattern.compile("(?i)([?&;][^=&;]*(?:pass|pwd|secret|token)[^=&;]*=)[^&;]*");

    private final String scheme;
    private final URI backendUri;
    private final String backendQuery;
    private final Optional<String> lease;

    private ConnectionUri(String scheme, URI backendUri, String backendQuery, Optional<String> lease) {
        this.scheme = scheme;
        this.backendUri = backendUri;
        this.backendQuery = backendQuery;
        this.lease = lease;
    }

    static ConnectionUri parse(String text) {
        int queryStart = text.indexOf('?');
        String base = queryStart < 0 ? text : text.substring(0, queryStart);
        List<String> backendPairs = new ArrayList<>();
        Optional<String> lease = Optional.empty();
        for (String pair :
                queryStart < 0 ? new String[0] : text.substring(queryStart + 1).split("&", -1)) {
            if (pair.startsWith(LEASE + "=")) {
                lease = Optional.of(pair.substring(LEASE.length() + 1));
            } else {
                backendPairs.add(pair);
            }
        }
        String query = String.join("&", backendPairs);
        URI uri = parseStrictly(query.isEmpty() ? base : base + "?" + query, text);
        if (uri.getScheme() == null) {
            throw new LockConfigurationException("'" + redacted(text) + "' has no scheme; " + EXAMPLES);
        }
        return new ConnectionUri(uri.getScheme().toLowerCase(Locale.ROOT), uri, query, lease);
    }

    private static URI parseStrictly(String backendText, String text) {
        try {
            return new URI(backendText);
        } catch (URISyntaxException malformed) {
            // Neither the message nor the cause of the JDK's exception: both repeat the whole text, password and all.
            throw new LockConfigurationException("'" + redacted(text) + "' is not a URI (" + malformed.getReason()
                    + "); " + EXAMPLES + "; special characters in a user name or password are percent-encoded");
        }
    }

    /** Hides whatever may be a password, also in a text that is no well-formed URI: all up to the last at sign. */
    static String redacted(String text) {
        int authority = text.indexOf("//");
        int at = text.lastIndexOf('@');
        String hidden =
                authority >= 0 && at > authority ? text.substring(0, authority + 2) + "***" + text.substring(at) : text;
        return SECRET_PARAMETER.matcher(hidden).replaceAll("$1***");
    }

    LockOptions applyTo(LockOptions defaults) {
        return lease.map(value -> defaults.withLeaseTime(ConnectionParameters.parseDuration(LEASE, value)))
                .orElse(defaults);
    }

    String scheme() {
        return scheme;
    }

    URI backendUri() {
        return backendUri;
    }

    ConnectionParameters parameters(Map<String, String> properties) {
        return ConnectionParameters.of(backendQuery, properties);
    }

    @Override
    public String toString() {
        return redacted(backendUri.toString());
    }
}
