package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.MariaDbServer;
import io.holdfast.servers.PostgreSqlServer;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.ZooKeeperServer;
import java.util.List;
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
            assertThat(output)
                    .as("the application's log of the lock that it lost")
                    .filteredOn(line -> line.contains("WARN") && line.contains("io.holdfast.lock"))
                    .anyMatch(line -> line.contains("stock:43"));
        }
    }

    /** And a hundred sales in transactions under a lock are all there: the lock is around the transaction. */
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
                            "sold in transactions: 100");
        }
    }

    @Test
    void onZooKeeper() {
        try (ZooKeeperServer server = ZooKeeperServer.start()) {
            List<String> output = ZOOKEEPER.run("--shop.locks=zookeeper://localhost:" + server.port());

            assertThat(output).contains("Spring Boot " + Application.springBoot(), "first lines over the URI: true");
        }
    }
}
