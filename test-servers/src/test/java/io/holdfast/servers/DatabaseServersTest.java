package io.holdfast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The launchers, without a driver: the first bytes of a server show that it answers. */
@Tag("full")
@Tag("server")
class DatabaseServersTest {

    private static final int PATIENCE_MILLIS = 20_000;
    /** For a server that does not answer. */
    private static final int SILENCE_MILLIS = 500;

    /**
     * A kind of server.
     *
     * @param name for the report
     * @param start starts one with settings
     * @param setting a setting that there is
     * @param nonsense one that there is not
     */
    record Kind(String name, Function<String, DatabaseServer> start, String setting, String nonsense) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        Kind postgreSql = new Kind("PostgreSQL", PostgreSqlServer::start, "max_connections=10", "no_such_setting=1");
        Kind mariaDb = new Kind("MariaDB", MariaDbServer::start, "max-connections=10", "no-such-setting=1");
        return MariaDbServer.isAvailable() ? Stream.of(postgreSql, mariaDb) : Stream.of(postgreSql);
    }

    /** The server's answer to a greeting; a MariaDB server speaks first, a PostgreSQL server refuses TLS by one letter. */
    private static int greeting(DatabaseServer server) throws IOException {
        return greeting(server, PATIENCE_MILLIS);
    }

    private static int greeting(DatabaseServer server, int timeOutMillis) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(server.host(), server.port()), timeOutMillis);
            socket.setSoTimeout(timeOutMillis);
            if (server instanceof PostgreSqlServer) {
                socket.getOutputStream().write(new byte[] {0, 0, 0, 8, 4, (byte) 210, 22, 47});
            }
            return socket.getInputStream().read();
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void answersUntilItIsKilledAndAgainAfterARestart(Kind kind) throws IOException {
        Path directory;
        try (DatabaseServer server = kind.start().apply(kind.setting())) {
            directory = server.directory();
            assertThat(server.url()).contains(":" + server.port() + "/").isEqualTo(server.url(server.port()));
            assertThat(greeting(server)).isPositive();
            server.kill();
            assertThatThrownBy(() -> greeting(server)).isInstanceOf(IOException.class);
            server.restart();
            assertThat(greeting(server)).isPositive();
            assertThat(server.log()).contains(server.ready());
        }
        assertThat(Files.exists(directory)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void answersNothingWhilePaused(Kind kind) throws IOException {
        try (DatabaseServer server = kind.start().apply(kind.setting())) {
            server.pause();
            assertThatThrownBy(() -> greeting(server, SILENCE_MILLIS)).isInstanceOf(SocketTimeoutException.class);
            server.resume();
            assertThat(greeting(server)).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void saysWhyItDoesNotStartAndLeavesNothingBehind(Kind kind) throws IOException {
        Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());
        assertThatThrownBy(() -> kind.start().apply(kind.nonsense()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(kind.nonsense()
                        .substring(0, 7)
                        .replace('-', kind.nonsense().charAt(2)));
        assertThat(ProcessHandle.current().children().filter(child -> !before.contains(child)))
                .noneMatch(ProcessHandle::isAlive);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anInterruptedStartLeavesNoProcessBehind(Kind kind) {
        Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> kind.start().apply(kind.setting())).hasMessageContaining("Interrupted");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(ProcessHandle.current().children().filter(child -> !before.contains(child)))
                .noneMatch(ProcessHandle::isAlive);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theEndOfOneServerLeavesAnotherAlone(Kind kind) throws IOException {
        try (DatabaseServer one = kind.start().apply(kind.setting())) {
            try (DatabaseServer other = kind.start().apply(kind.setting())) {
                assertThat(other.port()).isNotEqualTo(one.port());
                assertThat(greeting(other)).isPositive();
            }
            assertThat(one.directory()).isNotEmptyDirectory();
            assertThat(greeting(one)).isPositive();
        }
    }
}
