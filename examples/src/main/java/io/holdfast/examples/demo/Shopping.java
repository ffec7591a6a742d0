package io.holdfast.examples.demo;

import java.sql.SQLException;

/** A way to buy one unit: read the stock, think, write back one unit less. */
interface Shopping {

    /**
     * Buys one unit.
     *
     * @return false if none is left
     */
    boolean buyOne() throws SQLException, InterruptedException;
}
