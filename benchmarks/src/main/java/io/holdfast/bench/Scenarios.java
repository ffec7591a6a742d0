package io.holdfast.bench;

import java.util.List;
import java.util.stream.Stream;

/** All scenarios. */
final class Scenarios {

    private Scenarios() {}

    static List<Scenario> all() {
        return Stream.of(
                        RedisScenarios.all(),
                        ZooKeeperScenarios.all(),
                        PostgreSqlScenarios.all(),
                        EngineScenarios.all())
                .flatMap(List::stream)
                .toList();
    }

    static Scenario named(String name) {
        return all().stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
