package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.Version;
import org.junit.jupiter.api.Test;

/** Run only with a Hibernate that is too old: hence no test name. */
class TooOldHibernate {

    @Test
    void tooOldVersionIsRefused() {
        try (EntityManagerFactory factory = JpaUnits.opened("locks", JpaUnits.pool(Databases.SharedH2.URL))) {
            assertThatThrownBy(() -> JpaLockProvider.over(factory).build())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("Hibernate " + Version.getVersionString() + ", which is too old")
                    .hasMessageContaining("6.6 or newer");
        }
        assertThatThrownBy(() -> LockClient.builder("jpa:locks")
                        .property("jakarta.persistence.jdbc.url", Databases.SharedH2.URL)
                        .build())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(System.getProperty("line.version"));
    }
}
