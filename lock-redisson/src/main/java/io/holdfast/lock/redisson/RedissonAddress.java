package io.holdfast.lock.redisson;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ConnectionParameters;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What stands in a URI before the question mark: {@code redisson://[user[:password]@]host[:port][/database]}.
 *
 * @param tls whether the scheme is {@code redissons}
 * @param host the host name, or an IP address without brackets
 * @param port the port
 * @param database the number of the database
 * @param user the user; empty for the default user
 * @param password the password; never part of a message
 */
record RedissonAddress(
        boolean tls, String host, int port, int database, Optional<String> user, Optional<String> password) {

    private static final int DEFAULT_PORT = 6379;
    private static final int MOST_PORT = 65_535;
    private static final Pattern DIGITS = Pattern.compile("\\d{1,9}");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+");
    private static final int MOST_DATABASE = 1_000_000;
    private static final String FORM = "; allowed is redisson://[user[:password]@]host[:port][/database]";

    /**
     * Reads a URI. The JDK's own reading of the authority is not used: it knows no host names with underscores, which
     * container networks are full of.
     */
    static RedissonAddress of(URI uri) {
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        requireWholePassword(uri, authority);
        int at = authority.lastIndexOf('@');
        String userInfo = at < 0 ? "" : authority.substring(0, at);
        String hostPort = authority.substring(at + 1);
        int colon = hostPort.startsWith("[") ? hostPort.indexOf(':', hostPort.indexOf(']')) : hostPort.indexOf(':');
        int port = colon < 0 ? DEFAULT_PORT : port(hostPort.substring(colon + 1));
        int userEnd = userInfo.indexOf(':');
        String user = decoded("user", userEnd < 0 ? userInfo : userInfo.substring(0, userEnd));
        String password = userEnd < 0 ? "" : decoded("password", userInfo.substring(userEnd + 1));
        return new RedissonAddress(
                "redissons".equalsIgnoreCase(uri.getScheme()),
                host(colon < 0 ? hostPort : hostPort.substring(0, colon)),
                port,
                database(uri.getRawPath()),
                Optional.of(user).filter(given -> !given.isEmpty()),
                Optional.of(password).filter(given -> !given.isEmpty()));
    }

    /** Where a password was cut by a character of its own, what looks like the host is a piece of it: named nowhere. */
    private static void requireWholePassword(URI uri, String authority) {
        if (uri.getRawFragment() != null) {
            throw new LockConfigurationException("The Redisson URI has a fragment (#)" + FORM);
        }
        if (uri.toString().lastIndexOf('@') > uri.toString().indexOf(authority) + authority.length()) {
            throw new LockConfigurationException(
                    "The Redisson URI has an @ that does not stand before its host; special characters in a password have to be"
                            + " percent-encoded" + FORM);
        }
    }

    private static String host(String text) {
        if (text.isEmpty()) {
            throw new LockConfigurationException("The Redisson URI has no host" + FORM);
        }
        if (text.startsWith("[")) {
            // The URI class has seen to it that this is an IPv6 address.
            return text.substring(1, text.length() - 1).replace("%25", "%");
        }
        if (!HOST.matcher(text).matches()) {
            throw new LockConfigurationException("The host of the Redisson URI is '" + text
                    + "'; allowed is one host, of letters, digits, dots, hyphens and underscores, or an IPv6 address"
                    + " in brackets");
        }
        return text;
    }

    private static int port(String text) {
        if (text.indexOf(':') >= 0) {
            throw new LockConfigurationException("The Redisson URI has several colons behind its user and password;"
                    + " an IPv6 address stands in brackets, as in redisson://[::1]:6379, and allowed is one host"
                    + FORM);
        }
        return number("port", text, 1, MOST_PORT);
    }

    private static int database(String path) {
        return path.isEmpty() || path.equals("/") ? 0 : number("database", path.substring(1), 0, MOST_DATABASE);
    }

    private static int number(String what, String text, int least, int most) {
        if (!DIGITS.matcher(text).matches()) {
            // Not shown: behind an unencoded ? or # in a password, what looks like the port is a piece of the password.
            throw new LockConfigurationException("The " + what + " of the Redisson URI has to be a whole number from "
                    + least + " to " + most + ", and special characters in a password have to be percent-encoded");
        }
        int value = Integer.parseInt(text);
        if (value < least || value > most) {
            throw new LockConfigurationException("The " + what + " of the Redisson URI is " + value
                    + "; allowed are whole numbers from " + least + " to " + most);
        }
        return value;
    }

    private static String decoded(String what, String text) {
        return ConnectionParameters.percentDecoded(what + " of the Redisson URI", text);
    }

    /** The address as it is shown in errors. */
    String shown() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** The address as Redisson wants it. */
    String forRedisson() {
        return (tls ? "rediss://" : "redis://") + shown();
    }

    /** Without the password. */
    @Override
    public String toString() {
        return (tls ? "redissons://" : "redisson://") + shown() + "/" + database;
    }
}
