package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.jdbc.table.StoreFailures;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.PersistenceUnitTransactionType;
import jakarta.persistence.spi.PersistenceProvider;
import jakarta.persistence.spi.PersistenceProviderResolverHolder;
import java.sql.Connection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A persistence unit that is fit for locks.
 *
 * @param factory its factory
 * @param failures says what went wrong in it
 */
record PersistenceUnit(EntityManagerFactory factory, StoreFailures failures) {

    private static final String HIBERNATE = "org.hibernate.SessionFactory";

    private static final String HANDLING_MODE = "hibernate.connection.handling_mode";

    private static final String NEEDED = "Hibernate, with Jakarta Persistence 3.2 (io.holdfast:lock-jdbc does not bring"
            + " them): add org.hibernate.orm:hibernate-core 7.4 or newer";

    /** The factory of an application. */
    static PersistenceUnit given(EntityManagerFactory factory) {
        PersistenceUnit unit = new PersistenceUnit(
                factory, new StoreFailures("The given persistence unit", secrets(factory.getProperties())));
        unit.requireFit();
        return unit;
    }

    /** A factory of our own. */
    static PersistenceUnit created(String name, Map<String, String> properties) {
        EntityManagerFactory factory = create(name, properties);
        PersistenceUnit unit =
                new PersistenceUnit(factory, new StoreFailures(place(name), secrets(factory.getProperties())));
        try {
            unit.requireFit();
        } catch (RuntimeException | Error unfit) {
            factory.close();
            throw unfit;
        }
        return unit;
    }

    private static String place(String name) {
        return "The " + named(name);
    }

    private static String named(String name) {
        return "persistence unit '" + name + "'";
    }

    private static EntityManagerFactory create(String name, Map<String, String> properties) {
        List<PersistenceProvider> providers = PersistenceProviderResolverHolder.getPersistenceProviderResolver()
                .getPersistenceProviders();
        if (providers.isEmpty()) {
            throw new LockConfigurationException(place(name)
                    + " could not be opened: there is no provider of Jakarta Persistence; needed is " + NEEDED);
        }
        // On the module path: it makes classes beside the entity, which need it.
        providers.forEach(provider ->
                LockRecord.class.getModule().addReads(provider.getClass().getModule()));
        try {
            return Persistence.createEntityManagerFactory(name, properties);
        } catch (PersistenceException | IllegalStateException failure) {
            // The unit has settings of its own, which nobody here knows: then any URL may have a password in it.
            List<String> secrets = Stream.concat(secrets(properties).stream(), Stream.of("jdbc:"))
                    .toList();
            StoreFailures failures = new StoreFailures(place(name), secrets);
            throw Transactions.sqlException(failure)
                    .<LockException>map(refused -> failures.of("opening", refused))
                    .orElseGet(() -> malformed(name, failure, failures.tellsSecrets(failure)));
        }
    }

    private static LockConfigurationException malformed(String name, RuntimeException failure, boolean tellsSecrets) {
        // The standard class's own words, when it has asked all providers and none knows the unit.
        boolean unknown = String.valueOf(failure.getMessage()).startsWith("No Persistence provider for EntityManager");
        if (unknown) {
            return new LockConfigurationException(
                    "There is no " + named(name)
                            + "; allowed is the name of one in a META-INF/persistence.xml of the class path that names no other provider than Hibernate",
                    failure);
        }
        String message = place(name) + " could not be opened; needed are a persistence.xml that is in order, with"
                + " transaction-type=\"RESOURCE_LOCAL\" (not JTA), and the database's driver";
        return tellsSecrets
                ? new LockConfigurationException(message)
                : new LockConfigurationException(
                        message + ": " + innermost(failure).getMessage(), failure);
    }

    /** The first reason, which is behind several that only say what could not be made of it. */
    private static Throwable innermost(Throwable failure) {
        Throwable reason = failure;
        while (reason.getCause() != null) {
            reason = reason.getCause();
        }
        return reason;
    }

    /** Passwords, and the parts of URLs that may have one in them. */
    private static List<String> secrets(Map<String, ?> properties) {
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

    private void requireFit() {
        String subject = failures.place();
        if (!isOfHibernate()) {
            throw new LockConfigurationException(subject + " is a "
                    + factory.getClass().getName() + ", which is not of Hibernate; needed is " + NEEDED);
        }
        try {
            if (factory.getTransactionType() != PersistenceUnitTransactionType.RESOURCE_LOCAL) {
                throw new LockConfigurationException(subject + " has the transaction type "
                        + factory.getTransactionType()
                        + "; allowed is RESOURCE_LOCAL, as a lock must not be a part of the"
                        + " application's transactions");
            }
        } catch (NoSuchMethodError | AbstractMethodError older) {
            throw new LockConfigurationException(
                    subject + " is of an older Jakarta Persistence; needed is " + NEEDED, older);
        }
        boolean known = factory.getMetamodel().getEntities().stream()
                .anyMatch(entity -> entity.getJavaType() == LockRecord.class);
        if (!known) {
            throw new LockConfigurationException(subject + " lacks an entity of the locks; needed is <class>"
                    + LockRecord.class.getName() + "</class> in its persistence.xml");
        }
        requireThatItKeepsItsConnections();
    }

    /** What a connection has locked is free as soon as it is given back, and with it the turn that a bid has. */
    private void requireThatItKeepsItsConnections() {
        // Text or Hibernate's own enum, whichever the application has set.
        String mode = String.valueOf(factory.getProperties().get(HANDLING_MODE));
        if (mode.toUpperCase(Locale.ROOT).endsWith("AFTER_STATEMENT")) {
            throw new LockConfigurationException(failures.place() + " has the " + HANDLING_MODE + " " + mode
                    + "; allowed is one that keeps the connection until the end of the transaction, as Hibernate's"
                    + " own choice for RESOURCE_LOCAL does");
        }
    }

    /** The standard has no words for a row that is inserted unless it is there, nor for one that is passed over if locked. */
    private boolean isOfHibernate() {
        return Stream.of(factory.getClass(), LockRecord.class)
                .map(Class::getClassLoader)
                .anyMatch(this::isOfHibernateIn);
    }

    private boolean isOfHibernateIn(@Nullable ClassLoader loader) {
        try {
            Class<?> sessions = Class.forName(HIBERNATE, false, loader);
            return sessions.isInstance(factory.unwrap(sessions));
        } catch (ClassNotFoundException | PersistenceException another) {
            return false;
        }
    }

    /** The dialect of the database that was named, else of the one that is there. */
    JpaDialect dialect(Optional<Database> named) {
        return named.map(JpaDialect::of).orElseGet(this::detected);
    }

    private JpaDialect detected() {
        try (EntityManager manager = factory.createEntityManager()) {
            return JpaDialect.of(manager.<Connection, String>callWithConnection(
                    connection -> connection.getMetaData().getDatabaseProductName()));
        } catch (PersistenceException failure) {
            throw Transactions.sqlException(failure)
                    .map(reason -> failures.of("detection of the database", reason))
                    .orElseGet(() -> failures.because(
                            "detection of the database", String.valueOf(failure.getMessage()), failure));
        }
    }
}
