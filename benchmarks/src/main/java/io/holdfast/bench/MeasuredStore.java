package io.holdfast.bench;

import java.io.IOException;

/** A running store that counts what it does. */
interface MeasuredStore extends AutoCloseable {

    /** Where clients find it: host and port, or a JDBC URL. */
    String address();

    /** The product and its version. */
    String version() throws Exception;

    /** Removes all locks of all contenders. */
    void clear() throws Exception;

    /** How many keys, rows or nodes it has: at least as many as locks are held. */
    long locks() throws Exception;

    /** What it has done so far. */
    StoreCost cost() throws Exception;

    @Override
    void close() throws IOException;
}
