package io.holdfast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init")
@Tag("server")
class TcpProxyTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static RespConnection through(TcpProxy proxy, Duration timeout) {
        return RespConnection.open("127.0.0.1", proxy.port(), timeout);
    }

    @Test
    void passesEverythingAndCountsIt() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RespConnection connection = through(proxy, Duration.ofSeconds(5))) {
            assertThat(connection.command("PING")).isEqualTo("PONG");
            assertThat(connection.command("ECHO", "x".repeat(200_000)))
                    .asString()
                    .hasSize(200_000);
            assertThat(proxy.accepted()).isEqualTo(1);
            assertThat(proxy.open()).isEqualTo(1);
            assertThat(proxy.roundTrips()).isGreaterThanOrEqualTo(2);
            assertThat(proxy.bytes(Direction.REQUESTS)).isGreaterThan(200_000);
            assertThat(proxy.bytes(Direction.REPLIES)).isGreaterThan(200_000);
        }
    }

    @Test
    void dropsOneReplyAfterTheServerRanTheCommand() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RespConnection connection = through(proxy, Duration.ofSeconds(5));
                RespConnection other = through(proxy, Duration.ofSeconds(5))) {
            proxy.dropNextReply();
            assertThatThrownBy(() -> connection.command("SET", "dropped", "1"))
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(other.command("GET", "dropped")).isEqualTo("1");
        }
    }

    @Test
    void losesTheRepliesToSomeRequestsUntilItKeepsThem() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RespConnection one = through(proxy, Duration.ofSeconds(5));
                RespConnection other = through(proxy, Duration.ofSeconds(5))) {
            proxy.loseReplies(request -> request.contains("SET"));
            assertThatThrownBy(() -> one.command("SET", "lost", "1")).isInstanceOf(UncheckedIOException.class);
            assertThat(other.command("GET", "lost")).isEqualTo("1");

            proxy.keepReplies();
            assertThat(other.command("SET", "lost", "2")).isEqualTo("OK");
        }
    }

    @Test
    void stallsTheConnectionOfTheNextRequestAlone() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RespConnection one = through(proxy, PATIENCE);
                RespConnection other = through(proxy, PATIENCE)) {
            proxy.stallNext();
            CompletableFuture<Object> late = CompletableFuture.supplyAsync(() -> one.command("ECHO", "late"));
            await().until(() -> proxy.roundTrips() == 1);
            assertThat(other.command("PING")).isEqualTo("PONG");
            await().during(SHORT).until(() -> !late.isDone());

            proxy.unstall();
            assertThat(late.join()).isEqualTo("late");
        }
    }

    @Test
    void swallowsWithoutClosingUntilItPassesAgain() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                // Also for the answers that do come.
                RespConnection connection = through(proxy, Duration.ofSeconds(2))) {
            connection.command("PING");
            proxy.swallow(Direction.REPLIES);
            assertThatThrownBy(() -> connection.command("PING")).hasMessageContaining("timed out");
            proxy.pass(Direction.REPLIES);
            assertThat(connection.command("ECHO", "again")).isEqualTo("again");
        }
    }

    @Test
    void holdsWhatArrivesUntilItPassesAgain() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RespConnection connection = through(proxy, PATIENCE)) {
            connection.command("PING");
            proxy.hold(Direction.REPLIES);
            long before = proxy.bytes(Direction.REPLIES);
            CompletableFuture<Object> held = CompletableFuture.supplyAsync(() -> connection.command("ECHO", "held"));
            await().until(() -> proxy.bytes(Direction.REPLIES) > before);
            await().during(SHORT).until(() -> !held.isDone());
            proxy.pass(Direction.REPLIES);
            assertThat(held.join()).isEqualTo("held");
        }
    }

    @Test
    void closesWhileItHoldsSomething() {
        TcpProxy proxy = TcpProxy.to(server.host(), server.port());
        try (RespConnection connection = through(proxy, Duration.ofSeconds(5))) {
            proxy.hold(Direction.REPLIES);
            long before = proxy.bytes(Direction.REPLIES);
            CompletableFuture<Object> reply = CompletableFuture.supplyAsync(() -> connection.command("PING"));
            await().until(() -> proxy.bytes(Direction.REPLIES) > before);

            proxy.close();

            assertThatThrownBy(() -> reply.get(5, TimeUnit.SECONDS)).hasCauseInstanceOf(UncheckedIOException.class);
            assertThat(proxy.open()).isZero();
        }
    }

    @Test
    void delaysReplies() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RespConnection connection = through(proxy, Duration.ofSeconds(5))) {
            proxy.delay(Direction.REPLIES, SHORT);
            long before = System.nanoTime();
            connection.command("PING");
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(SHORT);
        }
    }

    @Test
    void resetsOpenConnectionsAndRefusesNewOnes() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RespConnection connection = through(proxy, Duration.ofSeconds(5))) {
            connection.command("PING");
            proxy.refuse();
            assertThat(connection.command("PING")).isEqualTo("PONG");
            proxy.reset();
            assertThatThrownBy(() -> connection.command("PING")).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(() -> through(proxy, SHORT)).isInstanceOf(UncheckedIOException.class);
            proxy.accept();
            try (RespConnection again = through(proxy, Duration.ofSeconds(5))) {
                assertThat(again.command("PING")).isEqualTo("PONG");
            }
        }
    }

    /** A child has a copy of each socket of this JVM for a moment. Without the wait in {@code refuse} 8 of 100 rounds failed. */
    @Test
    void refusesAndAcceptsWhileProcessesAreStarted() throws Exception {
        AtomicBoolean starting = new AtomicBoolean(true);
        CompletableFuture<Integer> started = CompletableFuture.supplyAsync(() -> startProcesses(starting::get));
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port())) {
            for (int round = 0; round < 300; round++) {
                proxy.refuse();
                assertThatThrownBy(() -> through(proxy, SHORT)).hasRootCauseInstanceOf(ConnectException.class);
                proxy.accept();
                try (RespConnection again = through(proxy, Duration.ofSeconds(5))) {
                    assertThat(again.command("PING")).isEqualTo("PONG");
                }
            }
        } finally {
            starting.set(false);
        }
        assertThat(started.get(20, TimeUnit.SECONDS)).isPositive();
    }

    private static int startProcesses(BooleanSupplier goesOn) {
        int count = 0;
        try {
            while (goesOn.getAsBoolean()) {
                assertThat(new ProcessBuilder("true").start().waitFor()).isZero();
                count++;
            }
            return count;
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
