package io.holdfast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.tck.faults.ChildJvm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
@Tag("server")
class ZooKeeperServerTest {

    private static final List<ACL> OPEN =
            Collections.singletonList(new ACL(ZooDefs.Perms.ALL, new Id("world", "anyone")));
    private static final int SESSION_MILLIS = 30_000;
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** A client that is connected. */
    private record Client(ZooKeeper session) implements AutoCloseable {

        static Client of(ZooKeeperServer server) throws IOException, InterruptedException {
            return at(server.host() + ":" + server.port());
        }

        static Client at(String servers) throws IOException, InterruptedException {
            CountDownLatch connected = new CountDownLatch(1);
            ZooKeeper session = new ZooKeeper(servers, SESSION_MILLIS, event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                    connected.countDown();
                }
            });
            assertThat(connected.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return new Client(session);
        }

        void create(String path) throws KeeperException, InterruptedException {
            session.create(path, new byte[0], OPEN, CreateMode.PERSISTENT);
        }

        boolean exists(String path) throws KeeperException, InterruptedException {
            return session.exists(path, false) != null;
        }

        @Override
        public void close() {
            try {
                session.close();
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
        }
    }

    /** A server that is slow to answer counts as one that serves nobody. */
    private static void awaitMode(ZooKeeperServer server, String mode) {
        await().atMost(BOUND).until(() -> server.mode().equals(Optional.of(mode)));
    }

    @Test
    void countsRequestsAndLeavesNothingBehind() throws Exception {
        Path directory;
        int port;
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            directory = server.directory();
            port = server.port();
            awaitMode(server, "standalone");
            assertThat(server.requests()).isZero();
            try (Client client = Client.of(server)) {
                client.create("/a");
                client.exists("/a");
            }
            // The opening and the end of the session as well.
            assertThat(server.requests()).isEqualTo(4);
        }
        assertThat(Files.exists(directory)).isFalse();
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(IOException.class);
    }

    @Test
    void keepsItsDataAndSessionsOverAKill() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Client client = Client.of(server)) {
            client.create("/a");
            long session = client.session().getSessionId();
            server.kill();
            assertThat(server.mode()).isEmpty();

            server.restart();

            try (Client other = Client.of(server)) {
                assertThat(other.exists("/a")).isTrue();
            }
            assertThat(client.session().getSessionId()).isEqualTo(session);
        }
    }

    @Test
    void answersNothingWhilePaused() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(200);
            server.pause();
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            assertThatThrownBy(() -> socket.getInputStream().read()).hasMessageContaining("timed out");
            server.resume();
            socket.setSoTimeout(Math.toIntExact(BOUND.toMillis()));
            assertThat(socket.getInputStream().read()).isEqualTo('Z');
        }
    }

    @Test
    void anInterruptedStartLeavesNoProcessBehind() {
        Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());
        Thread.currentThread().interrupt();

        assertThatThrownBy(ZooKeeperServer::start).hasMessageContaining("Interrupted");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(ProcessHandle.current().children().filter(child -> !before.contains(child)))
                .noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void anEnsembleElectsAnotherLeaderAndLosesNoData() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
                Client client = Client.at(ensemble.connectionString())) {
            client.create("/a");
            ZooKeeperServer first = ensemble.leader();
            awaitMode(ensemble.follower(), "follower");
            first.kill();

            ZooKeeperServer second = ensemble.leader();

            assertThat(second).isNotSameAs(first);
            try (Client other = Client.of(second)) {
                assertThat(other.exists("/a")).isTrue();
            }
            first.restart();
            awaitMode(first, "follower");
        }
    }

    @Test
    void anIsolatedMemberReadsAndADisconnectedOneServesNoClientUntilItRejoins() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            ZooKeeperServer follower = ensemble.follower();
            ZooKeeperServer leader = ensemble.leader();
            try (Client cutOff = Client.of(follower);
                    Client other = Client.of(leader)) {
                ensemble.isolate(follower);
                other.create("/a");
                assertThat(cutOff.exists("/a")).isFalse();

                ensemble.disconnect(follower);
                await().atMost(BOUND).until(() -> follower.mode().isEmpty());

                ensemble.rejoin(follower);
                follower.awaitServing();
                try (Client back = Client.of(follower)) {
                    back.session().sync("/", (code, path, context) -> {}, null);
                    assertThat(back.exists("/a")).isTrue();
                }
            }
        }
    }

    @Test
    void aDelayedMemberAnswersWithOldDataUntilItCatchesUp() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            ZooKeeperServer follower = ensemble.follower();
            try (Client behind = Client.of(follower);
                    Client other = Client.of(ensemble.leader())) {
                ensemble.holdBack(follower);
                other.create("/a");
                assertThat(behind.exists("/a")).isFalse();

                ensemble.catchUp(follower);

                await().atMost(BOUND).until(() -> behind.exists("/a"));
            }
        }
    }

    @Test
    void noServerOutlivesAKilledJvm() {
        try (ChildJvm owner = ChildJvm.start(Owner.class)) {
            Path directory = Path.of(owner.awaitLine("directory ", BOUND).substring("directory ".length()));
            List<ProcessHandle> started;
            try (var descendants = ProcessHandle.of(owner.pid()).orElseThrow().descendants()) {
                started = descendants.toList();
            }
            assertThat(started).hasSize(2);

            owner.kill();

            await().atMost(BOUND).untilAsserted(() -> {
                assertThat(started).noneMatch(ProcessReaperTest::runs);
                assertThat(Files.exists(directory)).isFalse();
            });
        }
    }

    /** Starts a server, says where it is, and goes on until it is ended. */
    static final class Owner {
        public static void main(String[] arguments) throws IOException {
            System.out.println("directory " + ZooKeeperServer.start().directory());
            if (System.in.read() < 0) {
                throw new IllegalStateException("never: the test ends this process first");
            }
        }
    }
}
