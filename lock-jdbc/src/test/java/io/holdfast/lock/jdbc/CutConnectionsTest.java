package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.parts.Bidder;
import io.holdfast.parts.Proves;
import io.holdfast.parts.Waits;
import io.holdfast.servers.MariaDbServer;
import io.holdfast.servers.TcpProxy;
import java.time.Duration;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Idle connections that a firewall cuts while a lock is held: the one that is kept for renewals and releases is among them. */
class CutConnectionsTest {

    /** Longer than a connection is trusted without a trial. */
    private static final Duration IDLE = Duration.ofMillis(700);

    private static final Pattern SERVER = Pattern.compile("//([a-z0-9.]+):([0-9]+)/");

    private final String name = "name-" + UUID.randomUUID();

    static Stream<String> servers() {
        Stream<String> everywhere = Stream.of(Databases.SharedPostgreSql.URL, Databases.SharedH2Server.URL);
        return MariaDbServer.isAvailable()
                ? Stream.concat(everywhere, Stream.of(Databases.SharedMariaDb.URL))
                : everywhere;
    }

    private interface Scene {
        void play(Bidder holder, TcpProxy proxy);
    }

    /** With a pool of the provider's own, and with one of the application. */
    private void play(String url, Scene scene) {
        Matcher server = SERVER.matcher(url);
        assertThat(server.find()).isTrue();
        try (TcpProxy proxy = TcpProxy.to(server.group(1), Integer.parseInt(server.group(2)));
                HikariDataSource pool = new HikariDataSource()) {
            String through = server.replaceFirst("//$1:" + proxy.port() + "/");
            try (LockProvider own = Databases.at(through)) {
                play(own, proxy, scene);
            }
            pool.setJdbcUrl(through);
            try (LockProvider over = JdbcLockProvider.over(pool).build()) {
                play(over, proxy, scene);
            }
        }
    }

    private void play(LockProvider provider, TcpProxy proxy, Scene scene) {
        Bidder holder = Bidder.once(provider, name);
        assertThat(holder.granted()).isTrue();
        scene.play(holder, proxy);
    }

    @Proves({"3.4", "5.4"})
    @ParameterizedTest
    @MethodSource("servers")
    void renewalsAndReleasesNoticeBeforeTheyDependOnIt(String url) {
        play(url, (holder, proxy) -> {
            Waits.letPass(IDLE);
            proxy.reset();
            assertThat(holder.held()).isTrue();
            Waits.letPass(IDLE);
            proxy.reset();
            assertThat(holder.released()).isTrue();
        });
    }

    /** What was in use a moment ago is not tried out. Then one call fails, and the one after it has another connection. */
    @Proves("5.4")
    @ParameterizedTest
    @MethodSource("servers")
    void aReleaseThatMeetsTheCutIsRepeatedWithAnotherConnection(String url) {
        play(url, (holder, proxy) -> {
            proxy.reset();
            boolean released;
            try {
                released = holder.released();
            } catch (LockStoreException cut) {
                released = holder.released();
            }
            assertThat(released).isTrue();
        });
    }
}
