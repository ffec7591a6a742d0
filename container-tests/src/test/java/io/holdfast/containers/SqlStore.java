package io.holdfast.containers;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Map;

/** An SQL database. Its name, its user and the password are all the same. */
final class SqlStore {

    static final SqlStore POSTGRESQL = new SqlStore("postgresql", 5432, "POSTGRES", "DB", "");

    /** Without TLS, which this driver would use: a new JVM on a busy machine may take seconds for its first handshake. */
    static final SqlStore MYSQL =
            new SqlStore("mysql", 3306, "MYSQL", "DATABASE", "&sslMode=DISABLED&allowPublicKeyRetrieval=true");

    static final SqlStore MARIADB = new SqlStore("mariadb", 3306, "MARIADB", "DATABASE", "");

    private static final String LOCKS = "locks";

    private final String product;
    private final String parameters;
    private final ContainerServer server;

    /**
     * Describes a server.
     *
     * @param product what URLs and the property of the image call it
     * @param port the port that it listens on
     * @param prefix what the variables of its image begin with
     * @param database the end of the variable with the name of the database
     * @param parameters what its driver needs in the URL
     */
    private SqlStore(String product, int port, String prefix, String database, String parameters) {
        this.product = product;
        this.parameters = parameters;
        this.server = new ContainerServer(
                "containers." + product,
                port,
                container -> container
                        .withEnv(prefix + "_" + database, LOCKS)
                        .withEnv(prefix + "_USER", LOCKS)
                        .withEnv(prefix + "_PASSWORD", LOCKS)
                        .withEnv(prefix + "_ROOT_PASSWORD", LOCKS),
                address -> withTable(url(address)));
    }

    private static LockProvider withTable(String url) {
        return Backends.open(url, Map.of("createTable", "true"));
    }

    ContainerServer server() {
        return server;
    }

    LockHarness harness() {
        String url = url(server.address());
        return new ContainerHarness(url, name -> remove(url, name));
    }

    private String url(String address) {
        return "jdbc:" + product + "://" + address + "/" + LOCKS + "?user=" + LOCKS + "&password=" + LOCKS + parameters;
    }

    private static void remove(String url, String name) {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement delete =
                        connection.prepareStatement("DELETE FROM holdfast_lock WHERE name_hash = ?")) {
            delete.setString(1, hash(name));
            delete.executeUpdate();
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    private static String hash(String name) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(name.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new AssertionError(everyJdkHasIt);
        }
    }
}
