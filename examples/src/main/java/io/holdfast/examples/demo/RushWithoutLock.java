package io.holdfast.examples.demo;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The first act: without a lock, more is sold than there is. If it were not so, the second act would prove nothing. */
final class RushWithoutLock implements Act {

    @Override
    public String title() {
        return "Without a lock";
    }

    @Override
    public List<DemoVerdict> play(Scene scene) throws SQLException, InterruptedException {
        scene.screen().text("Every buyer reads the stock, thinks for a moment, and writes back one unit less.");
        Rush.Outcome outcome = new Rush(scene, Optional.empty()).run();
        int sold = outcome.sales().size();
        int units = scene.size().units();
        scene.screen().text("The stock table says " + outcome.unitsLeft() + " left; the till says " + sold + " sold.");
        String seen = sold > units
                ? (sold - units) + " too many, " + sold + " sold of " + units
                : sold + " sold of " + units + ", so this run proves nothing";
        return List.of(new DemoVerdict(sold > units, "without a lock the shop oversells", seen));
    }
}
