package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.servers.MariaDbServer;
import io.holdfast.servers.PostgreSqlServer;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.h2.tools.Server;

/** The databases that tests share, each with the lock table, and providers as the factory creates them. */
final class Databases {

    static final Map<String, String> PROPERTIES = Map.of("createTable", "true");

    /** H2 lets a statement wait for a locked row for 2 s, and a thread that has locked one may stand still for longer. */
    private static final String PATIENT_H2 = ";LOCK_TIMEOUT=4500";

    private Databases() {}

    /** One server for all tests that neither break nor configure it. It ends with the JVM. */
    static final class SharedPostgreSql {
        private static final PostgreSqlServer SERVER = PostgreSqlServer.start("fsync=off");
        static final String URL = SERVER.url();

        private SharedPostgreSql() {}

        static {
            createTable(URL);
        }
    }

    /** A MariaDB server, in a time zone other than UTC: tests about time fail if a time is not in UTC. */
    static final class SharedMariaDb {
        private static final MariaDbServer SERVER =
                MariaDbServer.start("innodb-flush-log-at-trx-commit=0", "default-time-zone=+05:30");
        static final String URL = SERVER.url();

        /** The same server by the driver of MySQL. */
        static final String BY_MYSQL_DRIVER = URL.replace("jdbc:mariadb:", "jdbc:mysql:");

        private SharedMariaDb() {}

        static {
            createTable(URL);
        }
    }

    /** The database that a URL names. */
    static Database named(String url) {
        return Database.valueOf(JdbcUrl.of(url).product().toUpperCase(Locale.ROOT));
    }

    /** All databases, for what must hold in each; without MariaDB where there is no server of it for this platform. */
    static Stream<String> all() {
        Stream<String> everywhere = Stream.of(SharedPostgreSql.URL, SharedH2.URL);
        return MariaDbServer.isAvailable() ? Stream.concat(everywhere, Stream.of(SharedMariaDb.URL)) : everywhere;
    }

    /** One database in memory for all tests that do not configure it. */
    static final class SharedH2 {
        static final String URL = h2() + PATIENT_H2;

        private SharedH2() {}

        static {
            createTable(URL);
        }
    }

    /** An H2 server in this JVM, which other JVMs reach by TCP. */
    static final class SharedH2Server {
        static final String URL;

        private SharedH2Server() {}

        static {
            try {
                Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-tcpDaemon");
                int port = server.start().getPort();
                // All tests of the module use one row for their tokens. H2 does not serve the
                // waiting statements in order.
                URL = "jdbc:h2:tcp://localhost:" + port + "/mem:shared;DB_CLOSE_DELAY=-1" + PATIENT_H2;
            } catch (SQLException failure) {
                throw new AssertionError(failure);
            }
            createTable(URL);
        }
    }

    /** A new H2 database in the memory of this JVM, which lasts until its end. */
    static String h2() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    /** A new database in the shared PostgreSQL server, with the lock table. */
    static String newPostgreSql() {
        return newBeside(SharedPostgreSql.URL);
    }

    /** A new database in the shared MariaDB server, with the lock table. */
    static String newMariaDb() {
        return newBeside(SharedMariaDb.URL);
    }

    private static String newBeside(String shared) {
        String database = "d" + UUID.randomUUID().toString().replace("-", "");
        run(shared, "CREATE DATABASE " + database);
        String url = shared.replaceFirst("/[a-z]+[?]", "/" + database + "?");
        createTable(url);
        return url;
    }

    /** A new H2 database with the lock table. */
    static String newH2() {
        String url = h2() + PATIENT_H2;
        createTable(url);
        return url;
    }

    /** A new database of each kind, for tests that others must not disturb. */
    static Stream<String> newOfAll() {
        Stream<String> everywhere = Stream.of(newPostgreSql(), newH2());
        return MariaDbServer.isAvailable() ? Stream.concat(everywhere, Stream.of(newMariaDb())) : everywhere;
    }

    static void createTable(String url) {
        try (JdbcLockProvider provider = at(url, PROPERTIES)) {
            provider.holder("a");
        }
    }

    static JdbcLockProvider at(String url) {
        return at(url, Map.of());
    }

    static JdbcLockProvider at(String url, Map<String, String> properties) {
        return (JdbcLockProvider)
                new JdbcLockProviderFactory().create(URI.create(url), ConnectionParameters.of("", properties));
    }

    static JdbcLockProvider at(String url, String... namesAndValues) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            properties.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return at(url, properties);
    }

    /**
     * The URL with a time-out for the log-in. Otherwise PostgreSQL's driver has that of the last pool: some set it to 1 s, for
     * the whole JVM.
     */
    static String patient(String url) {
        return url.startsWith("jdbc:postgresql:") ? url + "&loginTimeout=30" : url;
    }

    static Connection connect(String url) {
        try {
            return DriverManager.getConnection(patient(url));
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    /** Runs statements of an operator. */
    static void run(String url, String... statements) {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    static String ask(String url, String query) {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "";
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    /**
     * Makes the lease of a lock end some time ago. By the key: by other conditions MariaDB locks the rows of all tests. What
     * ended a minute ago is removed by the sweeps of any client of the database.
     */
    static void expire(String url, String name, Duration ago) {
        String now = url.startsWith("jdbc:m") ? "UTC_TIMESTAMP(6)" : "CURRENT_TIMESTAMP";
        run(
                url,
                "UPDATE holdfast_lock SET expires_at = " + now + " - INTERVAL '" + ago.toSeconds()
                        + "' SECOND WHERE name_hash = '" + LockKey.of(name).hash() + "'");
    }

    static long count(String url) {
        return Long.parseLong(ask(url, "SELECT count(*) FROM holdfast_lock"));
    }
}
