package io.holdfast.lock.spi;

/** The answer to a release. */
public enum Release {
    /** The claim was in force until now, and is gone. */
    RELEASED,
    /** The claim was not in force: never granted, lost, or released before. If it was queued, its place is given up. */
    NOT_HELD
}
