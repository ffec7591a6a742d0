package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ConnectionParameters;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a URI before the question mark: {@code zookeeper://host[:port][,host[:port]...][/base/path]}.
 *
 * @param servers the servers, each with its port
 * @param basePath the path below which the locks are
 */
record EnsembleAddress(List<String> servers, LockPaths basePath) {

    private static final int DEFAULT_PORT = 2181;
    private static final int MOST_PORT = 65_535;
    private static final Pattern SERVER = Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::(\\d{1,5}))?");
    private static final String FORM = "; allowed is zookeeper://host[:port][,host[:port]...][/base/path]";

    EnsembleAddress {
        servers = List.copyOf(servers);
    }

    /** Reads a URI. The JDK's own parser of the authority knows one host only. */
    static EnsembleAddress of(URI uri) {
        if (uri.getRawFragment() != null) {
            throw new LockConfigurationException("The ZooKeeper URI has a fragment (#)" + FORM);
        }
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        if (uri.toString().indexOf('@') >= 0) {
            // Nothing of it is shown: what is before the last at sign may be a user and a password.
            throw new LockConfigurationException(
                    "The ZooKeeper URI has an @; user and password are the parameters 'user' and"
                            + " 'password', best set as properties" + FORM);
        }
        List<String> servers = new ArrayList<>();
        for (String server : authority.split(",", -1)) {
            servers.add(server(server));
        }
        return new EnsembleAddress(servers, basePath(uri.getRawPath() == null ? "" : uri.getRawPath()));
    }

    private static String server(String text) {
        Matcher matcher = SERVER.matcher(text);
        if (text.isEmpty()) {
            throw new LockConfigurationException("The ZooKeeper URI has no host, or an empty one" + FORM);
        }
        if (!matcher.matches()) {
            throw new LockConfigurationException("A server of the ZooKeeper URI is '" + text
                    + "'; allowed is host or host:port, of letters, digits, dots, hyphens and underscores, or an IPv6 address in"
                    + " brackets" + FORM);
        }
        int port = matcher.group(2) == null ? DEFAULT_PORT : Integer.parseInt(matcher.group(2));
        if (port < 1 || port > MOST_PORT) {
            throw new LockConfigurationException(
                    "The port of the server '" + text + "' is " + port + "; allowed are 1 to " + MOST_PORT + FORM);
        }
        return matcher.group(1) + ":" + port;
    }

    private static LockPaths basePath(String rawPath) {
        String path = ConnectionParameters.percentDecoded("path of the ZooKeeper URI", rawPath);
        return new LockPaths(path.isEmpty() || path.equals("/") ? LockPaths.DEFAULT_BASE : path);
    }

    /** The form that ZooKeeper's own client reads. */
    String connectionString() {
        return String.join(",", servers);
    }
}
