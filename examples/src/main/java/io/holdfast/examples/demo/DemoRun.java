package io.holdfast.examples.demo;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One run of the demo, from the start of the servers to the summary. */
final class DemoRun {
    /** What {@code ./demo} plays. */
    static final List<Act> SALE = List.of(new RushWithoutLock(), new RushWithLock(), new PausedHolder());

    /** What {@code ./demo migrate} plays. */
    static final List<Act> MOVE = List.of(new FleetMove());

    private final List<Act> acts;
    private final DemoBackend backend;
    private final DemoSize size;
    private final Screen screen;

    DemoRun(List<Act> acts, DemoBackend backend, DemoSize size, Screen screen) {
        this.acts = acts;
        this.backend = backend;
        this.size = size;
        this.screen = screen;
    }

    /**
     * Runs it. Every server and worker has ended when it returns.
     *
     * @return the verdicts, in order
     * @throws StagingException if it could not be carried out
     */
    List<DemoVerdict> play() throws SQLException, InterruptedException {
        long start = System.nanoTime();
        List<DemoVerdict> verdicts = new ArrayList<>();
        try (ShopDatabase shop = ShopDatabase.open();
                DemoBackend.Store store = backend.start()) {
            Stage stage = backend.stage();
            introduce(shop, store, stage);
            Scene scene = new Scene(stage, shop, store, size, screen);
            for (int i = 0; i < acts.size(); i++) {
                screen.heading((i + 1) + "  " + acts.get(i).title());
                List<DemoVerdict> ofAct = acts.get(i).play(scene);
                ofAct.forEach(screen::verdict);
                verdicts.addAll(ofAct);
            }
        }
        summarise(verdicts, Duration.ofNanos(System.nanoTime() - start));
        return verdicts;
    }

    private void introduce(ShopDatabase shop, DemoBackend.Store store, Stage stage) {
        screen.heading("Holdfast demo: " + size.buyersInAll() + " buyers, " + size.units() + " units");
        screen.text("locks   " + store.description());
        screen.text("stock   " + shop.description());
        screen.text("buyers  " + size.crews() + " " + stage.crews() + ", each with " + size.buyers() + " threads");
    }

    private void summarise(List<DemoVerdict> verdicts, Duration took) {
        long held = verdicts.stream().filter(DemoVerdict::holds).count();
        screen.heading("Summary");
        screen.verdict(new DemoVerdict(
                held == verdicts.size(),
                "backend '" + backend.name() + "'",
                held + " of " + verdicts.size() + " claims held, in " + Screen.seconds(took)));
    }
}
