package io.holdfast.wrong;

import io.holdfast.lock.tck.LockHarness;

/** A provider with one fault. The constants of several enums implement it, one enum for each kind of fault. */
public interface WrongProvider {

    /**
     * What it is called.
     *
     * @return the name of the constant, which says what the provider does wrong
     */
    String name();

    /**
     * Makes a harness on a store of its own, or under lock names of its own.
     *
     * @return a new harness, whose providers have the fault
     */
    LockHarness harness();
}
