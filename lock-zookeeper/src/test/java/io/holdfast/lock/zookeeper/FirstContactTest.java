package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.ZooKeeperEnsemble;
import io.holdfast.servers.ZooKeeperServer;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a client reports of servers with which it never had a session. */
@Tag("full")
@Tag("server")
class FirstContactTest {

    private static AbstractThrowableAssert<?, ? extends Throwable> failureAt(String servers) {
        return failureAt(servers, FirstContactTest::isInTime);
    }

    /** For a reason that a server has to give: a machine that stands still meanwhile looks like a silent server. */
    private static void assertFails(String servers, String reason) {
        failureAt(servers, failure -> failure.toString().contains(reason));
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> failureAt(
            String servers, Predicate<Throwable> asExpected) {
        try (ZooKeeperLockProvider provider =
                ZooKeeperProviders.at("zookeeper://" + servers + "?connectTimeout=300ms")) {
            TestClaim claim = TestClaim.once(provider, "l");
            Throwable failure = soon().until(() -> catchThrowable(claim::granted), asExpected);
            return assertThat(failure)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("not connected to " + servers + " within 300 ms: ");
        }
    }

    /** Not if this machine stood still while a server was asked for its reason, for which there is a second. */
    private static boolean isInTime(Throwable failure) {
        return !failure.toString().contains("was not resolved in time");
    }

    @Test
    void anUnknownHostIsNamed() {
        failureAt("nohost.invalid:2181")
                .hasMessageContaining("nohost.invalid:2181: the host is unknown")
                .hasCauseInstanceOf(UnknownHostException.class);
    }

    @Test
    void aRefusedPortIsNamed() {
        String server = "127.0.0.1:" + RedisServer.freePort();

        failureAt(server)
                .hasMessageContaining(server + ": cannot connect (Connection refused")
                .hasCauseInstanceOf(ConnectException.class);
    }

    @Test
    void otherServiceBehindThePortIsReported() {
        try (RedisServer redis = RedisServer.start()) {
            assertFails("127.0.0.1:" + redis.port(), "what answers there is not ZooKeeper");
        }
    }

    @Test
    void aPortThatIsSilentIsNamed() {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            server.pause();
            failureAt("127.0.0.1:" + server.port()).hasMessageContaining("connected, but nothing answers");
        }
    }

    @Test
    void silentServerDoesNotHideTheReasonOfTheNext() {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            server.pause();
            String refused = "127.0.0.1:" + RedisServer.freePort();

            failureAt("127.0.0.1:" + server.port() + "," + refused)
                    .hasMessageContaining(server.port() + ": connected, but nothing answers; " + refused)
                    .hasMessageContaining(refused + ": cannot connect (Connection refused");
        }
    }

    @Test
    void manyCallersAskASilentServerOnce() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port())) {
            server.pause();
            ConnectionDiagnosis diagnosis = new ConnectionDiagnosis();
            long begun = System.nanoTime();
            List<CompletableFuture<LockStoreException>> callers = Stream.generate(() -> CompletableFuture.supplyAsync(
                            () -> diagnosis.failure("not connected", "127.0.0.1:" + proxy.port()),
                            task -> new Thread(task).start()))
                    .limit(20)
                    .toList();

            for (CompletableFuture<LockStoreException> caller : callers) {
                assertThat(caller.get(Waits.FAULT_BOUND.toSeconds(), TimeUnit.SECONDS))
                        .hasMessageContaining("127.0.0.1:" + proxy.port() + ": ");
            }
            // An answer is shared for a second, and all come within one unless the machine stands still.
            long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
            assertThat(proxy.accepted()).isLessThanOrEqualTo(1 + seconds);
        }
    }

    @Test
    void serverWithoutAMajorityIsReportedAsZooKeeper() {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            ensemble.members().stream().skip(1).forEach(ZooKeeperServer::kill);
            ZooKeeperServer left = ensemble.members().get(0);
            soon().until(() -> left.mode().isEmpty());
            String alone = "127.0.0.1:" + left.port();

            assertFails(alone, alone + ": ZooKeeper answers that it is not serving requests");
        }
    }

    @Test
    void eachServerIsReportedWithItsReason() {
        String refused = "127.0.0.1:" + RedisServer.freePort();

        failureAt("nohost.invalid:1," + refused)
                .hasMessageContainingAll("nohost.invalid:1: the host is unknown; ", refused + ": cannot connect (")
                .hasCauseInstanceOf(UnknownHostException.class)
                .satisfies(
                        failure -> assertThat(failure.getSuppressed()).hasOnlyElementsOfType(ConnectException.class));
    }
}
