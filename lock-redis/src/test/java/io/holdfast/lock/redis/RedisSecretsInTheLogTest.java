package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.parts.WholeLog;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A log is read by more people than a password. */
@Tag("server")
@ResourceLock("the log")
class RedisSecretsInTheLogTest {

    private static final String PASSWORD = "sEcr3t-0f-the-server";
    private static final String WRONG = "sEcr3t-0f-another";

    @Test
    void outageLogsNoPassword() throws InterruptedException {
        LockOptions brief = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(3));
        try (WholeLog log = WholeLog.begin();
                RedisServer server = RedisServer.start("--requirepass", PASSWORD)) {
            String address = "@127.0.0.1:" + server.port() + "?timeout=1s";
            try (LockClient refused = LockClient.connect("redis://:" + WRONG + address)) {
                log.add(catchThrowable(() -> refused.lock("secret-a").tryAcquire()));
            }
            try (LockClient client = LockClient.connect("redis://:" + PASSWORD + address)) {
                LockHandle held = client.lock("secret-a", brief).acquire();
                assertThat(client.lock("secret-a")
                                .tryAcquireAsync(Duration.ofMillis(50))
                                .join())
                        .isEmpty();
                server.kill();
                log.add(catchThrowable(() -> client.lock("secret-b").tryAcquire()));
                soon().until(() -> log.text().contains("Lost the lock 'secret-a'"));
                log.add(catchThrowable(held::close));
                // Otherwise the close would retry for ten seconds.
                server.restart();
            }

            assertThat(log.text())
                    .contains("WRONGPASS", "Granted the lock", "Waiting for", "A renewal of the lock", "Caused by: ")
                    .doesNotContain(PASSWORD, WRONG);
        }
    }
}
