package io.holdfast.examples.backends;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.examples.demo.DemoStores;
import io.holdfast.lock.tck.faults.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each program in a separate process, with a real server. */
@Tag("full")
@Tag("server")
class ProgramsTest {

    private static final Duration BOUND = Duration.ofSeconds(60);

    @ParameterizedTest
    @CsvSource({
        "memory, OnMemory",
        "redis, OnRedis",
        "redis-sentinel, OnRedisSentinel",
        "redis-cluster, OnRedisCluster",
        "redlock, OnRedlock",
        "redisson, OnRedisson",
        "zookeeper, OnZooKeeper",
        "jdbc-postgresql, OnPostgreSql",
        "jdbc-mariadb, OnMariaDb",
        "jdbc-h2, OnH2",
        "jpa, OnJpa"
    })
    void oneNodeWritesTheReportAndTheOtherLeavesItAlone(String backend, String program) throws ClassNotFoundException {
        try (DemoStores.Running store = DemoStores.start(backend);
                ChildJvm run = ChildJvm.start(
                        Class.forName("io.holdfast.examples.backends." + program), patient(store.uri()))) {
            assertBothHadTheirTurn(run);
        }
    }

    @Test
    void aDatabaseWithoutTheTableIsGivenItOnDemand(@TempDir Path folder) {
        try (ChildJvm run =
                ChildJvm.start(OnH2.class, "jdbc:h2:" + folder.resolve("new"), "createTable=true", "poolWait=30s")) {
            assertBothHadTheirTurn(run);
        }
    }

    /**
     * The demo asks for short leases and sessions. On a slow machine they end before a new JVM has read the answer, and Redis and
     * Redisson give up a connection that takes two seconds to open.
     */
    private static String patient(String uri) {
        String lasting = uri.replaceAll("(lease|sessionTimeout)=[0-9]+m?s", "$1=60s");
        return lasting.startsWith("red")
                ? lasting + (lasting.contains("?") ? "&" : "?") + "connectTimeout=30s"
                : lasting;
    }

    private static void assertBothHadTheirTurn(ChildJvm run) {
        assertThat(run.awaitExit(BOUND))
                .as(() -> "the exit code of a program that said: " + String.join("\n", run.lines()))
                .hasValue(0);
        List<String> said =
                run.lines().stream().filter(line -> line.contains(" node: ")).toList();
        assertThat(said).hasSize(3);
        long firstToken = token(said.get(0), "first node: writes the report under the token ");
        assertThat(said.get(1)).startsWith("second node: leaves it to process " + run.pid() + " on ");
        assertThat(token(said.get(2), "second node: has its turn under the token "))
                .isGreaterThan(firstToken);
    }

    private static long token(String line, String before) {
        assertThat(line).startsWith(before);
        return Long.parseLong(line.substring(before.length()));
    }
}
