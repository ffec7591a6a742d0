package io.holdfast.lock.jdbc;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.parts.WholeLog;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log must not contain a password. */
@Tag("server")
class JdbcSecretsInTheLogTest {

    private static final String PASSWORD = "sEcr3t-0f-the-server";

    /** The server demands no password, but is sent one. */
    @Test
    void outageLogsNoPassword() throws InterruptedException {
        assertNoPasswordIsLogged(url -> LockClient.builder(url + "&password=" + PASSWORD)
                .property("connectTimeout", "1s")
                .build());
    }

    @Test
    void outageLogsNoPasswordByJpa() throws InterruptedException {
        assertNoPasswordIsLogged(
                url -> LockClient.builder(JpaUnits.uri(url + "&password=" + PASSWORD, Strategy.PESSIMISTIC))
                        .property("jakarta.persistence.jdbc.password", PASSWORD)
                        .build());
    }

    private static void assertNoPasswordIsLogged(Function<String, LockClient> clients) throws InterruptedException {
        LockOptions options = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(9));
        String name = "secret-" + UUID.randomUUID();
        try (WholeLog log = WholeLog.begin();
                ProxiedDatabase proxied = ProxiedDatabase.of(Databases.SharedPostgreSql.URL)) {
            try (LockClient client = clients.apply(proxied.url())) {
                // The first attempt of a unit may take long.
                client.lock(name).acquire().close();
                LockHandle held = client.lock(name, options).acquire();
                assertThat(client.lock(name)
                                .tryAcquireAsync(Duration.ofMillis(50))
                                .join())
                        .isEmpty();
                proxied.proxy().refuse();
                proxied.proxy().reset();
                log.add(catchThrowable(() -> client.lock("other").tryAcquire()));
                soon().until(() -> log.text().contains("Lost the lock '" + name + "'"));
                log.add(catchThrowable(held::close));
                // Otherwise close() would retry for ten seconds.
                proxied.proxy().accept();
            }

            assertThat(log.text())
                    .contains("Granted the lock", "Waiting for", "A renewal of the lock", "Caused by: ")
                    .doesNotContain(PASSWORD);
        }
    }

    @Test
    void refusedLogInByJpaLogsNoPassword() {
        try (WholeLog log = WholeLog.begin()) {
            log.add(catchThrowable(() -> LockClient.builder(JpaUnits.uri(Databases.SharedH2.URL, Strategy.PESSIMISTIC))
                    .property("jakarta.persistence.jdbc.user", "nobody")
                    .property("jakarta.persistence.jdbc.password", PASSWORD)
                    .build()));

            assertThat(log.text()).contains("log-in was refused").doesNotContain(PASSWORD);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    @NeedsMariaDb
    void refusedLogInLogsNoPassword(String driver) {
        String url = Databases.SharedMariaDb.URL.replace("jdbc:mariadb:", "jdbc:" + driver + ":");
        try (WholeLog log = WholeLog.begin();
                JdbcLockProvider provider = Databases.at(url, Map.of("user", "nobody", "password", PASSWORD))) {
            log.add(catchThrowable(() -> provider.holder("a")));

            assertThat(log.text()).contains("log-in was refused").doesNotContain(PASSWORD);
        }
    }
}
