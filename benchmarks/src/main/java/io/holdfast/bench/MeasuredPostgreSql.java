package io.holdfast.bench;

import io.holdfast.servers.PostgreSqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A PostgreSQL server, which writes each commit to the disk, and has the tables of those that make none themselves. */
final class MeasuredPostgreSql implements MeasuredStore {

    private static final String TABLES = """
        DROP SCHEMA public CASCADE;
        CREATE SCHEMA public;
        CREATE TABLE bare_lock (name VARCHAR(100) PRIMARY KEY, holder VARCHAR(100) NOT NULL, ends TIMESTAMP NOT NULL);
        CREATE TABLE INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL, CLIENT_ID CHAR(36),
            CREATED_DATE TIMESTAMP NOT NULL, EXPIRED_AFTER TIMESTAMP NOT NULL,
            CONSTRAINT INT_LOCK_PK PRIMARY KEY (LOCK_KEY, REGION));
        CREATE TABLE shedlock (name VARCHAR(64) PRIMARY KEY, lock_until TIMESTAMP NOT NULL, locked_at TIMESTAMP NOT NULL,
            locked_by VARCHAR(255) NOT NULL);
        """;

    /** Its log of all statements would be a large part of what is measured. */
    private final PostgreSqlServer server = PostgreSqlServer.start("log_statement=none");

    @Override
    public String address() {
        return server.url();
    }

    @Override
    public String version() throws SQLException {
        return "PostgreSQL " + ask("SHOW server_version");
    }

    @Override
    public void clear() throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute(TABLES);
        }
    }

    @Override
    public long locks() throws SQLException {
        return Long.parseLong(ask("SELECT count(*) FROM holdfast_lock"));
    }

    /** Nothing: sessions report their transactions with a delay of about a second, which is as long as a turn. */
    @Override
    public StoreCost cost() {
        return new StoreCost(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }

    private String ask(String question) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(question)) {
            answer.next();
            return answer.getString(1);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
