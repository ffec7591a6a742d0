package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random schedules of clients, servers and faults. {@code -Dtest=SimulationTest -Dsimulation.seed=42} prints the schedule of one seed.
 */
class SimulationTest {

    private static final int USUAL = 10_000;
    private static final int MANY = 1_000_000;

    @ParameterizedTest
    @EnumSource
    void randomSchedulesHaveOneHolderAtATime(Protocol protocol) {
        requireNoViolation(protocol, 0, USUAL);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void manyRandomSchedulesHaveOneHolderAtATime(Protocol protocol) {
        requireNoViolation(protocol, USUAL, USUAL + MANY);
    }

    @ParameterizedTest
    @CsvSource({
        "REDLOCK, BOUNDED_DRIFT, 2000",
        "REDLOCK, KEPT_OUT, 2000",
        "REDLOCK, COUNTED_FROM_REQUEST, 2000",
        "REDLOCK, MAJORITY_OF_ALL, 2000",
        "ONE_SERVER, BOUNDED_DRIFT, 2000",
        "ONE_SERVER, KEPT_OUT, 2000",
        "ONE_SERVER, COUNTED_FROM_REQUEST, 2000"
    })
    void schedulesWithoutAnAssumptionHaveTwoHolders(Protocol protocol, Assumption removed, int most) {
        long found = LongStream.range(0, most)
                .filter(seed -> new Simulation(protocol, seed, Optional.of(removed), false)
                        .run()
                        .filter(violation -> violation.startsWith("TWO HOLDERS"))
                        .isPresent())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no two holders in " + most + " schedules"));

        Simulation again = new Simulation(protocol, found, Optional.of(removed), true);
        assertThat(again.run().orElseThrow()).startsWith("TWO HOLDERS");
        System.out.println(described(protocol, found, again.steps()));
        assertThat(again.steps())
                .anyMatch(step -> step.contains("HOLDS with token"))
                .last()
                .asString()
                .contains("TWO HOLDERS");
    }

    private static void requireNoViolation(Protocol protocol, long first, long end) {
        long chosen = Long.getLong("simulation.seed", -1);
        LongStream seeds = chosen < 0 ? LongStream.range(first, end).parallel() : LongStream.of(chosen);
        OptionalLong violated = seeds.filter(seed -> new Simulation(protocol, seed, Optional.empty(), false)
                        .run()
                        .isPresent())
                .findFirst();
        violated.ifPresent(seed -> {
            Simulation again = new Simulation(protocol, seed, Optional.empty(), true);
            again.run();
            throw new AssertionError(described(protocol, seed, again.steps()));
        });
    }

    private static String described(Protocol protocol, long seed, List<String> steps) {
        return protocol + ", seed " + seed + ":\n" + String.join("\n", steps);
    }
}
