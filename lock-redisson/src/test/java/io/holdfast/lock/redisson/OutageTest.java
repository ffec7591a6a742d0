package io.holdfast.lock.redisson;

import io.holdfast.lock.LockClient;
import io.holdfast.parts.OutageOfAClient;
import io.holdfast.parts.Proves;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RedissonClient;

/** The result of each call while the server is away, and afterwards: with a client of a URI, and over a given one. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("server")
class OutageTest {

    /** Where the client of the waiters' provider comes from. */
    private enum Client {
        OWN,
        GIVEN
    }

    private final OutageOfAClient outage = new OutageOfAClient();

    private void whatEachCallComesTo(RedisServer server, Client client, Runnable begin, Runnable end)
            throws InterruptedException {
        String uri = "redisson://" + server.host() + ":" + server.port();
        if (client == Client.OWN) {
            try (LockClient waiting =
                    LockClient.builder(uri + "?timeout=1s").listener(outage).build()) {
                whatEachCallComesTo(uri, waiting, begin, end);
            }
            return;
        }
        RedissonClient redisson = Redissons.on(server);
        try (LockClient waiting = LockClient.builder(RedissonLockProvider.over(redisson)
                        .timeout(Duration.ofSeconds(1))
                        .build())
                .listener(outage)
                .build()) {
            whatEachCallComesTo(uri, waiting, begin, end);
        } finally {
            redisson.shutdown();
        }
    }

    private void whatEachCallComesTo(String uri, LockClient waiting, Runnable begin, Runnable end)
            throws InterruptedException {
        try (LockClient holding = LockClient.connect(uri + "?lease=1m")) {
            outage.play(holding, waiting, begin, end);
        }
    }

    @Proves({"1.6", "9.5"})
    @ParameterizedTest
    @EnumSource
    void whileTheServerIsStoppedCallsFailAndHandlesStayValid(Client client) throws InterruptedException {
        try (RedisServer server = RedisServer.start()) {
            whatEachCallComesTo(server, client, server::pause, server::resume);
        }
    }

    @Proves({"1.6", "9.5"})
    @ParameterizedTest
    @EnumSource
    void whileTheServerIsGoneCallsFailAndHandlesStayValid(Client client) throws InterruptedException {
        // A killed process loses nothing that is in the kernel's hands, and no call waits for a busy disk.
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "no")) {
            whatEachCallComesTo(server, client, server::kill, server::restart);
        }
    }
}
