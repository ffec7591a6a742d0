package io.holdfast.bench;

import java.util.OptionalLong;

/** One lock, as one thread uses it. */
interface Section {

    /** Waits for the lock. Returns its fencing token, if there is one. */
    OptionalLong enter() throws Exception;

    void leave() throws Exception;
}
