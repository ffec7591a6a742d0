package io.holdfast.bench;

import java.util.concurrent.Callable;

/**
 * What takes part in a scenario.
 *
 * @param name as the table shows it
 * @param side whose it is
 * @param opening connects a new client
 */
record Contender(String name, Side side, Callable<Locks> opening) {

    enum Side {
        /** What the store can do at most, without a library. */
        LIMIT,
        PEER,
        OURS
    }
}
