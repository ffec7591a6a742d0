package io.holdfast.lock.redis;

import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.ServerAddress;
import java.net.URI;

/**
 * The part of a URI before the question mark: {@code redis://[user[:password]@]host[:port][/database]}.
 *
 * @param tls whether the scheme is {@code rediss}
 * @param server the server, with user and password
 * @param database the number of the database
 */
record RedisAddress(boolean tls, ServerAddress server, int database) {

    private static final ServerAddress.Form FORM =
            new ServerAddress.Form("Redis", "redis://[user[:password]@]host[:port][/database]", 6379);
    private static final int MOST_DATABASE = 1_000_000;

    static RedisAddress of(URI uri, ConnectionParameters parameters) {
        ServerAddress server = ServerAddress.of(uri, FORM).withLogin(parameters);
        return new RedisAddress("rediss".equalsIgnoreCase(uri.getScheme()), server, database(uri.getRawPath()));
    }

    private static int database(String path) {
        return path.isEmpty() || path.equals("/") ? 0 : FORM.number("database", path.substring(1), 0, MOST_DATABASE);
    }

    /** As shown in errors: without user and password, and with the database unless it is the default. */
    @Override
    public String toString() {
        return server + (database == 0 ? "" : "/" + database);
    }
}
