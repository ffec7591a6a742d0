package io.holdfast.examples.demo;

import java.sql.SQLException;
import java.util.List;

/** One act of the demo: shows something, and claims something about it. */
interface Act {

    String title();

    /** Plays it. Its workers have ended when it returns. */
    List<DemoVerdict> play(Scene scene) throws SQLException, InterruptedException;
}
