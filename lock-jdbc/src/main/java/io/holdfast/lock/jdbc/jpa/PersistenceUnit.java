package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.Pooled;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * A persistence unit that meets the requirements of locks.
 *
 * @param factory its factory
 * @param failures explains its failures
 */
record PersistenceUnit(EntityManagerFactory factory, DatabaseFailures failures) {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    private static final int LEAST_CONNECTIONS = 2;

    /** How a unit creates the table. */
    private static final String CREATION =
            "have the unit run it, by jakarta.persistence.schema-generation.create-script-source"
                    + " and what the page on the JPA backend has beside it";

    /** Checks the factory of an application. */
    static PersistenceUnit given(EntityManagerFactory factory) {
        return checked("The given persistence unit", factory);
    }

    /** Opens a unit by its name. */
    static PersistenceUnit created(String name, Map<String, String> properties) {
        EntityManagerFactory factory = new UnitOpening(name, properties).open();
        try {
            return checked("The persistence unit '" + name + "'", factory);
        } catch (RuntimeException | Error failure) {
            factory.close();
            throw failure;
        }
    }

    private static PersistenceUnit checked(String place, EntityManagerFactory factory) {
        new UnitRequirements(place, factory).check();
        PersistenceUnit unit = new PersistenceUnit(factory, failures(place, secrets(factory.getProperties())));
        unit.warnIfPoolIsTooSmall();
        return unit;
    }

    private void warnIfPoolIsTooSmall() {
        OptionalInt most = pool().map(Pooled::most).orElse(OptionalInt.empty());
        if (most.isPresent() && most.getAsInt() < LEAST_CONNECTIONS) {
            LOG.log(
                    Level.WARNING,
                    failures.place() + ": its pool has at most " + most.getAsInt() + " connections, and locks need "
                            + LEAST_CONNECTIONS
                            + ": one to acquire, and one to renew and release. A lock is lost if the pool"
                            + " is empty until its lease ends. Enlarge the pool, or give the locks a persistence unit with a"
                            + " pool of its own");
        }
    }

    /** The pool, if the persistence provider reveals its data source. */
    Optional<Pooled> pool() {
        ConnectionProvider connections = factory.unwrap(SessionFactoryImplementor.class)
                .getServiceRegistry()
                .getService(ConnectionProvider.class);
        return connections != null && connections.isUnwrappableAs(DataSource.class)
                ? Optional.of(new Pooled(connections.unwrap(DataSource.class)))
                : Optional.empty();
    }

    /** The failures of a unit. */
    static DatabaseFailures failures(String place, List<String> secrets) {
        return new DatabaseFailures(place, "", CREATION, secrets);
    }

    /** The same unit, for a database that is known. */
    PersistenceUnit on(JpaDialect dialect) {
        return new PersistenceUnit(factory, failures.withScript(dialect.sql().creation()));
    }

    /** The passwords, and the parts of URLs that may contain one. */
    static List<String> secrets(Map<String, ?> properties) {
        return properties.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof String)
                .flatMap(entry -> secrets(entry.getKey().toLowerCase(Locale.ROOT), (String) entry.getValue()))
                .filter(secret -> !secret.isEmpty())
                .toList();
    }

    private static Stream<String> secrets(String key, String value) {
        if (key.contains("password")) {
            return Stream.of(value);
        }
        if (!value.startsWith("jdbc:")) {
            return Stream.empty();
        }
        String[] parts = value.split("[?;]", 2);
        return Stream.of(parts.length > 1 ? parts[1] : "", parts[0].contains("@") ? parts[0] : "");
    }

    /** The dialect of the given database, else of the one that the unit connects to. */
    JpaDialect dialect(Optional<Database> given) {
        return given.map(database -> JpaDialect.of(database.name())).orElseGet(this::detected);
    }

    private JpaDialect detected() {
        try (EntityManager manager = factory.createEntityManager()) {
            String product = OwnTransaction.withConnection(
                    manager, connection -> connection.getMetaData().getDatabaseProductName());
            return JpaDialect.of(product);
        } catch (PersistenceException failure) {
            throw failures.of("detection of the database", failure);
        }
    }
}
