package io.holdfast.examples.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tck.faults.ChildJvm;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The command of the kit against a live store, in a JVM of its own. */
@Tag("full")
@Tag("server")
class CommandOnRedisTest {

    private static final Duration BOUND = Duration.ofMinutes(3);
    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private record Run(int code, String out) {}

    private static Run run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("redis://" + server.host() + ":" + server.port());
        try (ChildJvm command = ChildJvm.startOn(
                System.getProperty("java.class.path"),
                "io.holdfast.lock.tck.command.Tck",
                all.toArray(String[]::new))) {
            int code = command.awaitExit(BOUND).orElseThrow();
            return new Run(code, String.join("\n", command.lines()));
        }
    }

    @Test
    void theProxyOfTheCommandHasTheFaultsOfTheNetwork() {
        // 1.3 under lost replies, 2.5 on a slow network, 3.6 with a connection that hangs.
        Run run = run("--rule", "1.3", "--rule", "2.5", "--rule", "3.6");

        assertThat(run.out()).contains(" pass (").doesNotContain("lost", "hangs", "proxy", "slowNetwork");
        assertThat(run.code()).isZero();
    }

    @Test
    void withoutTheProxyTheyAreSkipped() {
        Run run = run("--direct", "--rule", "1.3", "--rule", "2.5", "--rule", "3.6");

        assertThat(run.out()).containsPattern("skipped, as --direct was given: .*1\\.3");
        assertThat(run.code()).isZero();
    }

    @Test
    void aSoakPausesAndKillsProcesses() {
        // Else a slow machine is given one for which 15 s are too short.
        Run run = run("--soak", "15s", "--lease", "1s");

        assertThat(run.out())
                .containsPattern("[0-9]{2,} grants, .*[1-9] pauses")
                .contains("No violation.");
        assertThat(run.code()).isZero();
    }
}
