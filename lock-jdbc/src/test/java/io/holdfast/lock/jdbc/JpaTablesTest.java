package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaSweeping;
import io.holdfast.parts.Bidder;
import io.holdfast.parts.Proves;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of the entity, what the tokens come from. */
class JpaTablesTest {

    private final String name = "name-" + UUID.randomUUID();

    private static String ownDatabase(String like) {
        String url = like.contains("postgresql") ? Databases.newPostgreSql() : Databases.h2();
        Databases.createTable(url);
        return url;
    }

    private static String count(String url, String table) {
        return Databases.ask(url, "SELECT count(*) FROM " + table);
    }

    @Test
    void aMissingRowOfTokensIsNamedInH2() {
        String url = ownDatabase("h2");
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
            Databases.run(url, "DELETE FROM holdfast_lock_token");
            assertThatThrownBy(Bidder.once(provider, name)::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("the row that tokens come from is missing: run the shipped script again");
            Databases.createTable(url);
            assertThat(Bidder.once(provider, name).granted()).isTrue();
        }
    }

    @Proves("6.1")
    @Test
    void tokensGrowOnWhereTheirRowBeginsAnewInH2() {
        String url = ownDatabase("h2");
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                JpaLockProvider provider = JpaLockProvider.over(factory).build()) {
            Bidder first = Bidder.once(provider, name);
            long token = first.token();
            assertThat(first.released()).isTrue();
            Databases.run(url, "UPDATE holdfast_lock_token SET token = 0");
            assertThat(Bidder.once(provider, name).token()).isGreaterThan(token);
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#urls")
    void aReleaseIsFollowedByASweepNowAndThen(String like) {
        String url = ownDatabase(like);
        try (HikariDataSource pool = JpaUnits.pool(url);
                EntityManagerFactory factory = JpaUnits.opened("locks", pool);
                JpaLockProvider provider = JpaSweeping.provider(factory)) {
            assertThat(Bidder.once(provider, name + "-old").granted()).isTrue();
            Databases.expire(url, name + "-old", Duration.ofMinutes(2));
            Bidder holder = Bidder.once(provider, name);
            assertThat(holder.granted()).isTrue();
            assertThat(count(url, "holdfast_lock")).isEqualTo("2");
            assertThat(holder.released()).isTrue();
            assertThat(count(url, "holdfast_lock")).isEqualTo("0");
        }
    }
}
