package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WishTest {

    @Test
    void choosesScenariosByPartsOfTheirNames() {
        Wish wish = Wish.of(List.of("--rounds", "1", "zookeeper-alone", "hand-over"));

        assertThat(wish.choose(Scenarios.all()))
                .extracting(Scenario::name)
                .contains("zookeeper-alone", "redis-hand-over", "zookeeper-hand-over")
                .doesNotContain("redis-alone");
    }

    @Test
    void namesTheScenariosIfThereIsNoneOfAName() {
        Wish wish = Wish.of(List.of("etcd"));

        assertThatThrownBy(() -> wish.choose(Scenarios.all())).hasMessageContaining("redis-alone");
    }

    @Test
    void helpNamesEachScenario() throws IOException {
        String help;
        try (InputStream text = Wish.class.getResourceAsStream("help.txt")) {
            help = new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
        }

        assertThat(help.split("\\s+"))
                .containsAll(Scenarios.all().stream().map(Scenario::name).toList());
    }

    @Test
    void refusesAReportOfSomeScenarios() {
        assertThatThrownBy(() -> Wish.of(List.of("--report", "redis"))).hasMessageContaining("all scenarios");
    }

    @Test
    void measuresARedisServerOfTheMachineIfItIsAProgram() {
        String program = Path.of(System.getProperty("java.home"), "bin", "java").toString();

        assertThat(Wish.of(List.of("--redis", program)).redis()).contains(Path.of(program));
        assertThat(Wish.of(List.of()).redis()).isEmpty();
        assertThatThrownBy(() -> Wish.of(List.of("--redis", "/no/redis-server")))
                .hasMessageContainingAll("'/no/redis-server'", "allowed is the path of a program");
        assertThatThrownBy(() -> Wish.of(List.of("--redis"))).hasMessageContaining("--redis has no value");
    }

    @Test
    void noTwoScenariosHaveOneName() {
        List<String> names = Scenarios.all().stream().map(Scenario::name).toList();

        assertThat(new HashSet<>(names)).hasSameSizeAs(names);
    }
}
