package io.holdfast.examples.demo;

/**
 * What happens to a store when half of the units are sold.
 *
 * @param what what happens, for people
 * @param cause makes it happen
 * @param harm what it may do to the locks
 */
record Mishap(String what, Runnable cause, Harm harm) {

    /** What a mishap may do to the locks. */
    enum Harm {
        /** Locks stay held. */
        NONE,
        /** A lock may be granted again while its holder still believes in it, and holders may not reach the store. */
        LOCKS_MAY_BE_LOST
    }
}
