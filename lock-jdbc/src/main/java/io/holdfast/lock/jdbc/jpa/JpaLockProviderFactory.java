package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Objects;
import java.util.Set;

/**
 * Creates the providers of {@code jpa:} URIs, which name a persistence unit. The page on the JPA backend lists the
 * parameters.
 *
 * <p>This class can be loaded without JPA.
 */
public final class JpaLockProviderFactory implements LockProviderFactory {

    private static final String JPA = "jakarta.persistence.Persistence";

    /** For {@link java.util.ServiceLoader}. */
    public JpaLockProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of("jpa");
    }

    /**
     * Opens the persistence unit, which may connect.
     *
     * @throws LockConfigurationException also if JPA is missing
     */
    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(parameters, "parameters");
        requireJpa();
        return JpaSettings.of(uri, parameters).open();
    }

    private static void requireJpa() {
        try {
            Class.forName(JPA, false, JpaLockProviderFactory.class.getClassLoader());
        } catch (ClassNotFoundException missing) {
            throw new LockConfigurationException("The scheme 'jpa' needs " + UnitRequirements.HIBERNATE, missing);
        }
    }
}
