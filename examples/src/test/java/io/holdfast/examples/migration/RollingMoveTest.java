package io.holdfast.examples.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.core.migration.MigrationStatus;
import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.spi.LockProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fleet of processes moves to another store and back while its members take locks. */
@Tag("server")
class RollingMoveTest {
    /** A client that died is shown for a minute. */
    private static final Duration DEAD_CLIENTS_ARE_SHOWN = Duration.ofSeconds(75);

    @TempDir
    Path directory;

    private Evidence evidence;

    @BeforeEach
    void open() {
        evidence = new Evidence(directory);
    }

    @Test
    void smallFleetMovesToAnotherStore() throws IOException {
        Move move = Move.REDIS_TO_ZOOKEEPER;
        try (Fleet fleet = fleet(move, 2)) {
            fleet.roll(Phase.BOTH);
            fleet.roll(Phase.TO_ONLY);
            fleet.end();
        }
        assertMoved(2);
        assertNothingIsLeft(move, 2);
    }

    @Test
    @Tag("full")
    void fleetMovesFromRedisToZooKeeperAndBackAndSurvivesKilledMember() throws IOException {
        movesThereAndBack(Move.REDIS_TO_ZOOKEEPER);
    }

    @Test
    @Tag("full")
    void fleetMovesFromPostgreSqlToRedisAndBackAndSurvivesKilledMember() throws IOException {
        movesThereAndBack(Move.FLEET_POSTGRESQL_TO_REDIS);
    }

    private void movesThereAndBack(Move move) throws IOException {
        int members = 6;
        try (Fleet fleet = fleet(move, members)) {
            fleet.roll(Phase.BOTH);
            fleet.replaceKilled(members / 2, Phase.BOTH);
            fleet.roll(Phase.TO_ONLY);
            fleet.roll(Phase.BOTH);
            fleet.roll(Phase.FROM_ONLY);
            fleet.end();
        }
        assertMoved(members);
        assertNothingIsLeft(move, members);
    }

    /** What the other tests rest on: the evidence shows clients that do not exclude each other. */
    @Test
    void evidenceShowsFleetThatSkipsBoth() {
        Move move = Move.REDIS_TO_ZOOKEEPER;
        try (Fleet fleet = new Fleet(directory, move.fromUri(), move.toUri())) {
            // Ended, not killed: their locks must not be in the way of the other tests.
            fleet.add("old store", move.fromUri());
            fleet.add("new store", move.toUri());
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(evidence.overlaps()).isNotEmpty());
            fleet.end();
        }
    }

    private Fleet fleet(Move move, int members) {
        Fleet fleet = new Fleet(directory, move.fromUri(), move.toUri());
        for (int i = 0; i < members; i++) {
            fleet.add(Phase.FROM_ONLY.name(), fleet.uri(Phase.FROM_ONLY));
        }
        return fleet;
    }

    private void assertMoved(int members) throws IOException {
        assertThat(evidence.overlaps()).isEmpty();
        assertThat(evidence.failures()).isEmpty();
        List<Evidence.Hold> all = new ArrayList<>();
        for (String name : FleetMember.names(members)) {
            List<Evidence.Hold> holds = evidence.holds(name);
            assertThat(holds).as(name).isNotEmpty();
            for (int i = 1; i < holds.size(); i++) {
                assertThat(holds.get(i).token())
                        .as("%s: token of %s after %s", name, holds.get(i), holds.get(i - 1))
                        .isGreaterThan(holds.get(i - 1).token());
            }
            all.addAll(holds);
        }
        Map<String, Long> perPhase =
                all.stream().collect(Collectors.groupingBy(Evidence.Hold::phase, TreeMap::new, Collectors.counting()));
        Evidence.Hold longest = all.stream()
                .max(Comparator.comparingLong(Evidence.Hold::waitedMillis))
                .orElseThrow();
        System.out.println("Move of " + members + " processes: holds " + perPhase + ", locks lost "
                + evidence.losses().size() + ", longest pause of a waiter " + longest.waitedMillis() + " ms (" + longest
                + ")");
        assertThat(perPhase).containsKeys(Phase.FROM_ONLY.name(), Phase.BOTH.name(), Phase.TO_ONLY.name());
    }

    private static void assertNothingIsLeft(Move move, int members) {
        try (LockProvider from = LockClient.builder(move.fromUri()).buildProvider();
                LockProvider to = LockClient.builder(move.toUri()).buildProvider()) {
            for (String name : FleetMember.names(members)) {
                assertThat(from.holder(name)).as("%s in the old store", name).isEmpty();
                assertThat(to.holder(name)).as("%s in the new store", name).isEmpty();
            }
            await().atMost(DEAD_CLIENTS_ARE_SHOWN)
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> {
                        MigrationStatus status = MigrationStatus.of(from, to);
                        for (Phase phase : Phase.values()) {
                            assertThat(status.clients(phase)).as("%s", status).isEmpty();
                        }
                    });
        }
    }
}
