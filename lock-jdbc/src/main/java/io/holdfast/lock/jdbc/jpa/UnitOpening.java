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
 * Opens a persistence unit by its name, and says why that did not work.
 *
 * @param name the name of the unit
 * @param properties beside those of its persistence.xml
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
        // On the module path: they make classes beside the entity, which need them.
        providers.forEach(provider ->
                LockRecord.class.getModule().addReads(provider.getClass().getModule()));
        try {
            return Persistence.createEntityManagerFactory(name, properties);
        } catch (PersistenceException | IllegalStateException failure) {
            throw told(failure);
        }
    }

    private String place() {
        return "The persistence unit '" + name + "'";
    }

    private LockException told(RuntimeException failure) {
        // The unit has settings of its own, which nobody here knows: then any URL may have a password in it.
        List<String> secrets = Stream.concat(PersistenceUnit.secrets(properties).stream(), Stream.of("jdbc:"))
                .toList();
        DatabaseFailures failures = PersistenceUnit.failures(place(), secrets);
        return Transactions.sqlException(failure)
                .<LockException>map(refused -> failures.of("opening", refused))
                .orElseGet(() -> malformed(failure, failures.tellsSecrets(failure)));
    }

    private LockConfigurationException malformed(RuntimeException failure, boolean tellsSecrets) {
        String words = innermostWords(failure);
        // The standard class's own words, when it has asked all providers and none knows the unit.
        if (words.startsWith("No Persistence provider for EntityManager")) {
            return new LockConfigurationException(
                    "There is no persistence unit '" + name + "'; allowed is the name of one in a"
                            + " META-INF/persistence.xml of the class path, without a <provider> or with the one that is there",
                    failure);
        }
        if (words.startsWith("Unable to determine Dialect")) {
            // Hibernate goes on without a connection, and asks for a setting that nobody needs who has one.
            return new LockConfigurationException(place()
                    + " could not be opened: it could not connect; needed are a URL (jakarta.persistence.jdbc.url) or a data"
                    + " source, and the artifact of the database's driver");
        }
        String message = place() + " could not be opened";
        return tellsSecrets
                ? new LockConfigurationException(message + "; needed is a persistence.xml that is in order")
                : new LockConfigurationException(message + ": " + words, failure);
    }

    /** The first reason that has words, which is behind several that only say what could not be made of it. */
    private static String innermostWords(Throwable failure) {
        String words = "";
        for (Throwable each = failure; each != null; each = each.getCause()) {
            words = each.getMessage() == null ? words : each.getMessage();
        }
        return words;
    }
}
