package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Waits;
import io.holdfast.servers.PostgreSqlServer;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures for a URL that leads nowhere, from real drivers and servers, and how soon they come. */
@Tag("server")
class UrlMessagesTest {

    /** A pool would retry for as long. A refused log-in may take seconds on a busy machine. */
    private static final Duration POOL_WAIT = Duration.ofMinutes(1);

    private static void tryOnce(String url) {
        tryOnce(LockClient.builder(url));
    }

    private static void tryOnce(LockClient.Builder builder) {
        try (LockClient client = builder.build()) {
            client.lock("a").tryAcquire();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://nohost.invalid/shop",
                "jdbc:mariadb://nohost.invalid/shop",
                "jdbc:mysql://nohost.invalid/shop",
                "jdbc:h2:tcp://nohost.invalid/shop"
            })
    void unknownHostIsReported(String url) {
        assertFails(() -> tryOnce(url), "the host is unknown (", ": nohost.invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:postgresql://127.0.0.1:abc/shop", "jdbc:postgresql:/127.0.0.1/shop"})
    void urlRefusedByTheDriverIsNotReportedAsMissingDriver(String url) {
        assertThatThrownBy(() -> LockClient.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("The driver of postgresql does not accept the URL '" + url + "'")
                .hasMessageNotContaining("artifact");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:1/shop?connectTimeout=2s",
                "jdbc:mariadb://127.0.0.1:1/shop?connectTimeout=2s",
                "jdbc:mysql://127.0.0.1:1/shop?connectTimeout=2s",
                "jdbc:mysql://127.0.0.1:abc/shop",
                "jdbc:h2:tcp://127.0.0.1:abc/shop",
                "jdbc:h2:shop"
            })
    void settingUnknownToTheDriverIsNotReportedAsRefusal(String url) {
        assertFails(() -> tryOnce(url), "the driver does not understand the URL");
    }

    @Test
    void missingH2DatabaseIsReported() {
        assertFails(() -> tryOnce("jdbc:h2:mem:not-there;IFEXISTS=TRUE"), "there is no database of this name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2", "jdbc:postgresql"})
    void malformedUrlIsReported(String url) {
        assertThatThrownBy(() -> LockClient.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll("This is no JDBC URL", "allowed is jdbc:database:rest");
    }

    @Test
    void missingOrWrongPasswordIsAFailedLogIn() throws SQLException {
        try (PostgreSqlServer server = PostgreSqlServer.start("fsync=off")) {
            String file = Databases.ask(server.url(), "SHOW hba_file");
            Databases.run(
                    server.url(),
                    "CREATE ROLE locks LOGIN PASSWORD 'right'",
                    "COPY (VALUES ('host all locks all scram-sha-256'), ('host all all all trust')) TO '" + file + "'",
                    "SELECT pg_reload_conf()");
            String url = server.url().replace("user=postgres", "user=locks");
            Waits.soon().until(() -> !isConnectable(url));

            assertFails(
                    () -> tryOnce(url), "the log-in failed: check the user, the password", "no password was provided");
            assertFailsSoon(url + "&password=wrong", "the log-in was refused: check the user and the password");
        }
    }

    private static boolean isConnectable(String url) {
        try {
            DriverManager.getConnection(url).close();
            return true;
        } catch (SQLException refused) {
            return false;
        }
    }

    static Stream<String> nowhere() {
        Stream<String> elsewhere = MessagesTest.withUsers().map(url -> url.replaceFirst("/[a-z]+[?]", "/not_there?"));
        Stream<String> refused = Stream.of(
                "jdbc:postgresql://127.0.0.1:1/x",
                "jdbc:mariadb://127.0.0.1:1/x",
                "jdbc:mysql://127.0.0.1:1/x",
                "jdbc:postgresql://nohost.invalid/x",
                "jdbc:h2:mem:not-there;IFEXISTS=TRUE");
        return Stream.concat(refused, elsewhere);
    }

    /** H2's driver itself retries for more than a second. */
    @ParameterizedTest
    @MethodSource("nowhere")
    void definiteFailureIsReportedAtOnce(String url) {
        assertFailsSoon(url, "acquire of lock 'a' failed: ");
    }

    private static void assertFailsSoon(String url, String reason) {
        long begin = System.nanoTime();
        assertThatThrownBy(() -> tryOnce(LockClient.builder(url).property("poolWait", POOL_WAIT.toSeconds() + "s")))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining(reason);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(POOL_WAIT.dividedBy(2));
    }
}
