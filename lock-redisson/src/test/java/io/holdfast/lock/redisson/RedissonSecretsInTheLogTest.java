package io.holdfast.lock.redisson;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.parts.WholeLog;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A log is read by more people than a password. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("the log")
@Tag("server")
class RedissonSecretsInTheLogTest {

    private static final String PASSWORD = "sEcr3t-0f-the-server";
    private static final String WRONG = "sEcr3t-0f-another";

    private static RedisServer start() {
        return RedisServer.start("--requirepass", PASSWORD, "--user", "ann", "on", ">" + PASSWORD, "~*", "&*", "+@all");
    }

    private static void tryTo(LockClient client, WholeLog log) {
        log.add(catchThrowable(() -> client.lock("secret-b").tryAcquire()));
    }

    @Test
    void outageLogsNoPassword() {
        LockOptions brief = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(4));
        try (WholeLog log = WholeLog.begin();
                RedisServer server = start()) {
            String uri = "redisson://ann:" + PASSWORD + "@127.0.0.1:" + server.port() + "?timeout=500ms";
            try (LockClient client = LockClient.connect(uri)) {
                // The first call of a JVM may take longer than the lease.
                LockHandle held = answered()
                        .until(() -> client.lock("secret-a", brief).tryAcquire(), Optional::isPresent)
                        .orElseThrow();
                assertThat(client.lock("secret-a")
                                .tryAcquireAsync(Duration.ofMillis(50))
                                .join())
                        .isEmpty();
                server.kill();
                tryTo(client, log);
                soon().until(() -> log.text().contains("Lost the lock 'secret-a'"));
                log.add(catchThrowable(held::close));
                // The first connection of a client fails for another reason than later ones.
                try (LockClient late = LockClient.connect(uri)) {
                    tryTo(late, log);
                }
                // Otherwise the close would retry for ten seconds.
                server.restart();
            }

            assertThat(log.text())
                    .contains(
                            "Granted the lock",
                            "Waiting for",
                            "A renewal of the lock",
                            "cannot connect (",
                            "Caused by: ")
                    .doesNotContain(PASSWORD);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ann"})
    void refusedLogInLogsNoPassword(String user) {
        try (WholeLog log = WholeLog.begin();
                RedisServer server = start();
                LockClient refused =
                        LockClient.connect("redisson://" + user + ":" + WRONG + "@127.0.0.1:" + server.port())) {
            tryTo(refused, log);

            assertThat(log.text()).contains("WRONGPASS").doesNotContain(WRONG, PASSWORD);
        }
    }

    @Test
    void refusedLogInOfAGivenClientLogsNoPassword() {
        try (WholeLog log = WholeLog.begin();
                RedisServer server = start()) {
            Config config = Redissons.config(server.port());
            // Otherwise making the client connects, and fails.
            config.setLazyInitialization(true);
            // Otherwise the client retries to connect for longer than the call waits.
            config.useSingleServer().setRetryAttempts(0);
            RedissonVersion.set(config, "setPassword", WRONG);
            RedissonClient redisson = Redisson.create(config);
            try (LockClient refused = LockClient.builder(
                            RedissonLockProvider.over(redisson).build())
                    .build()) {
                tryTo(refused, log);

                assertThat(log.text()).contains("WRONGPASS").doesNotContain(WRONG, PASSWORD);
            } finally {
                redisson.shutdown();
            }
        }
    }
}
