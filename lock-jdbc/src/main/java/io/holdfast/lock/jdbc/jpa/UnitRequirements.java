package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockConfigurationException;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.lang.module.ModuleDescriptor;
import java.util.Locale;
import java.util.Optional;
import org.hibernate.Version;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;

/**
 * Checks what the locks, and what the guard of entities, need of a persistence unit.
 *
 * @param subject the unit, as the beginning of a sentence
 * @param factory its factory
 */
record UnitRequirements(String subject, EntityManagerFactory factory) {

    /** What to add if it is missing. */
    static final String HIBERNATE =
            "Hibernate 6.6 or newer (io.holdfast:lock-jdbc does not bring it): add org.hibernate.orm:hibernate-core";

    private static final ModuleDescriptor.Version LEAST = ModuleDescriptor.Version.parse("6.6");
    private static final String HANDLING_MODE = "hibernate.connection.handling_mode";

    /**
     * Checks what the locks need.
     *
     * @throws LockConfigurationException if one is not met
     */
    void check() {
        SessionFactoryImplementor hibernate = requireHibernate();
        requireOwnTransactions(hibernate);
        requireEntity();
        requireKeptConnections();
    }

    /**
     * Checks what the guard of entities needs. With JTA all connections of a transaction belong to it, also if each statement has
     * another one.
     *
     * @throws LockConfigurationException if a requirement is not met
     */
    void checkForGuard() {
        if (!isJta(requireHibernate())) {
            requireKeptConnections();
        }
    }

    /**
     * Checks that the factory is of Hibernate, and not too old.
     *
     * @throws LockConfigurationException if it is not
     */
    SessionFactoryImplementor requireHibernate() {
        // On the module path: Hibernate generates classes beside the entity, which need this.
        LockRecord.class.getModule().addReads(factory.getClass().getModule());
        SessionFactoryImplementor hibernate = unwrapped()
                .orElseThrow(() -> new LockConfigurationException(subject + " is a "
                        + factory.getClass().getName() + ", which is not of Hibernate; needed is " + HIBERNATE));
        requireVersion(Version.getVersionString());
        return hibernate;
    }

    /** Only Hibernate will do: the standard can neither insert a row unless it exists, nor skip a locked one. */
    private Optional<SessionFactoryImplementor> unwrapped() {
        try {
            Class.forName("org.hibernate.SessionFactory", false, UnitRequirements.class.getClassLoader());
            return Optional.of(factory.unwrap(SessionFactoryImplementor.class));
        } catch (ClassNotFoundException | PersistenceException another) {
            return Optional.empty();
        }
    }

    /** A version without a number is a private build and accepted. */
    void requireVersion(String version) {
        boolean numbered = Character.isDigit(version.charAt(0));
        if (numbered && ModuleDescriptor.Version.parse(version).compareTo(LEAST) < 0) {
            throw new LockConfigurationException(
                    subject + " is of Hibernate " + version + ", which is too old; needed is Hibernate 6.6 or newer");
        }
    }

    /** Asks Hibernate: Jakarta Persistence 3.1 does not tell the transaction type of a factory. */
    private void requireOwnTransactions(SessionFactoryImplementor hibernate) {
        if (isJta(hibernate)) {
            throw new LockConfigurationException(subject + " has the transaction type JTA; allowed is RESOURCE_LOCAL,"
                    + " as a lock must not be a part of the application's transactions");
        }
    }

    private static boolean isJta(SessionFactoryImplementor hibernate) {
        return hibernate
                .getServiceRegistry()
                .requireService(TransactionCoordinatorBuilder.class)
                .isJta();
    }

    private void requireEntity() {
        boolean known = factory.getMetamodel().getEntities().stream()
                .anyMatch(entity -> entity.getJavaType() == LockRecord.class);
        if (!known) {
            throw new LockConfigurationException(subject + " lacks the entity of the locks; needed is <class>"
                    + LockRecord.class.getName()
                    + "</class> in its persistence.xml, JpaLockProvider.entityClass() among its managed classes, or in"
                    + " Spring Boot: @EntityScan or @AutoConfigurationPackage with the package "
                    + LockRecord.class.getPackageName() + " beside your own");
        }
    }

    /** Row locks and the advisory lock last only as long as the transaction keeps its connection. */
    private void requireKeptConnections() {
        // A text or Hibernate's own enum, as the application has set it.
        String mode = String.valueOf(factory.getProperties().get(HANDLING_MODE));
        if (mode.toUpperCase(Locale.ROOT).endsWith("AFTER_STATEMENT")) {
            throw new LockConfigurationException(subject + " has the " + HANDLING_MODE + " " + mode
                    + "; allowed is one that keeps the connection until the end of the transaction, as Hibernate's"
                    + " own choice for RESOURCE_LOCAL does");
        }
    }
}
