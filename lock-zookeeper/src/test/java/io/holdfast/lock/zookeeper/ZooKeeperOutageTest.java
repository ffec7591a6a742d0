package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.OutageOfAClient;
import io.holdfast.parts.Proves;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The result of each call while the whole ensemble is down, and afterwards. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("server")
class ZooKeeperOutageTest {

    private static final Duration BOUND = Duration.ofSeconds(30);

    private final ZooKeeperServer server = ZooKeeperServer.start();
    private final OutageOfAClient outage = new OutageOfAClient();
    private final LockClient holding = LockClient.builder(ZooKeeperProviders.at(
                    "zookeeper://" + ZooKeeperProviders.amongOthers(server.port()) + "/a?sessionTimeout=2m"))
            .build();
    private final LockClient waiting = LockClient.builder(
                    ZooKeeperProviders.on(server, "/a?sessionTimeout=6s&connectTimeout=500ms"))
            .listener(outage)
            .build();

    @BeforeEach
    void connect() {
        // On a slow machine that takes longer than the time-outs of the outage.
        answered().until(() -> holding.holder("a").isEmpty());
        answered().until(() -> waiting.holder("a").isEmpty());
    }

    @AfterEach
    void close() {
        waiting.close();
        holding.close();
        server.close();
    }

    private static <T> T within(CompletableFuture<T> future) {
        return future.orTimeout(BOUND.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    @Proves({"1.6", "9.5"})
    @Test
    void whileTheServerIsStoppedCallsFailAndHandlesStayValid() throws InterruptedException {
        outage.play(holding, waiting, server::pause, server::resume);
    }

    @Proves({"1.6", "9.5"})
    @Test
    void whileTheServerIsGoneCallsFailAndHandlesStayValid() throws InterruptedException {
        outage.play(holding, waiting, server::kill, server::restart);
    }

    @Proves("7.2")
    @Test
    void outageWithinTheConnectTimeoutEndsNoWait() throws InterruptedException {
        LockHandle held = holding.lock("a").acquire();
        try (LockClient patient = LockClient.builder(
                        ZooKeeperProviders.on(server, "/a?sessionTimeout=6s&connectTimeout=30s"))
                .listener(outage)
                .build()) {
            List<CompletableFuture<LockHandle>> waiters = outage.waiters(patient);

            server.kill();
            server.restart();

            answered().until(held::release, released -> true);
            waiters.forEach(waiter -> within(waiter).close());
        }
    }

    @Test
    void releaseThatFailsInAnOutageIsRepeatedAfterIt() throws InterruptedException {
        LockHandle held = holding.lock("a").acquire();
        server.kill();

        assertThatThrownBy(held::release).isInstanceOf(LockStoreException.class);

        server.restart();
        answered().until(() -> waiting.holder("a").isEmpty());
    }
}
