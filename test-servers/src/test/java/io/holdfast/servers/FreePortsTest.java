package io.holdfast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.tck.faults.FreePorts;
import io.holdfast.lock.tck.faults.FreePorts.Listening;
import io.holdfast.lock.tck.faults.FreePorts.PortTaken;
import io.holdfast.lock.tck.faults.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ports that another process takes before the server starts. */
@Tag("server")
class FreePortsTest {

    /**
     * A kind of server.
     *
     * @param name for the report
     * @param make makes one for a port
     * @param launch starts it
     */
    record Kind<S extends Listening>(String name, IntFunction<S> make, Consumer<S> launch) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind<?>> kinds() {
        Stream<Kind<?>> everywhere = Stream.of(
                new Kind<>("Redis", port -> new RedisServer(List.of(port), List.of()), RedisServer::launch),
                new Kind<>("ZooKeeper", port -> ZooKeeperServer.member(1, port, List.of()), ZooKeeperServer::restart),
                new Kind<>("PostgreSQL", port -> new PostgreSqlServer(port, List.of()), FreePortsTest::launch));
        return MariaDbServer.isAvailable()
                ? Stream.concat(
                        everywhere,
                        Stream.of(new Kind<>(
                                "MariaDB", port -> new MariaDbServer(port, List.of()), FreePortsTest::launch)))
                : everywhere;
    }

    private static void launch(DatabaseServer server) {
        server.initialize();
        server.launch();
    }

    private static ServerSocket otherProcess() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @Tag("full")
    <S extends Listening> void aServerWhosePortWasTakenIsStartedOnAnother(Kind<S> kind) throws IOException {
        try (ServerSocket otherProcess = otherProcess()) {
            List<Integer> tried = new ArrayList<>();
            try (S server = FreePorts.start(
                    1,
                    ports -> {
                        tried.add(tried.isEmpty() ? otherProcess.getLocalPort() : ports.get(0));
                        return kind.make().apply(tried.get(tried.size() - 1));
                    },
                    kind.launch())) {
                assertThat(server).isNotNull();
                assertThat(tried).hasSize(2);
                new Socket(InetAddress.getLoopbackAddress(), tried.get(1)).close();
            }
        }
    }

    @Test
    void aServerThatDoesNotStartIsClosedAndFailsAfterFiveAttempts() {
        List<List<Integer>> made = new ArrayList<>();
        List<List<Integer>> closed = new ArrayList<>();

        assertThatThrownBy(() -> FreePorts.start(
                        2,
                        ports -> {
                            made.add(ports);
                            Listening server = () -> closed.add(ports);
                            return server;
                        },
                        server -> {
                            throw new PortTaken("taken " + made.size());
                        }))
                .isInstanceOf(PortTaken.class)
                .hasMessage("taken 5");

        assertThat(made).hasSize(5).allSatisfy(ports -> assertThat(ports).doesNotHaveDuplicates());
        assertThat(closed).isEqualTo(made);
    }

    @Test
    void noPortIsOneThatTheSystemMayGiveToAClient() {
        for (int i = 0; i < 200; i++) {
            assertThat(FreePorts.one()).isBetween(15_000, 32_767);
            try (TcpProxy proxy = TcpProxy.to("127.0.0.1", 1)) {
                assertThat(proxy.port()).isBetween(15_000, 32_767);
            }
        }
    }

    /** It may not listen yet, or be stopped for a while. */
    @Test
    void portOfAServerIsGivenToNoOther() {
        List<Integer> given = Stream.generate(FreePorts::one).limit(1_000).toList();

        assertThat(given).doesNotHaveDuplicates();
    }

    @Test
    void anotherFailureIsToldAtOnce() {
        AtomicInteger closed = new AtomicInteger();
        Listening server = closed::incrementAndGet;

        assertThatThrownBy(() -> FreePorts.start(1, ports -> server, never -> {
                    throw new IllegalStateException("no such setting");
                }))
                .hasMessage("no such setting");

        assertThat(closed).hasValue(1);
    }
}
