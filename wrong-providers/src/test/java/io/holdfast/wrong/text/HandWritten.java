package io.holdfast.wrong.text;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;

/** A wrong text that was written by hand. */
interface HandWritten extends WrongProvider {

    /** The wrong text. */
    WrongText text();

    /** Each test has a store that has granted nothing yet, which is what some faults show in. */
    @Override
    default LockHarness harness() {
        return text().harnessApart();
    }
}
