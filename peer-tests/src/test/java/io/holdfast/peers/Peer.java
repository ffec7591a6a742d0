package io.holdfast.peers;

import java.time.Duration;

/** One user of another library's lock, on one thread. */
interface Peer extends AutoCloseable {

    /** Asks once. */
    boolean take();

    /** Waits for the lock; a library that cannot wait asks again and again, as its users do. */
    boolean take(Duration wait) throws InterruptedException;

    /** Gives back what the last {@code take} got; fails as the library fails if it is not held any more. */
    void release();

    @Override
    void close();
}
