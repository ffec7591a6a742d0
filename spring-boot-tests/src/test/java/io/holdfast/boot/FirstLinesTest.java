package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.MariaDbServer;
import io.holdfast.servers.PostgreSqlServer;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.ZooKeeperServer;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The README's first lines run in applications of Spring Boot that have nothing but their starters, a driver and one artifact
 * of ours, with the versions that Spring Boot's parent manages.
 */
class FirstLinesTest {

    private static final Application REDIS = new Application("redis", "io.holdfast.examples.RedisApplication");
    private static final Application JDBC = new Application("jdbc", "io.holdfast.examples.JdbcApplication");
    private static final Application ZOOKEEPER =
            new Application("zookeeper", "io.holdfast.examples.ZooKeeperApplication");

    /** What an application prints before the line that its log should have. */
    private static final String LOSS = "to be logged: ";

    /** Spring's own client is Lettuce by default; the other choice is our Jedis, in the version that Spring manages. */
    @ParameterizedTest
    @ValueSource(strings = {"Lettuce", "Jedis"})
    void onRedisBesideSpringsOwnClient(String client) {
        try (RedisServer server = RedisServer.start()) {
            List<String> output = REDIS.run(
                    "--spring.data.redis.client-type=" + client,
                    "--spring.data.redis.port=" + server.port(),
                    "--shop.locks=redis://localhost:" + server.port());

            assertThat(output)
                    .contains(
                            "Spring Boot " + Application.springBoot(),
                            "the shop is open by " + client + "ConnectionFactory",
                            "first lines over the URI: true");
            assertLogsLosses(output, "EXPIRED", "TAKEN_OVER");
        }
    }

    /** Each as a warning with the lock's name, its owner as the store had it, its token and the cause. */
    private static void assertLogsLosses(List<String> output, String... causes) {
        List<String> losses = output.stream()
                .filter(line -> line.startsWith(LOSS))
                .map(line -> line.substring(LOSS.length()))
                .toList();
        List<String> warnings = output.stream()
                .filter(line -> line.contains(" WARN ") && line.contains("io.holdfast.lock"))
                .toList();

        assertThat(losses)
                .extracting(line -> line.replaceFirst("Lost the lock '.*, token \\d+\\): ([A-Z_]+), ", "$1"))
                .containsExactly(causes);
        assertThat(losses)
                .allSatisfy(loss -> assertThat(warnings)
                        .filteredOn(line -> line.matches(".* : " + Pattern.quote(loss) + "\\d+ ms after its grant"))
                        .hasSize(1));
    }

    /** And a hundred sales in transactions under a lock are all there, and the guard of entities refuses one of a late holder. */
    @Test
    void onDatabasesByUrlByDataSourceAndByJpa() {
        try (PostgreSqlServer postgreSql = PostgreSqlServer.start();
                MariaDbServer mariaDb = MariaDbServer.start()) {
            List<String> output =
                    JDBC.run("--spring.datasource.url=" + postgreSql.url(), "--shop.mariadb=" + mariaDb.url());

            assertThat(output)
                    .contains(
                            "Spring Boot " + Application.springBoot(),
                            "first lines over onPostgreSql: true",
                            "first lines over onMariaDb: true",
                            "first lines over onH2: true",
                            "first lines over overDataSource: true",
                            "first lines over overEntityManagerFactory: true",
                            "sold in transactions: 100",
                            "left on the shelf: 9",
                            "refused by enter: StaleTokenException",
                            "refused by the commit: StaleTokenException",
                            "left after that: 8");
            assertLogsLosses(output, "EXPIRED", "EXPIRED", "EXPIRED", "EXPIRED", "EXPIRED");
        }
    }

    @Test
    void onZooKeeper() {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            List<String> output = ZOOKEEPER.run(
                    "--shop.locks=zookeeper://localhost:" + server.port() + "?sessionTimeout=6s&connectTimeout=20s");

            assertThat(output).contains("Spring Boot " + Application.springBoot(), "first lines over the URI: true");
            assertLogsLosses(output, "EXPIRED");
        }
    }
}
