package io.holdfast.lock.core.client;

/** What an interrupt does to a blocking acquire. */
enum Interrupts {
    /** It ends the wait. */
    END_THE_WAIT,
    /** It waits itself: the thread is still interrupted when the acquire returns. */
    WAIT
}
