package io.holdfast.lock.jdbc;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.parts.WholeLog;
import io.holdfast.servers.TcpProxy;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log is read by more people than a password. */
class SecretsInTheLogTest {

    private static final String PASSWORD = "sEcr3t-0f-the-server";

    /** The server demands no password, and is sent one all the same. */
    @Test
    void aLockThatIsWaitedForAndLostInAnOutageLogsNoPassword() throws InterruptedException {
        URI shared = URI.create(Databases.SharedPostgreSql.URL.substring("jdbc:".length()));
        LockOptions brief = LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(1_500));
        try (WholeLog log = WholeLog.begin();
                TcpProxy proxy = TcpProxy.to(shared.getHost(), shared.getPort())) {
            String url = Databases.SharedPostgreSql.URL.replace(":" + shared.getPort(), ":" + proxy.port());
            try (LockClient client = LockClient.builder(url + "&password=" + PASSWORD)
                    .property("timeout", "1s")
                    .property("connectTimeout", "1s")
                    .build()) {
                LockHandle held = client.lock("secret", brief).acquire();
                assertThat(client.lock("secret")
                                .tryAcquireAsync(Duration.ofMillis(50))
                                .join())
                        .isEmpty();
                proxy.refuse();
                proxy.reset();
                log.add(catchThrowable(() -> client.lock("other").tryAcquire()));
                soon().until(() -> log.text().contains("Lost the lock 'secret'"));
                log.add(catchThrowable(held::close));
                // Else the close would go on trying for ten seconds.
                proxy.accept();
            }

            assertThat(log.text())
                    .contains("Granted the lock", "Waiting for", "A renewal failed", "Caused by: ")
                    .doesNotContain(PASSWORD);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql"})
    @NeedsMariaDb
    void aRefusedLogInLogsNoPassword(String driver) {
        String url = Databases.SharedMariaDb.URL.replace("jdbc:mariadb:", "jdbc:" + driver + ":");
        try (WholeLog log = WholeLog.begin();
                JdbcLockProvider provider = Databases.at(url, Map.of("user", "nobody", "password", PASSWORD))) {
            log.add(catchThrowable(() -> provider.holder("a")));

            assertThat(log.text()).contains("log-in was refused").doesNotContain(PASSWORD);
        }
    }
}
