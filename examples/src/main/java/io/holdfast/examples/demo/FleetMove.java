package io.holdfast.examples.demo;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.core.migration.MigrationStatus;
import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.spi.LockProvider;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The act of {@code ./demo migrate}: the crews sell while their locks move to ZooKeeper; they are restarted one by one. */
final class FleetMove implements Act {
    private static final Duration BOUND = Duration.ofSeconds(30);

    /** A crew may stand still for some seconds while it has the lock, and must not lose it. */
    private static final Duration SESSION = Duration.ofSeconds(8);

    /**
     * A buyer thinks for an eighth of the time that the first crews took to start, or longer: the next ones start while it buys.
     */
    private static final int THOUGHTS_PER_START = 8;

    private static final Duration LONGEST_THOUGHT = Duration.ofMillis(1_500);
    private static final String ROW = "%6s   ";
    private static final String CELL = "%-11s";

    @Override
    public String title() {
        return "A move to another lock store, while the shop is open";
    }

    @Override
    public List<DemoVerdict> play(Scene scene) throws SQLException, InterruptedException {
        try (DemoBackend.Store to = ZooKeeperBackend.start(SESSION);
                Fleet fleet = new Fleet(scene, to)) {
            scene.screen().text("The locks move to " + to.description() + ".");
            scene.screen()
                    .text(
                            "FROM_ONLY takes a lock in the old store, BOTH in both, TO_ONLY in the new one. The crews are");
            scene.screen().text("restarted one by one, each in the next phase, and one is killed (SIGKILL).");
            return move(scene, fleet);
        }
    }

    private static List<DemoVerdict> move(Scene scene, Fleet fleet) throws SQLException {
        int units = scene.size().units();
        scene.shop().restock(ShopDatabase.ITEM, units);
        long opened = System.nanoTime();
        fleet.open();
        fleet.roll(Phase.BOTH);
        fleet.replaceKilled(1, Phase.BOTH);
        String before = fleet.status();
        fleet.roll(Phase.TO_ONLY);
        fleet.awaitEnd();
        Rush.Outcome outcome = new Rush.Outcome(
                scene.shop().sales().all(),
                scene.shop().units(ShopDatabase.ITEM),
                fleet.refused,
                fleet.disturbed,
                Duration.ofNanos(System.nanoTime() - opened));
        Map<String, Long> sold = outcome.sales().stream()
                .map(sale -> sale.crew().substring(sale.crew().indexOf(' ') + 1))
                .collect(Collectors.groupingBy(phase -> phase, TreeMap::new, Collectors.counting()));
        return List.of(
                RushWithLock.exactlySold(outcome, units),
                RushWithLock.noneLost(outcome, units),
                RushWithLock.fenced(outcome, false),
                new DemoVerdict(
                        before.startsWith("0 "), "nobody is in FROM_ONLY before the first crew is in TO_ONLY", before),
                new DemoVerdict(
                        sold.size() == Phase.values().length, "the shop sells in every phase", sold.toString()));
    }

    /** The crews, and the phase that each is in. */
    private static final class Fleet implements AutoCloseable {
        private final Scene scene;
        private final DemoBackend.Store to;
        private final List<Worker> crews = new ArrayList<>();
        private final String[] phases;
        private Duration think;
        private int refused;
        private int disturbed;

        Fleet(Scene scene, DemoBackend.Store to) {
            this.scene = scene;
            this.to = to;
            this.phases = new String[scene.size().crews()];
            this.think = scene.size().think();
        }

        void open() throws SQLException {
            long begun = System.nanoTime();
            StringBuilder head = new StringBuilder(String.format(ROW, "sold"));
            for (int i = 0; i < phases.length; i++) {
                crews.add(start(i, Phase.FROM_ONLY));
                head.append(String.format(CELL, "crew-" + (i + 1)));
            }
            crews.forEach(crew -> crew.await(BuyerCrew.READY, BOUND));
            slowDown(Duration.ofNanos(System.nanoTime() - begun));
            scene.screen().detail(head.toString().stripTrailing());
            show();
            crews.forEach(crew -> crew.tell(BuyerCrew.OPEN));
        }

        /** On a slow machine the later crews buy more slowly, so that the shop still sells when the last one was restarted. */
        private void slowDown(Duration start) {
            Duration slower = start.dividedBy(THOUGHTS_PER_START);
            if (slower.compareTo(think) > 0) {
                think = slower.compareTo(LONGEST_THOUGHT) > 0 ? LONGEST_THOUGHT : slower;
            }
        }

        private Worker start(int place, Phase phase) {
            phases[place] = phase.name();
            String uri = "migrate:?from=" + encoded(scene.store().uri()) + "&to=" + encoded(to.uri()) + "&phase="
                    + phase.name().toLowerCase(Locale.ROOT) + "&lease="
                    + scene.size().lease().toMillis() + "ms";
            DemoSize size = scene.size();
            String crew = "crew-" + (place + 1);
            BuyerCrew.Order order = new BuyerCrew.Order(
                    crew + " " + phase, scene.shop().url(), Optional.of(uri), size.buyers(), think, size.closing());
            return scene.stage().start(crew, order.toWords());
        }

        private static String encoded(String uri) {
            return URLEncoder.encode(uri, StandardCharsets.UTF_8);
        }

        void roll(Phase phase) throws SQLException {
            for (int place = 0; place < crews.size(); place++) {
                crews.get(place).tell(BuyerCrew.CLOSE);
                awaitEnd(crews.get(place));
                replace(place, phase);
            }
        }

        void replaceKilled(int place, Phase phase) throws SQLException {
            crews.get(place).close();
            phases[place] = "killed";
            show();
            replace(place, phase);
        }

        private void replace(int place, Phase phase) throws SQLException {
            Worker next = start(place, phase);
            crews.set(place, next);
            next.await(BuyerCrew.READY, BOUND);
            next.tell(BuyerCrew.OPEN);
            show();
        }

        void awaitEnd() throws SQLException {
            crews.forEach(this::awaitEnd);
            Arrays.fill(phases, "closed");
            show();
        }

        private void awaitEnd(Worker crew) {
            String[] counts = crew.await(
                            BuyerCrew.REFUSED, scene.size().closing().plus(BOUND))
                    .split(" ", -1);
            refused += Integer.parseInt(counts[0]);
            disturbed += Integer.parseInt(counts[1]);
            // Then nobody finds it in its phase any more.
            String unused = crew.await(BuyerCrew.GONE, BOUND);
            crew.close();
        }

        private void show() throws SQLException {
            StringBuilder row =
                    new StringBuilder(String.format(ROW, scene.shop().sales().count()));
            for (String phase : phases) {
                row.append(String.format(CELL, phase));
            }
            scene.screen().text(row.toString().stripTrailing());
        }

        /** What an operator looks at before the last step. */
        String status() {
            try (LockProvider old = LockClient.builder(scene.store().uri()).buildProvider();
                    LockProvider young = LockClient.builder(to.uri()).buildProvider()) {
                MigrationStatus status = MigrationStatus.of(old, young);
                return status.clients(Phase.FROM_ONLY).size() + " in FROM_ONLY, "
                        + status.clients(Phase.BOTH).size() + " in BOTH (the one that was killed is shown for a while)";
            }
        }

        @Override
        public void close() {
            crews.forEach(Worker::close);
        }
    }
}
