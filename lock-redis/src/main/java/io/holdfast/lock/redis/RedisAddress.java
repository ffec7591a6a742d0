package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.ServerAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import redis.clients.jedis.HostAndPort;

/**
 * The part of a URI before the question mark.
 *
 * @param topology what the servers are to each other
 * @param tls whether the scheme begins with {@code rediss}
 * @param servers the servers, each with user and password; one of a single server
 * @param master the name that sentinels know the master by; empty without sentinels
 * @param database the number of the database
 */
record RedisAddress(
        Topology topology, boolean tls, List<ServerAddress> servers, Optional<String> master, int database) {

    private static final int MOST_DATABASE = 1_000_000;

    /** What the servers of a URI are to each other. */
    enum Topology {
        SINGLE("redis", "redis://[user[:password]@]host[:port][/database]", 6379),
        SENTINEL("redis-sentinel", "redis-sentinel://[user[:password]@]host[:port][,host[:port]...]/master", 26_379),
        CLUSTER("redis-cluster", "redis-cluster://[user[:password]@]host[:port][,host[:port]...]", 6379),
        REDLOCK("redlock", "redlock://[user[:password]@]host[:port],host[:port],host[:port]...[/database]", 6379);

        private final String scheme;
        private final String pattern;
        private final int port;

        Topology(String scheme, String pattern, int port) {
            this.scheme = scheme;
            this.pattern = pattern;
            this.port = port;
        }

        private ServerAddress.Form form() {
            return new ServerAddress.Form("Redis", pattern, port);
        }

        /** The scheme of its URIs. */
        String scheme() {
            return scheme;
        }

        /** The scheme of its URIs with TLS. */
        String tlsScheme() {
            return this == REDLOCK ? "redlocks" : scheme.replaceFirst("redis", "rediss");
        }

        private static Topology of(String scheme) {
            return Arrays.stream(values())
                    .filter(each -> scheme.equals(each.scheme()) || scheme.equals(each.tlsScheme()))
                    .findFirst()
                    .orElseThrow(
                            () -> new LockConfigurationException("The scheme '" + scheme + "' is not one of Redis"));
        }
    }

    RedisAddress {
        servers = List.copyOf(servers);
    }

    static RedisAddress of(URI uri, ConnectionParameters parameters) {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        Topology topology = Topology.of(scheme);
        ServerAddress.Form form = topology.form();
        List<ServerAddress> named =
                topology == Topology.SINGLE ? List.of(ServerAddress.of(uri, form)) : ServerAddress.all(uri, form);
        return new RedisAddress(
                topology,
                scheme.equals(topology.tlsScheme()),
                named.stream().map(server -> server.withLogin(parameters)).toList(),
                topology == Topology.SENTINEL ? Optional.of(master(uri.getRawPath(), form)) : Optional.empty(),
                database(topology, uri.getRawPath(), parameters));
    }

    private static String master(String path, ServerAddress.Form form) {
        String name = ConnectionParameters.percentDecoded("name of the master in the Redis URI", path);
        if (name.length() < 2 || name.indexOf('/', 1) > 0) {
            throw new LockConfigurationException("The Redis URI has no name of a master; allowed is " + form.pattern());
        }
        return name.substring(1);
    }

    private static int database(Topology topology, String path, ConnectionParameters parameters) {
        return switch (topology) {
            case SENTINEL -> parameters.integer("db", 0, 0, MOST_DATABASE);
            case SINGLE, REDLOCK -> number(topology, path);
            case CLUSTER -> {
                if (!path.isEmpty() && !path.equals("/")) {
                    throw new LockConfigurationException("The Redis URI has the path '" + path
                            + "', and a cluster has one database; allowed is " + topology.pattern);
                }
                yield 0;
            }
        };
    }

    private static int number(Topology topology, String path) {
        return path.isEmpty() || path.equals("/")
                ? 0
                : topology.form().number("database", path.substring(1), 0, MOST_DATABASE);
    }

    /** The first server, which has the user and the password of all. */
    ServerAddress server() {
        return servers.get(0);
    }

    /** Where the servers are. */
    List<HostAndPort> nodes() {
        return servers.stream()
                .map(server -> new HostAndPort(server.host(), server.port()))
                .toList();
    }

    /** As shown in errors: without user and password, and with the database unless it is the default. */
    @Override
    public String toString() {
        return servers.stream().map(ServerAddress::toString).collect(Collectors.joining(","))
                + master.map(name -> "/" + name).orElse("")
                + (database == 0 ? "" : "/" + database);
    }
}
