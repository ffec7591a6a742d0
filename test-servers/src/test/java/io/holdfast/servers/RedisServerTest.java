package io.holdfast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.servers.RespConnection.ServerError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class RedisServerTest {

    @Test
    void answersAfterTheStartAndLeavesNothingBehind() {
        Path directory;
        int port;
        try (RedisServer server = RedisServer.start()) {
            directory = server.directory();
            port = server.port();
            assertThat(server.command("PING")).isEqualTo("PONG");
            assertThat(server.command("SET", "clé", "é 1")).isEqualTo("OK");
            assertThat(server.command("GET", "clé")).isEqualTo("é 1");
            assertThat(server.command("GET", "none")).isEqualTo(Optional.empty());
            assertThat(server.command("MGET", "clé", "none")).isEqualTo(List.of("é 1", Optional.empty()));
            assertThat(server.command("INCR", "n")).isEqualTo(1L);
            assertThatThrownBy(() -> server.command("INCR", "clé"))
                    .isInstanceOf(ServerError.class)
                    .hasMessageContaining("not an integer");
            assertThat(server.calls("incr")).isEqualTo(2);
        }
        assertThat(Files.exists(directory)).isFalse();
        assertThatThrownBy(() -> RespConnection.open("127.0.0.1", port, Duration.ofSeconds(1)))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void keepsItsDataOverAKillOnlyIfItWritesThemAndTheDirectoryIsKept() {
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always")) {
            server.command("SET", "k", "v");
            server.restart();
            assertThat(server.command("GET", "k")).isEqualTo("v");
            server.restartWithoutData();
            assertThat(server.command("GET", "k")).isEqualTo(Optional.empty());
        }
    }

    @Test
    void tellsTheFurtherPortsThatItWasToChoose() throws IOException {
        try (RedisServer server =
                RedisServer.start("--cluster-enabled", "yes", "--cluster-port", RedisServer.FREE_PORT)) {
            int bus = server.port("--cluster-port");
            assertThat(bus).isNotEqualTo(server.port());
            new Socket(server.host(), bus).close();
            server.restart();
            assertThat(server.port("--cluster-port")).isEqualTo(bus);
            new Socket(server.host(), bus).close();
        }
    }

    @Test
    void answersNothingWhilePaused() {
        try (RedisServer server = RedisServer.start();
                RespConnection connection = RespConnection.open(server.host(), server.port(), Duration.ofMillis(200))) {
            server.pause();
            assertThatThrownBy(() -> connection.command("PING")).hasMessageContaining("timed out");
            server.resume();
            // Its time-out is short.
            await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(connection::next, "PONG"::equals);
        }
    }

    @Test
    void knowsItsOwnPassword() {
        try (RedisServer server = RedisServer.start("--requirepass", "secret");
                RespConnection stranger = RespConnection.open(server.host(), server.port(), Duration.ofSeconds(5))) {
            assertThat(server.command("PING")).isEqualTo("PONG");
            assertThatThrownBy(() -> stranger.command("PING")).hasMessageStartingWith("NOAUTH");
        }
    }

    @Test
    void anInterruptedStartLeavesNoProcessBehind() {
        Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());
        Thread.currentThread().interrupt();

        assertThatThrownBy(RedisServer::start).hasMessageContaining("Interrupted");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(ProcessHandle.current().children().filter(child -> !before.contains(child)))
                .noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void saysWhyItDoesNotStart() {
        assertThatThrownBy(() -> RedisServer.start("--no-such-setting", "1")).hasMessageContaining("no-such-setting");
    }
}
