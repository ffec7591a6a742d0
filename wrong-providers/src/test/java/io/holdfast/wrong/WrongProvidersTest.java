package io.holdfast.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    static Stream<Kill> kills() {
        return Kill.all().stream().filter(kill -> kill.test().isPresent());
    }

    @ParameterizedTest
    @MethodSource("kills")
    void theTestOfTheTableRejectsTheProvider(Kill kill) {
        assertThat(KitRuns.broken(kill.level(), kill.test().orElseThrow(), kill.wrong()::harness))
                .hasSize(1);
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
