package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.TestClaim;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The URL and the properties, and what an error may show of them. */
class JdbcUrlTest {

    @Test
    @Tag("server")
    void urlBelongsToTheDriverAndOptionsAreProperties() {
        String table = "t" + UUID.randomUUID().toString().replace("-", "").substring(0, 8);
        try (LockClient client = LockClient.builder(Databases.SharedPostgreSql.URL + "&ApplicationName=a@b")
                .property("lease", "7s")
                .property("table", table)
                .property("createTable", "true")
                .build()) {
            try (LockHandle held = client.lock("a").tryAcquire().orElseThrow()) {
                assertThat(held.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(7));
                assertThat(Databases.ask(Databases.SharedPostgreSql.URL, "SELECT count(*) FROM " + table))
                        .isEqualTo("1");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?lease=5s",
                "?a=b&createTable=true",
                ";table=x",
                "?POOLSIZE=3",
                ";createTable",
                ";CREATETABLE=true"
            })
    void optionsInTheUrlAreRefused(String parameter) {
        String url = (parameter.startsWith(";") ? "jdbc:h2:mem:x" : "jdbc:postgresql://localhost/x") + parameter;
        assertThatThrownBy(() -> LockClient.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("property(");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://me@127.0.0.1/x",
                "jdbc:postgresql://me:s3cr3t@127.0.0.1:1,127.0.0.2/x",
                "jdbc:mariadb://me:s3cr3t@127.0.0.1/x",
                "jdbc:mariadb:sequential://me@127.0.0.1/x",
                "jdbc:mariadb:load-balance-read://me@127.0.0.1/x"
            })
    void userBeforeTheHostIsRefused(String url) {
        assertThatThrownBy(() -> LockClient.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll("//***@127.0.0.1", "the properties 'user' and 'password'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mariadb://127.0.0.1:1/x;user=me",
                "jdbc:postgresql://127.0.0.1:1/x;password=s3cr3t",
                "jdbc:h2:mem:x?user=me",
                "jdbc:h2:tcp://127.0.0.1:1/mem:x?a=b&password=s3cr3t",
            })
    void userInTheSyntaxOfAnotherDriverIsRefused(String url) {
        assertThatThrownBy(() -> LockClient.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("the properties 'user' and 'password'")
                .hasMessageContaining(url.contains(":h2:") ? ";USER=" : "?user=")
                .hasMessageNotContaining("s3cr3t");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://127.0.0.1:1/x?user=me&password=s3cr3t",
                "jdbc:postgresql://127.0.0.1:port/x?user=me&password=s3cr3t",
                "jdbc:postgresql://me:s3cr3t@127.0.0.1:1/x",
                "jdbc:postgresql://127.0.0.1:1/x?password=s3cr3t@x&sslmode=nonsense",
                "jdbc:h2:mem:x;USER=me;PASSWORD=s3cr3t;NO_SUCH_SETTING=1",
                "jdbc:h2:tcp://127.0.0.1:1/x;USER=me;PASSWORD=s3cr3t",
                "jdbc:oracle:thin:me/s3cr3t@h",
                "jdbc:s3cr3t",
                "jdbc:h2:mem:x;PASSWORD=s3cr3t;lease=3s",
                "jdbc:h2:mem:x;PASSWORD=s3cr3t|",
                "jdbc:mariadb://127.0.0.1:1/x?user=me&password=s3cr3t",
                "jdbc:mariadb://127.0.0.1:port/x?user=me&password=s3cr3t",
                "jdbc:mariadb://me:s3cr3t@127.0.0.1:1/x",
                "jdbc:mariadb://address=(host=127.0.0.1)(port=1)(password=s3cr3t)/x",
                "jdbc:mariadb://127.0.0.1:1/x?password=s3cr3t&sslMode=nonsense",
                "jdbc:mysql://127.0.0.1:1/x?user=me&password=s3cr3t",
                "jdbc:mysql://127.0.0.1:port/x?user=me&password=s3cr3t",
                "jdbc:mysql://me:s3cr3t@127.0.0.1:1/x",
                "jdbc:mysql://(host=127.0.0.1,port=1,user=me,password=s3cr3t)/x",
                "jdbc:mysql://127.0.0.1:1/x?password=s3cr3t&sslMode=nonsense",
            })
    void errorsShowNoPassword(String url) {
        Throwable failure = catchThrowable(() -> {
            try (LockClient client =
                    LockClient.builder(url).property("poolWait", "500ms").build()) {
                client.holder("a");
            }
        });
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain("s3cr3t").contains("io.holdfast.lock.Lock");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "1a", "a;DROP TABLE b", "a\"", "a.b.c", "a-b", ".a", "ä"})
    void tableThatIsNotAPlainIdentifierIsRefused(String table) {
        assertThatThrownBy(() -> Databases.at("jdbc:h2:mem:x", "table", table))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'" + table + "'");
    }

    @Test
    @Tag("server")
    void tableOfAnotherSchemaIsCreatedByManyAtOnce() {
        for (String url : Databases.all().toList()) {
            String schema = "s" + UUID.randomUUID().toString().replace("-", "").substring(0, 8);
            Databases.run(url, "CREATE SCHEMA " + schema);
            CompletableFuture<?>[] all = IntStream.range(0, 4)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> {
                        try (JdbcLockProvider provider =
                                Databases.at(url, "createTable", "true", "table", schema + ".locks")) {
                            TestClaim claim = TestClaim.once(provider, "name-" + i);
                            assertThat(claim.granted()).isTrue();
                            claim.released();
                        }
                    }))
                    .toArray(CompletableFuture[]::new);
            CompletableFuture.allOf(all).join();
            assertThat(Databases.ask(url, "SELECT count(*) FROM " + schema + ".locks WHERE name LIKE 'name-%'"))
                    .isEqualTo("0");
        }
    }
}
