package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.parts.TestClaim;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A unit without a {@code persistence.xml}, as Jakarta Persistence 3.2 has it. */
class JpaConfigurationTest {

    @Test
    void unitMadeByAProgramGetsTheEntityFromTheProvider() {
        String name = "name-" + UUID.randomUUID();
        PersistenceConfiguration unit = new PersistenceConfiguration("made-by-a-program")
                .managedClass(JpaLockProvider.entityClass())
                .property(PersistenceConfiguration.JDBC_URL, Databases.newH2());
        try (EntityManagerFactory factory = unit.createEntityManagerFactory();
                JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            assertThat(TestClaim.once(provider, name).granted()).isFalse();
            assertThat(holder.released()).isTrue();
        }
    }
}
