package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.junit.jupiter.api.Test;

/** Hibernate's own bridge to HikariCP. Run only with its artifact: hence no test name. */
class HikariBridge {

    @Test
    void poolMadeByHibernateWorks() throws InterruptedException {
        String url = Databases.SharedH2.URL;
        Map<String, String> settings =
                Map.of("jakarta.persistence.jdbc.url", url, "hibernate.hikari.connectionTimeout", "4321");
        try (EntityManagerFactory factory = Persistence.createEntityManagerFactory("locks", settings);
                JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
            DataSource pool = factory.unwrap(SessionFactoryImplementor.class)
                    .getServiceRegistry()
                    .requireService(ConnectionProvider.class)
                    .unwrap(DataSource.class);
            assertThat(pool)
                    .isInstanceOfSatisfying(
                            HikariDataSource.class,
                            hikari -> assertThat(hikari.getConnectionTimeout()).isEqualTo(4_321));
            LifeOfALock.byTheProvider(provider, url);
            LifeOfALock.byClients(() -> JpaLockProvider.over(factory).build(), url);
        }
    }
}
