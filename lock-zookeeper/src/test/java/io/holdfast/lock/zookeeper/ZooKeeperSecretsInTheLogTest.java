package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.WholeLog;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A log is read by more people than a password. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("the log")
@Tag("server")
class ZooKeeperSecretsInTheLogTest {

    private static final String PASSWORD = "sEcr3t-0f-the-client";
    private static final String WRONG = "sEcr3t-0f-another";

    /** For an outage. */
    private static final String BRIEF = "?sessionTimeout=6s&connectTimeout=500ms";

    private static final String PATIENT = "?sessionTimeout=1m&connectTimeout=20s";

    private final ZooKeeperServer server = ZooKeeperServer.start();
    private final String uri = "zookeeper://" + server.host() + ":" + server.port() + "/a";

    private LockClient inTheUri(String timeOuts, String password) {
        return LockClient.connect(uri + timeOuts + "&user=ann&password=" + password);
    }

    private LockClient asProperties(String timeOuts, String password) {
        return LockClient.builder(uri + timeOuts)
                .property("user", "ann")
                .property("password", password)
                .build();
    }

    @Test
    void outageLogsNoPassword() throws InterruptedException {
        try (server;
                WholeLog log = WholeLog.begin();
                LockClient client = inTheUri(BRIEF, PASSWORD);
                LockClient other = asProperties(BRIEF, PASSWORD)) {
            // On a slow machine they connect later than within their time-out.
            answered().until(() -> client.holder("secret").isEmpty());
            answered().until(() -> other.holder("secret-too").isEmpty());
            LockHandle held = client.lock("secret").acquire();
            LockHandle another = other.lock("secret-too").acquire();
            assertThat(client.lock("secret")
                            .tryAcquireAsync(Duration.ofMillis(50))
                            .join())
                    .isEmpty();
            server.kill();
            log.add(catchThrowable(() -> client.lock("other").tryAcquire()));
            log.add(catchThrowable(() -> other.lock("other").tryAcquire()));
            soon().until(() ->
                    log.text().contains("Lost the lock 'secret'") && log.text().contains("Lost the lock 'secret-too'"));
            log.add(catchThrowable(held::close));
            log.add(catchThrowable(another::close));
            // The first contact of a client fails for another reason than a later one.
            try (LockClient late = asProperties(BRIEF, PASSWORD)) {
                log.add(catchThrowable(() -> late.lock("other").tryAcquire()));
            }
            // Else the close would go on trying for ten seconds.
            server.restart();

            assertThat(log.text())
                    .contains("Granted the lock", "Waiting for", "A renewal of the lock", "refused", "Caused by: ")
                    .doesNotContain(PASSWORD);
        }
    }

    /**
     * The server takes any password, and a wrong one makes another client of it, which has no right to the nodes of the first.
     */
    @Test
    void wrongPasswordIsRefusedAndNotLogged() throws InterruptedException {
        try (server;
                WholeLog log = WholeLog.begin();
                LockClient client = asProperties(PATIENT, PASSWORD);
                LockClient inTheUri = inTheUri(PATIENT, WRONG);
                LockClient asProperties = asProperties(PATIENT, WRONG);
                LockHandle held = client.lock("secret").acquire()) {
            log.add(catchThrowable(() -> inTheUri.lock("secret").tryAcquire()));
            log.add(catchThrowable(() -> asProperties.lock("secret").tryAcquire(Duration.ofSeconds(1))));
            log.add(catchThrowable(() -> asProperties.holder("secret")));
            assertThat(held.isHeld()).isTrue();

            assertThat(log.text()).contains("NoAuth").doesNotContain(PASSWORD, WRONG);
        }
    }
}
