package io.holdfast.lock.spi;

import io.holdfast.lock.LockConfigurationException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A server that a URI names, and who connects to it: {@code scheme://[user[:password]@]host[:port]}, or
 * {@code scheme://[user[:password]@]host[:port][,host[:port]...]} with several servers. What follows in the URI is the backend's.
 * Immutable. No message and no text of it shows user or password.
 *
 * @param user the user; empty if none is given
 * @param password the password; empty if none is given
 * @param host the host name, or an IP address without brackets
 * @param port the port
 */
public record ServerAddress(Optional<String> user, Optional<String> password, String host, int port) {

    private static final int MOST_PORT = 65_535;
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+");

    /**
     * Creates an address.
     *
     * @param user the user; empty if none is given
     * @param password the password; empty if none is given
     * @param host the host name, or an IP address without brackets
     * @param port the port
     * @throws LockConfigurationException if the host is empty, or the port is none from 1 to 65535
     */
    public ServerAddress {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(password, "password");
        Objects.requireNonNull(host, "host");
        if (host.isEmpty() || port < 1 || port > MOST_PORT) {
            throw new LockConfigurationException("The host is '" + host + "' and the port " + port
                    + "; allowed are a host that is not empty and a port from 1 to " + MOST_PORT);
        }
    }

    /**
     * How a backend's URIs look: what to assume, and what to say of one that is wrong.
     *
     * @param store what the URI is called in messages, such as {@code Redis}
     * @param pattern the form that is allowed, such as {@code redis://[user[:password]@]host[:port]}
     * @param defaultPort the port of a URI without one
     */
    public record Form(String store, String pattern, int defaultPort) {

        /**
         * Creates a form.
         *
         * @param store what the URI is called in messages
         * @param pattern the form that is allowed
         * @param defaultPort the port of a URI without one
         */
        public Form {
            Objects.requireNonNull(store, "store");
            Objects.requireNonNull(pattern, "pattern");
        }

        /**
         * Reads a number that stands in the URI, such as the number of a database.
         *
         * @param part which part of the URI it is, for the error
         * @param text the part
         * @param least the least value allowed
         * @param most the greatest value allowed, of nine digits at most
         * @return the number
         * @throws LockConfigurationException if it is not a number, or out of range; the message repeats the part, which is no
         *     piece of a password once {@link ServerAddress#of} has read the URI
         */
        public int number(String part, String text, int least, int most) {
            Objects.requireNonNull(part, "part");
            Objects.requireNonNull(text, "text");
            boolean inRange =
                    DIGITS.matcher(text).matches() && Integer.parseInt(text) >= least && Integer.parseInt(text) <= most;
            if (!inRange) {
                throw new LockConfigurationException("The " + of(part) + " is '" + text
                        + "'; allowed are whole numbers from " + least + " to " + most);
            }
            return Integer.parseInt(text);
        }

        private String of(String part) {
            return part + " of the " + store + " URI";
        }

        private LockConfigurationException wrong(String what) {
            return new LockConfigurationException("The " + store + " URI has " + what + "; allowed is " + pattern);
        }
    }

    /**
     * Reads the authority of a URI. The JDK's own reading of it is not used: it knows no host names with underscores, which
     * container networks are full of.
     *
     * @param uri the URI, with user and password percent-encoded
     * @param form how such URIs look
     * @return the address
     * @throws LockConfigurationException if there is no host or more than one, a part is not what it has to be, or a character of
     *     the password ends the authority too early
     */
    public static ServerAddress of(URI uri, Form form) {
        return read(uri, form, List::of).get(0);
    }

    /**
     * Reads the authority of a URI that may name several servers, all for the same user: a host in brackets has no comma, and no
     * other host has one.
     *
     * @param uri the URI, with user and password percent-encoded
     * @param form how such URIs look
     * @return the addresses, at least one, in the order of the URI
     * @throws LockConfigurationException if there is no host, a part is not what it has to be, or a character of the password
     *     ends the authority too early
     */
    public static List<ServerAddress> all(URI uri, Form form) {
        return read(uri, form, servers -> List.of(servers.split(",", -1)));
    }

    private static List<ServerAddress> read(URI uri, Form form, Function<String, List<String>> split) {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(form, "form");
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        requireWholePassword(uri, authority, form);
        int at = authority.lastIndexOf('@');
        String userInfo = at < 0 ? "" : authority.substring(0, at);
        int userEnd = userInfo.indexOf(':');
        String user = userEnd < 0 ? userInfo : userInfo.substring(0, userEnd);
        String password = userEnd < 0 ? "" : userInfo.substring(userEnd + 1);
        List<ServerAddress> servers = new ArrayList<>();
        for (String server : split.apply(authority.substring(at + 1))) {
            int colon = server.startsWith("[") ? server.indexOf(':', server.indexOf(']')) : server.indexOf(':');
            int port = colon < 0 ? form.defaultPort() : port(server.substring(colon + 1), form);
            servers.add(new ServerAddress(
                    decoded(form.of("user"), user),
                    decoded(form.of("password"), password),
                    host(colon < 0 ? server : server.substring(0, colon), form),
                    port));
        }
        return List.copyOf(servers);
    }

    /**
     * The same server, with the parameters {@code user} and {@code password} in place of what the URI says.
     *
     * @param parameters the parameters of the connection
     * @return the address
     * @throws LockConfigurationException if there is a user and no password
     */
    public ServerAddress withLogin(ConnectionParameters parameters) {
        Objects.requireNonNull(parameters, "parameters");
        Optional<String> givenUser = parameters.text("user").or(() -> user);
        Optional<String> givenPassword = parameters.text("password").or(() -> password);
        if (givenUser.isPresent() && givenPassword.isEmpty()) {
            // Not shown: a password without its colon looks like a user.
            throw new LockConfigurationException("The user has no password; allowed are user:password@host,"
                    + " :password@host without a user, or the property 'password'");
        }
        return new ServerAddress(givenUser, givenPassword, host, port);
    }

    /** If an unencoded character cut the password, what looks like the host is a part of it, so no message repeats it. */
    private static void requireWholePassword(URI uri, String authority, Form form) {
        if (uri.getRawFragment() != null) {
            throw form.wrong("a fragment (#)");
        }
        if (uri.toString().lastIndexOf('@') > uri.toString().indexOf(authority) + authority.length()) {
            throw form.wrong("an @ that does not stand before its host; special characters in a password have to be"
                    + " percent-encoded");
        }
    }

    private static String host(String text, Form form) {
        if (text.isEmpty()) {
            throw form.wrong("no host");
        }
        if (text.startsWith("[")) {
            // The URI class has seen to it that this is an IPv6 address.
            return text.substring(1, text.length() - 1).replace("%25", "%");
        }
        if (!HOST.matcher(text).matches()) {
            throw new LockConfigurationException("The " + form.of("host") + " is '" + text
                    + "'; allowed is one host, of letters, digits, dots, hyphens and underscores, or an IPv6 address"
                    + " in brackets");
        }
        return text;
    }

    private static int port(String text, Form form) {
        if (text.indexOf(':') >= 0) {
            throw form.wrong("several colons behind its user and password; an IPv6 address stands in brackets, as in"
                    + " [::1]:" + form.defaultPort() + ", and there is one host");
        }
        if (!DIGITS.matcher(text).matches()) {
            // Not shown: of a URI whose host was forgotten it is the password.
            throw new LockConfigurationException("The " + form.of("port") + " has to be a whole number from 1 to "
                    + MOST_PORT + ", and special characters in a password have to be percent-encoded");
        }
        return form.number("port", text, 1, MOST_PORT);
    }

    private static Optional<String> decoded(String what, String text) {
        return Optional.of(ConnectionParameters.percentDecoded(what, text)).filter(given -> !given.isEmpty());
    }

    /** Host and port, as they stand in a URI: without user and password. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
