package io.holdfast.bench;

import java.io.IOException;

/** A client of a lock library. */
interface Locks extends AutoCloseable {

    /** A lock for one thread. Is called by that thread. */
    Section section(String lock) throws Exception;

    @Override
    void close() throws IOException;
}
