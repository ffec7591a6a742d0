package io.holdfast.examples.demo;

import java.sql.SQLException;
import java.util.List;

/** The work of a process or thread. */
interface Role {

    /** Plays the role to its end. */
    void play(Wire wire) throws SQLException, InterruptedException;

    /** Makes the role that an order of one of the roles describes. */
    static Role of(List<String> order) {
        return switch (order.get(0)) {
            case BuyerCrew.ROLE -> new BuyerCrew(BuyerCrew.Order.parse(order));
            case SleepyHolder.ROLE -> new SleepyHolder(SleepyHolder.Order.parse(order));
            default -> throw new StagingException("There is no role '" + order.get(0) + "'");
        };
    }
}
