package io.holdfast.examples.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
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
import org.junit.jupiter.api.parallel.Isolated;

/** A fleet of processes moves to another store and back while its members take locks. */
@Tag("server")
@Isolated
class RollingMoveTest {
    /** The lease of a killed member, and several times what a waiter sleeps that nobody wakes. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(20);

    /** A client that died is shown for a minute. */
    private static final Duration DEAD_CLIENTS_ARE_SHOWN = Duration.ofSeconds(75);

    /** The URIs of the old store and of the new one. */
    private record Move(String from, String to) {

        static Move redisToZooKeeper() {
            // Each member connects while others start.
            String timeOuts = "?sessionTimeout=5s&connectTimeout=20s";
            return new Move(Stores.redis() + "?timeout=20s&prefix=fleet:", Stores.zooKeeper() + timeOuts);
        }

        static Move postgreSqlToRedis() {
            return new Move(Stores.postgreSql(), Stores.redis() + "?timeout=20s&prefix=fleet-of-postgresql:");
        }
    }

    @TempDir
    Path directory;

    private Evidence evidence;

    @BeforeEach
    void open() {
        evidence = new Evidence(directory);
    }

    @Test
    void smallFleetMovesToAnotherStore() throws IOException {
        Move move = Move.redisToZooKeeper();
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
        movesThereAndBack(Move.redisToZooKeeper());
    }

    @Test
    @Tag("full")
    void fleetMovesFromPostgreSqlToRedisAndBackAndSurvivesKilledMember() throws IOException {
        movesThereAndBack(Move.postgreSqlToRedis());
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

    /**
     * What the other tests rest on: the evidence shows clients that do not exclude each other, and tokens of stores that know
     * nothing of each other.
     */
    @Test
    void evidenceShowsFleetThatSkipsBoth() throws IOException {
        Move move = Move.redisToZooKeeper();
        try (Fleet fleet = new Fleet(directory, move.from(), move.to())) {
            // Ended, not killed: their locks must not be in the way of the other tests.
            fleet.add("old-store", move.from());
            fleet.add("new-store", move.to());
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(evidence.overlaps()).isNotEmpty();
                assertThat(evidence.tokensThatDidNotGrow(FleetMember.names(2).get(0)))
                        .isNotEmpty();
            });
            fleet.end();
        }
    }

    @Test
    void lockThatIsLeftIsSeen() throws InterruptedException {
        String store = Move.redisToZooKeeper().from();
        String name = FleetMember.names(2).get(1);
        try (LockClient client = LockClient.connect(store);
                LockHandle held = client.lock(name).acquire();
                LockProvider provider = LockClient.builder(store).buildProvider()) {
            assertThat(held.isHeld()).isTrue();
            assertThat(locksOf(2, provider)).containsExactly(name);
        }
    }

    private Fleet fleet(Move move, int members) {
        Fleet fleet = new Fleet(directory, move.from(), move.to());
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
            assertThat(evidence.tokensThatDidNotGrow(name)).isEmpty();
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
        assertThat(longest.waitedMillis()).isLessThan(LONGEST_PAUSE.toMillis());
        assertThat(perPhase).containsKeys(Phase.FROM_ONLY.name(), Phase.BOTH.name(), Phase.TO_ONLY.name());
    }

    private static void assertNothingIsLeft(Move move, int members) {
        try (LockProvider from = LockClient.builder(move.from()).buildProvider();
                LockProvider to = LockClient.builder(move.to()).buildProvider()) {
            assertThat(locksOf(members, from)).isEmpty();
            assertThat(locksOf(members, to)).isEmpty();
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

    private static List<String> locksOf(int members, LockProvider store) {
        return FleetMember.names(members).stream()
                .filter(name -> store.holder(name).isPresent())
                .toList();
    }
}
