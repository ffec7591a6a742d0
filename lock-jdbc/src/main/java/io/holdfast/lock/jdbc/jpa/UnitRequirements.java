package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockConfigurationException;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.Version;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.resource.transaction.spi.TransactionCoordinatorBuilder;

/**
 * What the locks need of a persistence unit.
 *
 * @param subject the unit, as the beginning of a sentence
 * @param factory its factory
 */
record UnitRequirements(String subject, EntityManagerFactory factory) {

    /** What to add where it is missing. */
    static final String HIBERNATE =
            "Hibernate 6.6 or newer (io.holdfast:lock-jdbc does not bring it): add org.hibernate.orm:hibernate-core";

    private static final int LEAST_MAJOR = 6;
    private static final int LEAST_MINOR = 6;
    private static final Pattern VERSION = Pattern.compile("([0-9]{1,9})\\.([0-9]{1,9}).*");
    private static final String HANDLING_MODE = "hibernate.connection.handling_mode";

    /**
     * Checks them all.
     *
     * @throws LockConfigurationException if one is not met
     */
    void check() {
        // On the module path: Hibernate makes classes beside the entity, which need it.
        LockRecord.class.getModule().addReads(factory.getClass().getModule());
        SessionFactoryImplementor hibernate = unwrapped()
                .orElseThrow(() -> new LockConfigurationException(subject + " is a "
                        + factory.getClass().getName() + ", which is not of Hibernate; needed is " + HIBERNATE));
        requireVersion(Version.getVersionString());
        requireOwnTransactions(hibernate);
        requireEntity();
        requireThatItKeepsItsConnections();
    }

    /** The standard has no words for a row that is inserted unless it is there, nor for one that is passed over if locked. */
    private Optional<SessionFactoryImplementor> unwrapped() {
        try {
            Class.forName("org.hibernate.SessionFactory", false, UnitRequirements.class.getClassLoader());
            return Optional.of(factory.unwrap(SessionFactoryImplementor.class));
        } catch (ClassNotFoundException | PersistenceException another) {
            return Optional.empty();
        }
    }

    /** What has no number is somebody's own build. */
    void requireVersion(String version) {
        Matcher numbers = VERSION.matcher(version);
        if (!numbers.matches()) {
            return;
        }
        int major = Integer.parseInt(numbers.group(1));
        int minor = Integer.parseInt(numbers.group(2));
        if (major < LEAST_MAJOR || (major == LEAST_MAJOR && minor < LEAST_MINOR)) {
            throw new LockConfigurationException(
                    subject + " is of Hibernate " + version + ", which is too old; needed is Hibernate 6.6 or newer");
        }
    }

    /** Jakarta Persistence 3.1 has no words for the transaction type of a factory. */
    private void requireOwnTransactions(SessionFactoryImplementor hibernate) {
        if (hibernate
                .getServiceRegistry()
                .requireService(TransactionCoordinatorBuilder.class)
                .isJta()) {
            throw new LockConfigurationException(subject + " has the transaction type JTA; allowed is RESOURCE_LOCAL,"
                    + " as a lock must not be a part of the application's transactions");
        }
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

    /** What a connection has locked is free as soon as it is given back, and with it the turn that a bid has. */
    private void requireThatItKeepsItsConnections() {
        // Text or Hibernate's own enum, whichever the application has set.
        String mode = String.valueOf(factory.getProperties().get(HANDLING_MODE));
        if (mode.toUpperCase(Locale.ROOT).endsWith("AFTER_STATEMENT")) {
            throw new LockConfigurationException(subject + " has the " + HANDLING_MODE + " " + mode
                    + "; allowed is one that keeps the connection until the end of the transaction, as Hibernate's"
                    + " own choice for RESOURCE_LOCAL does");
        }
    }
}
