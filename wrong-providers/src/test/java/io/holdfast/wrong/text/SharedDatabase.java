package io.holdfast.wrong.text;

import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.tck.faults.ServerGate;
import io.holdfast.servers.MariaDbServer;
import io.holdfast.servers.PostgreSqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The databases that all wrong statements share. Each wrong statement has a table of its own. */
enum SharedDatabase {
    /** Without writing to the disk at once, as no test of wrong statements kills the server. */
    POSTGRESQL("postgresql") {
        @Override
        String url(ServerGate gate) {
            return OfPostgreSql.SERVER.url(gate.port());
        }

        @Override
        Optional<ServerGate> gate() {
            return Optional.of(new ServerGate(OfPostgreSql.SERVER.host(), OfPostgreSql.SERVER.port()));
        }
    },
    /** In the memory of this JVM. */
    H2("h2") {
        @Override
        String url(ServerGate gate) {
            return "jdbc:h2:mem:wrong;DB_CLOSE_DELAY=-1";
        }

        @Override
        Optional<ServerGate> gate() {
            return Optional.empty();
        }
    },
    /** In a time zone other than UTC, so that a time that is not in UTC shows. */
    MARIADB("mariadb") {
        @Override
        String url(ServerGate gate) {
            return OfMariaDb.SERVER.url(gate.port());
        }

        @Override
        Optional<ServerGate> gate() {
            return Optional.of(new ServerGate(OfMariaDb.SERVER.host(), OfMariaDb.SERVER.port()));
        }
    };

    /** The tables that are there, of all databases. */
    private static final Set<String> CREATED = ConcurrentHashMap.newKeySet();

    private static final ServerGate NO_GATE = new ServerGate("", 0);

    private final String product;

    SharedDatabase(String product) {
        this.product = product;
    }

    /** One server for all tests; each provider has a pool. */
    private static final class OfPostgreSql {
        private static final PostgreSqlServer SERVER = PostgreSqlServer.start("fsync=off", "max_connections=500");

        private OfPostgreSql() {}
    }

    private static final class OfMariaDb {
        private static final MariaDbServer SERVER = MariaDbServer.start(
                "innodb-flush-log-at-trx-commit=0", "default-time-zone=+05:30", "max-connections=500");

        private OfMariaDb() {}
    }

    /**
     * The URL of the database.
     *
     * @param gate before its server
     */
    abstract String url(ServerGate gate);

    /** A new gate before the server; empty if there is no server. */
    abstract Optional<ServerGate> gate();

    /** The URL that leads to the database directly. */
    String url() {
        return url(gate().orElse(NO_GATE));
    }

    /** The name of the database in a JDBC URL. */
    String product() {
        return product;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** A connection by which the server parses a statement when it is prepared. */
    Connection connectToParse() throws SQLException {
        return this == MARIADB ? DriverManager.getConnection(url() + "&useServerPrepStmts=true") : connect();
    }

    /** The script that creates the table. */
    String creation() {
        return ChangedFiles.JDBC_SCRIPTS + "holdfast-" + product + ".sql";
    }

    /**
     * Creates the table of a backend, unless it was created before.
     *
     * @param backend whose script creates it
     * @param table its name, perhaps with a schema, which is created, too
     * @throws SQLException if the script fails
     */
    synchronized void create(ChangedBackend backend, String table) throws SQLException {
        if (CREATED.contains(this + table)) {
            return;
        }
        String script = backend.text(creation()).replaceAll("--[^\n]*", "").replace(LockTable.DEFAULT, table);
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            int dot = table.indexOf('.');
            if (dot > 0) {
                statement.execute("CREATE SCHEMA " + table.substring(0, dot));
            }
            for (String each : script.split(";", -1)) {
                if (!each.isBlank()) {
                    statement.execute(each);
                }
            }
        }
        CREATED.add(this + table);
    }
}
