package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.SqlDialect;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** The few statements of an attempt that JPA cannot express: that of the JDBC provider for the same database, cut into steps. */
interface JpaDialect {

    /** Finds the dialect by the name of the product. */
    static JpaDialect of(String product) {
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "h2" -> new H2JpaDialect();
            case "postgresql" -> new PostgreSqlJpaDialect();
            default ->
                throw new LockConfigurationException("There is no JPA provider for the database '" + product
                        + "'; allowed are h2 and postgresql, and others by a jdbc: URI");
        };
    }

    /** The dialect of the JDBC provider, whose other statements are used as they are. */
    SqlDialect sql();

    /** The database's clock now, not at the beginning of the transaction. */
    Instant now(EntityManager manager);

    /**
     * Draws a token. Until the end of the transaction nobody else is granted the lock then. Includes {@link #bound}.
     *
     * @return the token; empty if the source of the tokens is missing
     */
    Optional<Long> draw(EntityManager manager, LockKey key, LockTable table, Duration timeout);

    /** Limits how long this transaction can block others if its client stops, and makes its commit durable. */
    void bound(EntityManager manager, Duration timeout);

    /** Whether a connection is in a transaction that has not written anything. */
    boolean isUntouched(Connection connection) throws SQLException;
}
