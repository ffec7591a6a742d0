package io.holdfast.examples.demo;

import io.holdfast.servers.DatabaseServer;
import io.holdfast.servers.MariaDbServer;
import io.holdfast.servers.PostgreSqlServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/** Starts database servers, each fresh and empty. */
final class DemoDatabases {

    private DemoDatabases() {}

    /** The locks in a database by way of JPA: the URI of the persistence unit of these examples. */
    static String byJpa(String url) {
        return "jpa:holdfast-examples?jakarta.persistence.jdbc.url=" + URLEncoder.encode(url, StandardCharsets.UTF_8);
    }

    static RunningStore h2() {
        try {
            H2Server server = H2Server.start();
            return new RunningStore(server.url(), "a table in H2, served on " + server.address(), () -> stop(server));
        } catch (SQLException failure) {
            throw new StagingException("H2 did not start", failure);
        }
    }

    private static void stop(H2Server server) {
        try {
            server.close();
        } catch (SQLException failure) {
            throw new StagingException("H2 did not stop", failure);
        }
    }

    static RunningStore postgreSql() {
        return running("PostgreSQL", PostgreSqlServer.start());
    }

    static RunningStore mariaDb() {
        return running("MariaDB", MariaDbServer.start());
    }

    private static RunningStore running(String product, DatabaseServer server) {
        return new RunningStore(
                server.url(), "a table in " + product + " on " + server.host() + ":" + server.port(), server::close);
    }
}
