package io.holdfast.lock.jdbc;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.jdbc.table.Borrowing;
import io.holdfast.lock.jdbc.table.CallersInterrupt;
import io.holdfast.lock.jdbc.table.ContendedLocks;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.SqlDialect;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.jdbc.table.TableClaim;
import io.holdfast.lock.jdbc.table.Timeouts;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Locks in a table of an SQL database. Thread-safe.
 *
 * <p>An application without a {@link DataSource} opens {@code LockClient.connect("jdbc:postgresql://host/database")}
 * and never sees this class. One that has a data source builds a provider over it: {@code
 * LockClient.builder(JdbcLockProvider.over(dataSource).build())}.
 *
 * <p>Each acquire, renewal and release is one statement in autocommit, never inside a transaction of the application.
 * While locks are held, one connection is kept for renewals and releases. In PostgreSQL a message wakes waiting claims;
 * it comes on one further connection, which is opened when the first claim has to wait.
 */
public final class JdbcLockProvider implements LockProvider {

    private static final int RENEWAL_BATCH = 500;

    private final JdbcRecords records;
    private final ContendedLocks contended = new ContendedLocks();
    private final Borrowing.Source<Connection> listening;
    private final Connections connections;
    private final Queue<NotificationFeed> feeds = new ConcurrentLinkedQueue<>();
    private final JdbcOptions options;
    private final AtomicBoolean closed = new AtomicBoolean();

    JdbcLockProvider(Connections connections, Borrowing.Source<Connection> listening, JdbcOptions options) {
        this.connections = connections;
        this.listening = listening;
        this.options = options;
        this.records = new JdbcRecords(connections, options);
    }

    /** The supported databases. */
    public enum Database {
        /** H2 2.3.232 or newer. */
        H2,
        /** PostgreSQL 12 or newer. */
        POSTGRESQL,
        /** MariaDB 10.6 or newer. */
        MARIADB,
        /** MySQL 8.0 or newer. */
        MYSQL
    }

    /**
     * Starts to build a provider over a data source that the application has already. The provider never closes it.
     *
     * <p>The provider asks for connections on its own threads, uses them in autocommit, and gives them back with their
     * former settings. So a pool may have autocommit off, and the connection that a framework has bound to the calling
     * thread's transaction is not used.
     *
     * <p>The provider borrows a connection for each acquire, keeps one for renewals and releases while locks are held,
     * and in PostgreSQL one more while claims wait and for half a minute after that. So the pool needs at least two
     * connections, three in PostgreSQL. For a smaller pool a warning is logged. With fewer than three no connection
     * listens, and waiting claims poll ({@link WakeUp#POLL}); with one, none is kept either.
     *
     * @param dataSource the data source
     * @return a builder
     */
    public static Builder over(DataSource dataSource) {
        return new Builder(Objects.requireNonNull(dataSource, "dataSource"));
    }

    @Override
    public LockCapabilities capabilities() {
        return options.capabilities();
    }

    @Override
    public int renewalBatch() {
        return RENEWAL_BATCH;
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(signals, "signals");
        return new TableClaim(records, options.sweeper(), contended, request);
    }

    @Override
    public Optional<ReleaseFeed> releases(ReleaseFeed.Listener listener) {
        Objects.requireNonNull(listener, "listener");
        if (!options.listens()) {
            return Optional.empty();
        }
        NotificationFeed feed = new NotificationFeed(
                () -> connections.openForMessages(listening), options.table().channel(), listener);
        feeds.add(feed);
        return Optional.of(feed);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return records.holder(DistributedLock.requireValidName(name));
    }

    /** As {@link LockProvider#highestToken}; of all names in the table. */
    @Override
    public long highestToken() {
        return records.highestToken();
    }

    /**
     * As {@link LockProvider#raiseTokens}; for all names in the table. By a transaction that has nothing to do with the
     * application's.
     */
    @Override
    public void raiseTokens(long above) {
        records.raiseTokens(above);
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return TableClaim.renewAll(records, claims);
    }

    JdbcRecords records() {
        return records;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            CallersInterrupt interrupt = new CallersInterrupt();
            try {
                feeds.forEach(NotificationFeed::close);
            } finally {
                records.close();
                interrupt.restore();
            }
        }
    }

    @Override
    public String toString() {
        return "JdbcLockProvider[table=" + options.table() + ", wakeUp="
                + options.capabilities().wakeUp() + "]";
    }

    /** Builds a {@link JdbcLockProvider} over a given data source. Not thread-safe. */
    public static final class Builder {
        private final DataSource dataSource;
        private @Nullable Database database;
        private LockTable table = LockTable.of(LockTable.DEFAULT);
        private boolean createTable;
        private WakeUp wakeUp = WakeUp.PUSH;
        private Duration timeout = Timeouts.USUAL;
        private Duration poolWait = Timeouts.POOL_WAIT;

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /**
         * Sets the database, so that {@link #build()} need not ask it.
         *
         * @param kind the database
         * @return this builder
         */
        public Builder database(Database kind) {
            this.database = Objects.requireNonNull(kind, "kind");
            return this;
        }

        /**
         * Sets the table.
         *
         * @param name {@code table} or {@code schema.table}; {@code holdfast_lock} if it is not set
         * @return this builder
         * @throws LockConfigurationException if it is not a plain identifier
         */
        public Builder table(String name) {
            this.table = LockTable.of(Objects.requireNonNull(name, "name"));
            return this;
        }

        /**
         * Makes the provider create the table before its first use, if it is missing, and again after a call that found
         * it gone. Otherwise the shipped script has to be run beforehand.
         *
         * @return this builder
         */
        public Builder createTable() {
            this.createTable = true;
            return this;
        }

        /**
         * Sets how waiting claims learn of a release. With {@link WakeUp#POLL} they ask again even where the database
         * could send messages, and no connection is kept for these: for a connection pooler that does not pass them on.
         *
         * @param way the way; {@link WakeUp#PUSH} if it is not set. A database without messages polls in any case, and so
         *     does a provider over a pool that is known to have fewer than three connections
         * @return this builder
         */
        public Builder wakeUp(WakeUp way) {
            this.wakeUp = Objects.requireNonNull(way, "way");
            return this;
        }

        /**
         * Sets how long one statement may take.
         *
         * @param limit 1 second to 10 minutes; 5 seconds if it is not set. Keep it below a third of the lease
         * @return this builder
         * @throws LockConfigurationException if it is out of range
         */
        public Builder timeout(Duration limit) {
            this.timeout = Timeouts.requireValid("timeout", Objects.requireNonNull(limit, "limit"), Timeouts.LEAST);
            return this;
        }

        /**
         * Sets how long a call waits for a connection of the data source, whose own limit may be longer or missing.
         *
         * @param limit 250 milliseconds to 10 minutes; 5 seconds if it is not set
         * @return this builder
         * @throws LockConfigurationException if it is out of range
         */
        public Builder poolWait(Duration limit) {
            this.poolWait =
                    Timeouts.requireValid("poolWait", Objects.requireNonNull(limit, "limit"), Timeouts.LEAST_POOL_WAIT);
            return this;
        }

        /**
         * Creates the provider. Connects to the database if it was not set by {@link #database}.
         *
         * @return the provider
         * @throws LockConfigurationException if the database is not supported
         * @throws io.holdfast.lock.LockStoreException if the database has to be asked and does not answer
         */
        public JdbcLockProvider build() {
            return new GivenSource(dataSource, poolWait, timeout).open(Optional.ofNullable(database), this::options);
        }

        private JdbcOptions options(SqlDialect dialect) {
            return new JdbcOptions(dialect, table, createTable, wakeUp, new Sweeper(Sweeper.USUALLY));
        }
    }
}
