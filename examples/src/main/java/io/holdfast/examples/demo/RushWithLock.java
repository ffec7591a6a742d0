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
    public List<Verdict> play(Scene scene) throws SQLException, InterruptedException {
        scene.screen().text("The same buyers; each acquires the lock '" + Scene.LOCK_NAME + "' before it reads,");
        scene.screen().text("and takes the lock's fencing token along to the table.");
        Rush.Outcome outcome = new Rush(scene, Optional.of(scene.lockUri())).run();
        scene.screen().text("Sold by " + perCrew(outcome.sales()) + ".");
        scene.screen()
                .text("The lock went from one of the " + scene.stage().crews() + " to another "
                        + handOffs(outcome.sales()) + " times; "
                        + Screen.seconds(outcome.took()) + " in all.");
        return List.of(exactlySold(outcome, scene.size().units()), noneLost(outcome, scene.size().units()), fenced(outcome));
    }

    private static Verdict exactlySold(Rush.Outcome outcome, int units) {
        int sold = outcome.sales().size();
        return sold == units
                ? new Verdict(true, "with the lock exactly " + units + " of " + units + " sold")
                : new Verdict(false, "with the lock exactly " + units + " should be sold, but " + sold + " were");
    }

    private static Verdict noneLost(Rush.Outcome outcome, int units) {
        int sold = outcome.sales().size();
        int counted = units - outcome.unitsLeft();
        return counted == sold && outcome.unitsLeft() == 0
                ? new Verdict(true, "no sale lost: stock and till agree, 0 left")
                : new Verdict(false, "the stock counts " + counted + " sales and the till " + sold + ", "
                        + outcome.unitsLeft() + " left of " + units);
    }

    private static Verdict fenced(Rush.Outcome outcome) {
        boolean growing = tokensGrow(outcome.sales());
        return growing && outcome.refused() == 0
                ? new Verdict(true, "every sale carried a larger fencing token than the one before; none was refused")
                : new Verdict(false, "fencing tokens should grow from sale to sale (they "
                        + (growing ? "did" : "did not") + ") and none be refused (" + outcome.refused() + " were)");
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
