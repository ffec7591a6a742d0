package io.holdfast.lock.core;

/** The monotonic clock that deadlines are computed from. Its readings mean nothing outside this process. */
interface Ticker {

    /** The reading in nanoseconds; only differences count, and they may wrap around. */
    long nanos();
}
