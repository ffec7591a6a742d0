package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.jpa.JpaSweeping;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of the entity, the source of the tokens, and that they belong together. */
class JpaTablesTest {

    private static final String MISMATCH = "the entity of the locks is mapped to another table than 'holdfast_lock'";

    private final String name = "name-" + UUID.randomUUID();

    private static String ownDatabase(String like) {
        String url = like.contains("postgresql") ? Databases.newPostgreSql() : Databases.h2();
        Databases.createTable(url);
        return url;
    }

    private static String count(String url, String table) {
        return Databases.ask(url, "SELECT count(*) FROM " + table);
    }

    @Proves("6.1")
    @ParameterizedTest
    @EnumSource
    void tableOtherThanTheOptionsIsRefused(Strategy strategy) {
        String url = ownDatabase("h2");
        Databases.run(url, "CREATE SCHEMA shop");
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = JpaUnits.opened("shop", pool);
                JdbcLockProvider jdbc = Databases.at(url, "table", "shop.shop_lock", "createTable", "true");
                JpaLockProvider forgotten =
                        JpaLockProvider.over(factory).strategy(strategy).build()) {
            assertThat(jdbc.holder(name)).isEmpty();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(TestClaim.once(forgotten, name)::granted)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("acquire of lock '" + name + "'")
                        .hasMessageContaining(MISMATCH);
            }
            assertThat(count(url, "shop.shop_lock")).isEqualTo("0");
            // An existing row is taken over by the entity itself.
            assertThat(TestClaim.once(jdbc, name).granted()).isTrue();
            Databases.run(url, "UPDATE shop.shop_lock SET expires_at = CURRENT_TIMESTAMP - INTERVAL '1' SECOND");
            assertThatThrownBy(TestClaim.once(forgotten, name)::granted).hasMessageContaining(MISMATCH);
            // A row of this name in the option's table belongs to another client and proves nothing.
            try (JdbcLockProvider there = Databases.at(url)) {
                assertThat(TestClaim.once(there, name).granted()).isTrue();
                assertThatThrownBy(TestClaim.once(forgotten, name)::granted).hasMessageContaining(MISMATCH);
            }
        }
    }

    @Proves("6.1")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#urls")
    @Tag("server")
    void defaultSchemaOtherThanTheOptionsIsRefused(String like) {
        String url = ownDatabase(like);
        Databases.run(url, "CREATE SCHEMA other");
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = Persistence.createEntityManagerFactory(
                        "locks",
                        Map.of("jakarta.persistence.nonJtaDataSource", pool, "hibernate.default_schema", "other"));
                JdbcLockProvider jdbc = Databases.at(url, "table", "other.holdfast_lock", "createTable", "true");
                JpaLockProvider forgotten = JpaLockProvider.over(factory).build();
                JpaLockProvider configured = JpaLockProvider.over(factory)
                        .table("other.holdfast_lock")
                        .build()) {
            assertThat(jdbc.holder(name)).isEmpty();
            assertThatThrownBy(TestClaim.once(forgotten, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining(MISMATCH);
            assertThat(count(url, "other.holdfast_lock")).isEqualTo("0");
            TestClaim holder = TestClaim.once(configured, name);
            assertThat(holder.granted()).isTrue();
            assertThat(holder.held()).isTrue();
            assertThat(configured.holder(name)).isPresent();
            assertThat(holder.released()).isTrue();
        }
    }

    /** The row has to be written before the table is searched for it. */
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    @Tag("server")
    void firstGrantByTakeoverFindsItsTable(String url, Strategy strategy) {
        try (JdbcLockProvider jdbc = Databases.at(url);
                JpaLockProvider provider = JpaUnits.at(url, strategy)) {
            assertThat(TestClaim.once(jdbc, name).granted()).isTrue();
            Databases.expire(url, name, Duration.ofSeconds(1));
            TestClaim next = TestClaim.once(provider, name);
            assertThat(next.granted()).isTrue();
            assertThat(next.released()).isTrue();
        }
    }

    @Test
    void missingTokenRowIsReportedInH2() {
        String url = ownDatabase("h2");
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
            Databases.run(url, "DELETE FROM holdfast_lock_token");
            assertThatThrownBy(TestClaim.once(provider, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("the row that tokens come from is missing: run the shipped script again");
            Databases.createTable(url);
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
        }
    }

    @Proves("6.1")
    @Test
    void tokensKeepGrowingAfterTheirRowIsResetInH2() {
        String url = ownDatabase("h2");
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
            TestClaim first = TestClaim.once(provider, name);
            long token = first.token();
            assertThat(first.released()).isTrue();
            Databases.run(url, "UPDATE holdfast_lock_token SET token = 0");
            assertThat(TestClaim.once(provider, name).token()).isGreaterThan(token);
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#urls")
    @Tag("server")
    void releaseSweepsSometimes(String like) {
        String url = ownDatabase(like);
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                JpaLockProvider provider = JpaSweeping.always(factory)) {
            assertThat(TestClaim.once(provider, name + "-old").granted()).isTrue();
            Databases.expire(url, name + "-old", Duration.ofMinutes(2));
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            assertThat(count(url, "holdfast_lock")).isEqualTo("2");
            assertThat(holder.released()).isTrue();
            assertThat(count(url, "holdfast_lock")).isEqualTo("0");
        }
    }
}
