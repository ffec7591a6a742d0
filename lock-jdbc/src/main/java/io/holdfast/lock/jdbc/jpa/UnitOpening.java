package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.spi.PersistenceProvider;
import jakarta.persistence.spi.PersistenceProviderResolverHolder;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Opens a persistence unit by its name, and explains a failure to do so.
 *
 * @param name the name of the unit
 * @param properties added to those of its persistence.xml
 */
record UnitOpening(String name, Map<String, String> properties) {

    EntityManagerFactory open() {
        List<PersistenceProvider> providers = PersistenceProviderResolverHolder.getPersistenceProviderResolver()
                .getPersistenceProviders();
        if (providers.isEmpty()) {
            throw new LockConfigurationException(place()
                    + " could not be opened: there is no provider of Jakarta Persistence; needed is "
                    + UnitRequirements.HIBERNATE);
        }
        // On the module path: providers generate classes beside the entity, which need this.
        providers.forEach(provider ->
                LockRecord.class.getModule().addReads(provider.getClass().getModule()));
        try {
            return Persistence.createEntityManagerFactory(name, properties);
        } catch (PersistenceException | IllegalStateException failure) {
            throw explained(failure);
        }
    }

    private String place() {
        return "The persistence unit '" + name + "'";
    }

    private LockException explained(RuntimeException failure) {
        // The unit may have settings that are unknown here, so any JDBC URL may contain a password.
        List<String> secrets = Stream.concat(PersistenceUnit.secrets(properties).stream(), Stream.of("jdbc:"))
                .toList();
        DatabaseFailures failures = PersistenceUnit.failures(place(), secrets);
        return DatabaseFailures.sqlException(failure)
                .<LockException>map(refused -> failures.of("opening", refused))
                .orElseGet(() -> malformed(failure, failures.containsSecrets(failure)));
    }

    private LockConfigurationException malformed(RuntimeException failure, boolean containsSecrets) {
        String words = innermostMessage(failure);
        // The message of the standard class when no provider knows the unit.
        if (words.startsWith("No Persistence provider for EntityManager")) {
            return new LockConfigurationException(
                    "There is no persistence unit '" + name + "'; allowed is the name of one in a"
                            + " META-INF/persistence.xml of the class path, without a <provider> or with the one that is there",
                    failure);
        }
        if (words.startsWith("Unable to determine Dialect")) {
            // Hibernate continues without a connection, and then asks for a setting that is not needed with one.
            return new LockConfigurationException(place()
                    + " could not be opened: it could not connect; needed are a URL (jakarta.persistence.jdbc.url) or a data"
                    + " source, and the artifact of the database's driver");
        }
        String message = place() + " could not be opened";
        return containsSecrets
                ? new LockConfigurationException(message + "; needed is a persistence.xml that is in order")
                : new LockConfigurationException(message + ": " + words, failure);
    }

    /** The message of the innermost cause that has one; those around it say little. */
    private static String innermostMessage(Throwable failure) {
        String words = "";
        for (Throwable each = failure; each != null; each = each.getCause()) {
            words = each.getMessage() == null ? words : each.getMessage();
        }
        return words;
    }
}
