package io.holdfast.examples.demo;

import io.holdfast.servers.PostgreSqlServer;
import java.sql.SQLException;

/** Starts database servers, each fresh and empty. */
final class Databases {

    private Databases() {}

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
        PostgreSqlServer server = PostgreSqlServer.start();
        return new RunningStore(
                server.url(), "a table in PostgreSQL on " + server.host() + ":" + server.port(), server::close);
    }
}
