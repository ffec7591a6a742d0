package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import jakarta.persistence.SharedCacheMode;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks stay out of a unit's second-level cache. */
class JpaCacheTest {

    private final String name = "name-" + UUID.randomUUID();

    private static EntityManagerFactory cached(HikariDataSource pool, SharedCacheMode mode) {
        return Persistence.createEntityManagerFactory(
                "shop",
                Map.of(
                        "jakarta.persistence.nonJtaDataSource",
                        pool,
                        "jakarta.persistence.sharedCache.mode",
                        mode,
                        "hibernate.cache.use_second_level_cache",
                        "true",
                        "hibernate.cache.region.factory_class",
                        KeptRegions.class.getName()));
    }

    /** All operations that read or write rows, takeovers included. */
    private void useLocks(String url, JpaLockProvider provider) {
        TestClaim first = TestClaim.once(provider, name);
        assertThat(first.granted()).isTrue();
        assertThat(first.held()).isTrue();
        assertThat(provider.holder(name)).isPresent();
        Databases.run(url, "UPDATE shop.shop_lock SET expires_at = CURRENT_TIMESTAMP - INTERVAL '1' SECOND");
        TestClaim second = TestClaim.once(provider, name);
        assertThat(second.granted()).isTrue();
        assertThat(second.granted()).isTrue();
        assertThat(second.held()).isTrue();
        assertThat(second.released()).isTrue();
    }

    private static void useSales(EntityManagerFactory factory) {
        try (EntityManager application = factory.createEntityManager()) {
            application.getTransaction().begin();
            Sale sale = new Sale("bread");
            application.persist(sale);
            application.getTransaction().commit();
            application.clear();
            assertThat(application.find(Sale.class, sale.id())).isNotNull();
        }
    }

    private void assertOnlySalesAreCached(SharedCacheMode mode, Strategy strategy) {
        String url = Databases.h2();
        Databases.run(url, "CREATE SCHEMA shop");
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = cached(pool, mode);
                JpaLockProvider provider = JpaLockProvider.over(factory)
                        .table("shop.shop_lock")
                        .strategy(strategy)
                        .build();
                JdbcLockProvider jdbc = Databases.at(url, "table", "shop.shop_lock", "createTable", "true")) {
            assertThat(jdbc.holder(name)).isEmpty();
            useLocks(url, provider);
            useSales(factory);
            assertThat(KeptRegions.PUT)
                    .isNotEmpty()
                    .allSatisfy(key -> assertThat(key).startsWith(Sale.class.getName() + "#"));
        }
    }

    @Proves("1.8")
    @ParameterizedTest
    @EnumSource
    void cacheOfAllEntitiesKeepsNoLock(Strategy strategy) {
        assertOnlySalesAreCached(SharedCacheMode.ALL, strategy);
        assertThat(KeptRegions.ENTITIES).contains("io.holdfast.lock.jdbc.jpa.LockRecord");
    }

    @ParameterizedTest
    @EnumSource
    void selectiveCacheHasNoRegionForLocks(Strategy strategy) {
        assertOnlySalesAreCached(SharedCacheMode.DISABLE_SELECTIVE, strategy);
        assertThat(KeptRegions.ENTITIES).containsExactly(Sale.class.getName());
    }
}
