package io.holdfast.examples.demo;

import io.holdfast.lock.FencingToken;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The second act: with the lock, exactly the stock is sold. */
final class RushWithLock implements Act {

    @Override
    public String title() {
        return "With the lock";
    }

    @Override
    public List<DemoVerdict> play(Scene scene) throws SQLException, InterruptedException {
        scene.screen().text("The same buyers; each acquires the lock '" + Scene.LOCK_NAME + "' before it reads,");
        scene.screen().text("and takes its fencing token along to the table: a number that grows with each grant.");
        Rush.Outcome outcome = new Rush(scene, Optional.of(scene.store())).run();
        scene.screen()
                .text("Sold by " + perCrew(outcome.sales()) + "; hand-offs between crews: " + handOffs(outcome.sales())
                        + "; time: " + Screen.seconds(outcome.took()) + ".");
        int units = scene.size().units();
        return List.of(exactlySold(outcome, units), noneLost(outcome, units), fenced(outcome, mayLoseLocks(scene)));
    }

    static DemoVerdict exactlySold(Rush.Outcome outcome, int units) {
        int sold = outcome.sales().size();
        return new DemoVerdict(
                sold == units, "with the lock exactly " + units + " are sold", sold + " sold of " + units);
    }

    static DemoVerdict noneLost(Rush.Outcome outcome, int units) {
        int sold = outcome.sales().size();
        int counted = units - outcome.unitsLeft();
        return new DemoVerdict(
                counted == sold && outcome.unitsLeft() == 0,
                "no sale is lost",
                "the table counts " + counted + ", the till " + sold + ", " + outcome.unitsLeft() + " left");
    }

    private static boolean mayLoseLocks(Scene scene) {
        return scene.store()
                .mishap()
                .filter(mishap -> mishap.harm() == Mishap.Harm.LOCKS_MAY_BE_LOST)
                .isPresent();
    }

    static DemoVerdict fenced(Rush.Outcome outcome, boolean mayLoseLocks) {
        boolean growing = tokensGrow(outcome.sales());
        String seen = (growing ? "it grew" : "it did not grow") + "; refused: " + outcome.refused()
                + "; the store was away, or the lock lost: " + outcome.disturbed();
        return mayLoseLocks
                ? new DemoVerdict(
                        growing, "the fencing token grows from sale to sale, whatever the new master lacks", seen)
                : new DemoVerdict(
                        growing && outcome.refused() + outcome.disturbed() == 0,
                        "the fencing token grows from sale to sale, no lock is lost, and the table refuses nobody",
                        seen);
    }

    private static boolean tokensGrow(List<SaleBook.Sale> sales) {
        long last = 0;
        for (SaleBook.Sale sale : sales) {
            long token = sale.token().map(FencingToken::value).orElse(0L);
            if (token <= last) {
                return false;
            }
            last = token;
        }
        return true;
    }

    private static String perCrew(List<SaleBook.Sale> sales) {
        Map<String, Long> counts =
                sales.stream().collect(Collectors.groupingBy(SaleBook.Sale::crew, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private static int handOffs(List<SaleBook.Sale> sales) {
        int handOffs = 0;
        for (int i = 1; i < sales.size(); i++) {
            if (!sales.get(i).crew().equals(sales.get(i - 1).crew())) {
                handOffs++;
            }
        }
        return handOffs;
    }
}
