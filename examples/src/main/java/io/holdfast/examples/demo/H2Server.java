package io.holdfast.examples.demo;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import org.h2.tools.Server;

/** A new, empty database of H2 in the memory of this process, served to other processes of this machine over TCP. Thread-safe. */
final class H2Server implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final Server server;
    private final String url;
    private final Connection connection;

    private H2Server(Server server, String url, Connection connection) {
        this.server = server;
        this.url = url;
        this.connection = connection;
    }

    static H2Server start() throws SQLException {
        // H2 reads it once, when it is first used; without it the server listens on every network of the machine.
        System.setProperty("h2.bindAddress", LOOPBACK);
        // A buyer waits for the row of another one for two seconds by default: a machine may stand still for as long.
        String database = "mem:demo-" + UUID.randomUUID() + ";LOCK_TIMEOUT=20000";
        // A database in memory lives for as long as it has a connection: this one.
        Connection connection = DriverManager.getConnection("jdbc:h2:" + database);
        Server server = Server.createTcpServer("-tcpPort", "0").start();
        return new H2Server(server, "jdbc:h2:tcp://" + LOOPBACK + ":" + server.getPort() + "/" + database, connection);
    }

    /** The JDBC URL, for any process of this machine. */
    String url() {
        return url;
    }

    /** Where it is, for people. */
    String address() {
        return LOOPBACK + ":" + server.getPort();
    }

    /** The connection of this process. It is in autocommit. */
    Connection connection() {
        return connection;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        server.stop();
    }
}
