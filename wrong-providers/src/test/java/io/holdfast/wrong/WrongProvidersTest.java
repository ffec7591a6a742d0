package io.holdfast.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.wrong.KitRuns.Outcome;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit rejects every wrong provider of the table, each by the test that is about its fault. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
@Tag("server")
class WrongProvidersTest {

    private static final Queue<Kill> UNDECIDED = new ConcurrentLinkedQueue<>();

    private static Stream<Kill> kills() {
        return Kill.all().stream().filter(kill -> kill.test().isPresent());
    }

    static Stream<Kill> quietKills() {
        return kills().filter(kill -> !kill.isRace());
    }

    static Stream<Kill> races() {
        return kills().filter(Kill::isRace);
    }

    @ParameterizedTest
    @MethodSource("quietKills")
    void theTestOfTheTableRejectsTheProvider(Kill kill) {
        judge(kill);
    }

    private static void judge(Kill kill) {
        if (KitRuns.outcome(kill) != Outcome.REJECTED) {
            UNDECIDED.add(kill);
        }
    }

    /** Alone: while the other tests run, the machine may stand still too often to watch a lock as closely as a fault needs it. */
    @AfterAll
    static void decide() {
        assertThat(UNDECIDED)
                .allSatisfy(kill -> assertThat(KitRuns.lastOutcome(kill)).isEqualTo(Outcome.REJECTED));
    }

    /** One after the other: they need both cores. */
    @ParameterizedTest
    @MethodSource("races")
    @Execution(ExecutionMode.SAME_THREAD)
    void theTestOfTheTableRejectsTheProviderThatLosesARace(Kill kill) {
        judge(kill);
    }

    @Test
    void everyWrongProviderIsInTheTable() {
        Set<String> kinds = Kill.all().stream().map(Kill::kind).collect(Collectors.toSet());

        for (String kind : kinds) {
            List<String> listed = Kill.all().stream()
                    .filter(kill -> kill.kind().equals(kind))
                    .map(Kill::provider)
                    .distinct()
                    .toList();
            assertThat(listed)
                    .as(kind)
                    .containsExactlyInAnyOrderElementsOf(
                            Kill.kinds(kind).map(WrongProvider::name).toList());
        }
    }
}
