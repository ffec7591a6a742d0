package io.holdfast.lock.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.SqlDialect;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.jdbc.table.Timeouts;
import io.holdfast.lock.spi.ConnectionParameters;
import java.net.URI;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The settings of a {@code jdbc:} URI and its properties.
 *
 * @param url the URL, all of which is for the driver
 * @param login user, password and the driver's settings that the URL lacks
 * @param options what does not concern connections
 * @param pool the limits of the pool
 * @param timeout for one statement
 */
record JdbcSettings(JdbcUrl url, Properties login, JdbcOptions options, Pool pool, Duration timeout) {

    /** Our own parameters, which a driver may ignore if they are in the URL. */
    private static final List<String> OURS =
            List.of("lease", "handOver", "table", "createTable", "wakeUp", "poolSize", "poolWait", "timeout");

    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private static final int MOST_CONNECTIONS = 10_000;
    private static final int DEFAULT_CONNECTIONS = 8;

    /**
     * The limits of the provider's own pool.
     *
     * @param size the most connections for calls
     * @param maxWait how long a call waits for one
     */
    record Pool(int size, Duration maxWait) {}

    /** Whether to create the table. */
    private enum Creation {
        TRUE,
        FALSE
    }

    static JdbcSettings of(URI uri, ConnectionParameters parameters) {
        JdbcUrl url = JdbcUrl.of(uri.toString());
        url.refuse(OURS);
        url.refuseLogin();
        url.refuseUnnamed();
        SqlDialect dialect = SqlDialect.of(url.product());
        LockTable table = LockTable.of(parameters.text("table").orElse(LockTable.DEFAULT));
        boolean createTable = parameters.choice("createTable", Creation.FALSE) == Creation.TRUE;
        WakeUp wakeUp = parameters.choice("wakeUp", WakeUp.PUSH);
        Duration timeout = parameters.duration("timeout", Timeouts.USUAL, Timeouts.LEAST, Timeouts.MOST);
        Duration connectTimeout = parameters.duration("connectTimeout", CONNECT_TIMEOUT, Timeouts.LEAST, Timeouts.MOST);
        Pool pool = new Pool(
                parameters.integer("poolSize", DEFAULT_CONNECTIONS, 1, MOST_CONNECTIONS),
                parameters.duration("poolWait", Timeouts.POOL_WAIT, Timeouts.LEAST_POOL_WAIT, Timeouts.MOST));
        Properties login = new Properties();
        dialect.connectionProperties(connectTimeout, Timeouts.ofNetwork(timeout))
                .forEach((name, value) -> {
                    if (!url.has(name)) {
                        login.setProperty(name, value);
                    }
                });
        parameters.text("user").ifPresent(user -> login.setProperty("user", user));
        parameters.text("password").ifPresent(password -> login.setProperty("password", password));
        parameters.rejectUnknown();
        JdbcOptions options = new JdbcOptions(dialect, table, createTable, wakeUp, new Sweeper(Sweeper.USUALLY));
        return new JdbcSettings(url, login, options, pool, timeout);
    }

    /** Creates the provider, without I/O. */
    JdbcLockProvider open() {
        requireDriver();
        DatabaseFailures failures = new DatabaseFailures("JDBC at " + url.place(), secrets())
                .withScript(options.dialect().creation());
        HikariDataSource source = pooled();
        Connections connections =
                new Connections(Lender.ofOwn(source), KeptConnection.ofOne(), options.dialect(), failures, timeout);
        return new JdbcLockProvider(connections, () -> DriverManager.getConnection(url.text(), login), options);
    }

    private List<String> secrets() {
        String password = login.getProperty("password", "");
        return Stream.concat(url.secrets().stream(), Stream.of(password))
                .filter(secret -> !secret.isEmpty())
                .toList();
    }

    private void requireDriver() {
        if (isAccepted(url.text())) {
            return;
        }
        String start = "jdbc:" + url.product().toLowerCase(Locale.ROOT) + "://";
        // Without the cause, in which a driver may repeat the URL.
        throw new LockConfigurationException(
                isAccepted(start + "localhost/locks")
                        ? "The driver of " + url.product() + " does not accept the URL '" + url.place()
                                + "'; allowed is " + start
                                + "host:port/database, and what the driver's page has beside it"
                        : "There is no JDBC driver for '" + url.place()
                                + "': add the artifact of the database's driver");
    }

    private static boolean isAccepted(String url) {
        try {
            DriverManager.getDriver(url);
            return true;
        } catch (SQLException noneAcceptsIt) {
            return false;
        }
    }

    /** Creates the pool, which connects when the first connection is asked for. */
    HikariDataSource pooled() {
        HikariDataSource source = url.endsWithItsLastConnection() ? new H2MemoryPool() : new HikariDataSource();
        source.setPoolName("holdfast-jdbc");
        source.setJdbcUrl(url.text());
        source.setDataSourceProperties(login);
        // One more, for renewals and releases.
        source.setMaximumPoolSize(pool.size() + 1);
        source.setMinimumIdle(0);
        source.setIdleTimeout(IDLE.toMillis());
        source.setConnectionTimeout(pool.maxWait().toMillis());
        source.setValidationTimeout(Math.max(
                Timeouts.LEAST_POOL_WAIT.toMillis(),
                Math.min(timeout.toMillis(), pool.maxWait().toMillis())));
        source.setInitializationFailTimeout(-1);
        source.setExceptionOverride(new LostConnectionEviction(options.dialect()));
        source.setAutoCommit(true);
        // Under a stricter isolation concurrent attempts would fail on each other.
        source.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        return source;
    }

    /** No password. */
    @Override
    public String toString() {
        return "JdbcSettings[" + url.place() + ", table=" + options.table() + "]";
    }
}
