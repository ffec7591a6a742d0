package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.jdbc.table.CallersInterrupt;
import io.holdfast.lock.jdbc.table.ContendedLocks;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.jdbc.table.TableClaim;
import io.holdfast.lock.jdbc.table.Timeouts;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Locks in a table of an SQL database by JPA, in the same table as {@link io.holdfast.lock.jdbc.JdbcLockProvider}:
 * clients of both exclude each other. Thread-safe.
 *
 * <p>An application without an {@link EntityManagerFactory} opens {@code LockClient.connect("jpa:unit")}, by the name
 * of a persistence unit, and never sees this class. One that has a factory builds a provider over it: {@code
 * LockClient.builder(JpaLockProvider.over(factory).build())}.
 *
 * <p>Each acquire, renewal and release is a transaction with its own entity manager, never in those of the application.
 * The factory has to be of Hibernate 6.6 or newer, with {@code RESOURCE_LOCAL} transactions, and with the class {@code
 * io.holdfast.lock.jdbc.jpa.LockRecord} among its entities, which is {@link #entityClass()}.
 */
public final class JpaLockProvider implements LockProvider {

    private static final int RENEWAL_BATCH = 500;

    private final JpaRecords records;
    private final ContendedLocks contended = new ContendedLocks();
    private final JpaOptions options;
    private final LockCapabilities capabilities;
    private final AutoCloseable owned;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates a provider.
     *
     * @param owned closed with the provider; does nothing if the factory is the application's
     */
    JpaLockProvider(PersistenceUnit opened, JpaDialect dialect, JpaOptions options, AutoCloseable owned) {
        PersistenceUnit unit = opened.on(dialect);
        Transactions transactions = new Transactions(unit, dialect, options.timeout());
        this.records = new JpaRecords(transactions, dialect, UnlockedRows.of(unit.factory()), options);
        this.options = options;
        this.capabilities = dialect.sql().capabilities().withWakeUp(WakeUp.POLL);
        this.owned = owned;
    }

    /** How concurrent attempts for one lock exclude each other. Clients of one table may differ in it. */
    public enum Strategy {
        /**
         * The row is locked when it is read ({@code SELECT ... FOR UPDATE}, {@code PESSIMISTIC_WRITE}). A row that
         * another transaction has locked means contended.
         */
        PESSIMISTIC,
        /**
         * The row is read, and written only if its version ({@code @Version}) is unchanged; otherwise the attempt is
         * contended.
         */
        OPTIMISTIC
    }

    /**
     * Starts to build a provider over a factory that the application has already. The provider never closes it.
     *
     * <p>Its connections have to be new ones from the pool. A connection in a transaction of the calling thread that
     * has written something is refused by a {@link io.holdfast.lock.LockStoreException}.
     *
     * @param factory the factory
     * @return a builder
     */
    public static Builder over(EntityManagerFactory factory) {
        return new Builder(Objects.requireNonNull(factory, "factory"));
    }

    /**
     * The entity of the locks, for a unit that is made without a {@code persistence.xml}: it belongs to the unit's
     * managed classes. A {@code persistence.xml} names it as {@code io.holdfast.lock.jdbc.jpa.LockRecord}.
     *
     * @return the class, which the application uses for nothing else
     */
    public static Class<?> entityClass() {
        return LockRecord.class;
    }

    @Override
    public LockCapabilities capabilities() {
        return capabilities;
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

    JpaRecords records() {
        return records;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            CallersInterrupt interrupt = new CallersInterrupt();
            try {
                records.close();
                closeOwned();
            } finally {
                interrupt.restore();
            }
        }
    }

    private void closeOwned() {
        try {
            owned.close();
        } catch (Exception failure) {
            throw records.failures().because("close", String.valueOf(failure.getMessage()), failure);
        }
    }

    @Override
    public String toString() {
        return "JpaLockProvider[table=" + options.table() + ", strategy=" + options.strategy() + "]";
    }

    /** Builds a {@link JpaLockProvider} over a given factory. Not thread-safe. */
    public static final class Builder {
        private final EntityManagerFactory factory;
        private @Nullable Database database;
        private Strategy strategy = Strategy.PESSIMISTIC;
        private LockTable table = LockTable.of(LockTable.DEFAULT);
        private Duration timeout = Timeouts.USUAL;

        private Builder(EntityManagerFactory factory) {
            this.factory = factory;
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
         * Sets how concurrent attempts exclude each other.
         *
         * @param way the way; {@link Strategy#PESSIMISTIC} if it is not set
         * @return this builder
         */
        public Builder strategy(Strategy way) {
            this.strategy = Objects.requireNonNull(way, "way");
            return this;
        }

        /**
         * Sets the table, where an {@code orm.xml} gives the entity another one: the source of the tokens, and
         * PostgreSQL's channel of releases, are named after it. Attempts fail if it is not the entity's table.
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
         * Sets how long one statement may take.
         *
         * @param limit 1 second to 10 minutes, which statements count in whole seconds; 5 seconds if it is not set. Keep it below
         *     a third of the lease
         * @return this builder
         * @throws LockConfigurationException if it is out of range
         */
        public Builder timeout(Duration limit) {
            this.timeout = Timeouts.requireValid("timeout", Objects.requireNonNull(limit, "limit"), Timeouts.LEAST);
            return this;
        }

        /**
         * Creates the provider. Connects to the database if it was not set by {@link #database}.
         *
         * @return the provider
         * @throws LockConfigurationException if the factory is not of Hibernate 6.6 or newer, is for JTA, lacks the entity or
         *     gives its connections back after each statement, or if the database is not supported by JPA
         * @throws io.holdfast.lock.LockStoreException if the database has to be asked and does not answer
         */
        public JpaLockProvider build() {
            PersistenceUnit unit = PersistenceUnit.given(factory);
            JpaOptions options = new JpaOptions(strategy, table, timeout, new Sweeper(Sweeper.USUALLY));
            return new JpaLockProvider(unit, unit.dialect(Optional.ofNullable(database)), options, () -> {});
        }
    }
}
