package io.holdfast.lock.tck;

/** A chapter of the contract: each rule a test in a default method, so that it is reported as a test of the provider's class. */
interface Rules {

    /** What the running test works with. */
    Kit kit();
}
