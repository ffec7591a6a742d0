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
    public List<Verdict> play(Scene scene) throws SQLException, InterruptedException {
        scene.screen().text("Every buyer reads the stock, thinks for a moment, and writes back one unit less.");
        Rush.Outcome outcome = new Rush(scene, Optional.empty()).run();
        int sold = outcome.sales().size();
        int units = scene.size().units();
        scene.screen().text("The stock table says " + outcome.unitsLeft() + " left; the till says " + sold + " sold.");
        return List.of(
                sold > units
                        ? new Verdict(true, "without a lock it oversells: " + sold + " sold of " + units + ", "
                                + (sold - units) + " too many")
                        : new Verdict(false, "without a lock it should oversell, but " + sold + " of " + units
                                + " were sold: this run proves nothing"));
    }
}
