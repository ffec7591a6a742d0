package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What stands in a URI before the question mark: {@code redis://[user[:password]@]host[:port][/database]}.
 *
 * @param tls whether the scheme is {@code rediss}
 * @param host the host name, or an IP address without brackets
 * @param port the port
 * @param database the number of the database
 * @param user the user; empty for the default user
 * @param password the password; never part of a message
 */
record RedisAddress(
        boolean tls, String host, int port, int database, Optional<String> user, Optional<String> password) {

    private static final int DEFAULT_PORT = 6379;
    private static final int MOST_PORT = 65_535;
    private static final Pattern DIGITS = Pattern.compile("\\d{1,9}");
    private static final int MOST_DATABASE = 1_000_000;
    private static final String FORM = "; allowed is redis://[user[:password]@]host[:port][/database]";

    /**
     * Reads a URI. The JDK's own reading of the authority is not used: it knows no host names with underscores, which
     * container networks are full of.
     */
    static RedisAddress of(URI uri) {
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        int at = authority.lastIndexOf('@');
        String userInfo = at < 0 ? "" : authority.substring(0, at);
        String hostPort = authority.substring(at + 1);
        int colon = hostPort.startsWith("[") ? hostPort.indexOf(':', hostPort.indexOf(']')) : hostPort.indexOf(':');
        String host = colon < 0 ? hostPort : hostPort.substring(0, colon);
        if (host.isEmpty()) {
            throw new LockConfigurationException("The Redis URI has no host" + FORM);
        }
        if (uri.getRawFragment() != null) {
            throw new LockConfigurationException("The Redis URI has a fragment (#)" + FORM);
        }
        int port = colon < 0 ? DEFAULT_PORT : number("port", hostPort.substring(colon + 1), 1, MOST_PORT);
        int userEnd = userInfo.indexOf(':');
        String user = decoded(userEnd < 0 ? userInfo : userInfo.substring(0, userEnd));
        Optional<String> password =
                userEnd < 0 ? Optional.empty() : Optional.of(decoded(userInfo.substring(userEnd + 1)));
        return new RedisAddress(
                "rediss".equalsIgnoreCase(uri.getScheme()),
                host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host,
                port,
                database(uri.getRawPath()),
                Optional.of(user).filter(given -> !given.isEmpty()),
                password.filter(given -> !given.isEmpty()));
    }

    private static int database(String path) {
        return path.isEmpty() || path.equals("/") ? 0 : number("database", path.substring(1), 0, MOST_DATABASE);
    }

    private static int number(String what, String text, int least, int most) {
        if (!DIGITS.matcher(text).matches()) {
            // Not shown: behind an unencoded ? or # in a password, what looks like the port is a piece of the password.
            throw new LockConfigurationException("The " + what + " of the Redis URI is no number; allowed are " + least
                    + " to " + most + ", and special characters in a password have to be percent-encoded");
        }
        int value = Integer.parseInt(text);
        if (value < least || value > most) {
            throw new LockConfigurationException("The " + what + " of the Redis URI is " + value
                    + "; allowed are whole numbers from " + least + " to " + most);
        }
        return value;
    }

    private static String decoded(String text) {
        try {
            // A plus sign is itself: these are URIs, not HTML forms.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            // Without the cause: its message repeats a part of what may be the password.
            throw new LockConfigurationException(
                    "The user or the password of the Redis URI is not percent-encoded well");
        }
    }

    /** The address as it is shown in errors. */
    String shown() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** Without the password. */
    @Override
    public String toString() {
        return (tls ? "rediss://" : "redis://") + shown() + "/" + database;
    }
}
