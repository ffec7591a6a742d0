package io.holdfast.bench;

/**
 * What takes part in a scenario.
 *
 * @param name as the table shows it
 * @param side whose it is
 * @param opening connects a new client
 */
record Contender(String name, Side side, Opening opening) {

    enum Side {
        /** What the store can do at most, without a library. */
        LIMIT,
        /** Another library. */
        PEER,
        /** Some lines that many applications have in the place of a library, and that promise less. */
        TEXTBOOK,
        OURS
    }

    /** Connects a client. */
    interface Opening {

        /** Connects a client to the store at an address, as {@link MeasuredStore#address} tells it. */
        Locks open(String address) throws Exception;
    }
}
