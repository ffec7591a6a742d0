package io.holdfast.lock.jdbc.jpa;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions of Hibernate. */
class UnitRequirementsTest {

    private final EntityManagerFactory factory = new PersistenceConfiguration("of-any-version")
            .property(PersistenceConfiguration.JDBC_URL, "jdbc:h2:mem:")
            .createEntityManagerFactory();
    private final UnitRequirements requirements = new UnitRequirements("The unit", factory);

    @AfterEach
    void end() {
        factory.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.6.15.Final", "5.10.0.Final", "6.0.0.Final", "6.5.3.Final"})
    void olderVersionsAreRefused(String version) {
        assertThatThrownBy(() -> requirements.requireVersion(version))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage(
                        "The unit is of Hibernate " + version + ", which is too old; needed is Hibernate 6.6 or newer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.6.0.Final", "6.10.1.Final", "7.0.0.Beta1", "10.0.0.Final", "[WORKING]"})
    void newerAndUnnumberedVersionsAreAccepted(String version) {
        assertThatCode(() -> requirements.requireVersion(version)).doesNotThrowAnyException();
    }
}
