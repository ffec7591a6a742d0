package io.holdfast.lock.tck.command;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The one host and port that a URI names, so that a proxy can take their place.
 *
 * @param before what stands before them in the URI, perhaps with a password
 * @param host without the brackets of an IPv6 address
 * @param port the port
 * @param after what stands behind them
 */
record Address(String before, String host, int port, String after) {

    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\[\\]:,=()@]+):([0-9]{1,5})");
    private static final Pattern WHOLE = Pattern.compile("(?s)([^?#;/]*//)([^/?#;]*)(.*)");
    private static final Pattern SECRETS = Pattern.compile("(?s)^([^?#;/]*//)(?:.*@)|[?;#].*");

    /** The address in a URI; empty if there is none, or more than one. */
    static Optional<Address> in(String uri) {
        Matcher whole = WHOLE.matcher(uri);
        if (!whole.matches()) {
            return Optional.empty();
        }
        String authority = whole.group(2);
        int hosts = authority.lastIndexOf('@') + 1;
        Matcher one = HOST_AND_PORT.matcher(authority.substring(hosts));
        if (!one.matches()) {
            return Optional.empty();
        }
        return Optional.of(new Address(
                whole.group(1) + authority.substring(0, hosts),
                one.group(1).replaceAll("[\\[\\]]", ""),
                Integer.parseInt(one.group(2)),
                whole.group(3)));
    }

    /** Why there is no address in a URI, as the report puts it. */
    static String absence(String uri) {
        Matcher whole = WHOLE.matcher(uri);
        if (!whole.matches()) {
            return "the URI names no host to put a proxy before";
        }
        return whole.group(2).indexOf(',') >= 0
                ? "the URI names several addresses, and the proxy stands before one"
                : "the URI names no port to put a proxy before";
    }

    /** The URI with another address. */
    String uriAt(String otherHost, int otherPort) {
        return before + otherHost + ":" + otherPort + after;
    }

    /** A URI without what may be a password. */
    static String shown(String uri) {
        return SECRETS.matcher(uri)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1) == null ? "" : found.group(1)));
    }
}
