package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.MariaDbServer;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Counts the answers that a call waits for, one after the other: the table of the page on slow connections. */
@Tag("full")
@Tag("server")
class AnswersTest {

    /** Longer than a connection is used untested. */
    private static final Duration IDLE = Duration.ofMillis(700);

    /** Delays each answer, so that what is sent meanwhile counts as one with its beginning. */
    private static final Duration LATENESS = Duration.ofMillis(20);

    private final String name = "name-" + UUID.randomUUID();

    /**
     * The numbers of the page.
     *
     * @param url the database
     * @param first of the first call, which connects twice
     * @param acquire of an acquire
     * @param renewal of a renewal or a release
     * @param back more where the connection goes back to the pool
     * @param trial more where the connection was idle for a while
     */
    record Answers(String url, int first, int acquire, int renewal, int back, int trial) {}

    static Stream<Answers> answers() {
        Stream<Answers> everywhere = Stream.of(
                new Answers(Databases.SharedPostgreSql.URL, 9, 1, 1, 0, 1),
                new Answers(Databases.SharedH2Server.URL, 22, 3, 2, 1, 2));
        return MariaDbServer.isAvailable()
                ? Stream.concat(
                        everywhere,
                        Stream.of(
                                new Answers(Databases.SharedMariaDb.URL, 10, 1, 1, 0, 1),
                                new Answers(Databases.SharedMariaDb.BY_MYSQL_DRIVER, 15, 1, 1, 0, 1)))
                : everywhere;
    }

    /** As the factory creates it, but without random sweeps. */
    private static JdbcLockProvider unsweeping(String url) {
        JdbcSettings usual = JdbcSettings.of(URI.create(url), ConnectionParameters.of("", Map.of()));
        JdbcOptions options = usual.options();
        return new JdbcSettings(
                        usual.url(),
                        usual.login(),
                        new JdbcOptions(
                                options.dialect(),
                                options.table(),
                                options.createTable(),
                                options.wakeUp(),
                                new Sweeper(Integer.MAX_VALUE)),
                        usual.pool(),
                        usual.timeout())
                .open();
    }

    /** A connection with delayed answers, and a provider on it. */
    private record Link(ProxiedDatabase proxied, JdbcLockProvider provider) implements AutoCloseable {

        static Link to(String url) {
            ProxiedDatabase proxied = ProxiedDatabase.of(url);
            proxied.proxy().delay(Direction.REPLIES, LATENESS);
            return new Link(proxied, unsweeping(proxied.url()));
        }

        int answersTo(BooleanSupplier call) {
            long before = proxied.proxy().answers();
            assertThat(call.getAsBoolean()).isTrue();
            return (int) (proxied.proxy().answers() - before);
        }

        @Override
        public void close() {
            provider.close();
            proxied.close();
        }
    }

    @ParameterizedTest
    @MethodSource("answers")
    void callWaitsForAsManyAnswersAsThePageSays(Answers expected) {
        try (Link link = Link.to(expected.url)) {
            TestClaim holder = TestClaim.once(link.provider, name);
            TestClaim other = TestClaim.once(link.provider, name + "-2");
            TestClaim rival = TestClaim.once(link.provider, name);
            assertThat(link.answersTo(holder::granted)).isEqualTo(expected.first);
            // Opens a connection, as the first one is kept.
            assertThat(rival.granted()).isFalse();
            // On a busy machine a call may come so late that the connection is tested first: then repeat.
            Waits.soon()
                    .untilAsserted(() -> assertThat(IntStream.of(
                                    link.answersTo(() -> !rival.granted()),
                                    link.answersTo(other::granted),
                                    link.answersTo(other::released),
                                    link.answersTo(holder::released),
                                    link.answersTo(holder::granted),
                                    link.answersTo(holder::held)))
                            .containsExactly(
                                    expected.acquire + expected.back,
                                    expected.acquire + expected.back,
                                    expected.renewal,
                                    expected.renewal + expected.back,
                                    expected.acquire,
                                    expected.renewal));
            Waits.letPass(IDLE);
            assertThat(link.answersTo(holder::held)).isEqualTo(expected.trial + expected.renewal);
            Waits.letPass(IDLE);
            assertThat(link.answersTo(holder::released)).isEqualTo(expected.trial + expected.renewal + expected.back);
            Waits.letPass(IDLE);
            assertThat(link.answersTo(holder::granted)).isEqualTo(expected.trial + expected.acquire);
        }
    }
}
