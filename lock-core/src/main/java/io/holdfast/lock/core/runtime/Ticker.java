package io.holdfast.lock.core.runtime;

/** The monotonic clock that deadlines are computed from. Its readings mean nothing outside this process. */
public interface Ticker {

    /** The reading in nanoseconds; only differences count, and they may wrap around. */
    long nanos();
}
