package io.holdfast.examples.demo;

import java.time.Duration;

/**
 * How large a demo is.
 *
 * @param units how many units are for sale
 * @param crews how many crews of buyers there are; each is a process, where the backend reaches other processes
 * @param buyers how many buyers, threads, each crew has
 * @param think how long a buyer thinks at most between reading the stock and writing it
 * @param lease the lease of the holder that is paused in the third act
 * @param closing how long the shop is open at most: a lock that never lets go must not hang the demo
 */
record DemoSize(int units, int crews, int buyers, Duration think, Duration lease, Duration closing) {

    /** What {@code ./demo} runs. */
    static final DemoSize STANDARD =
            new DemoSize(100, 3, 4, Duration.ofMillis(12), Duration.ofSeconds(2), Duration.ofSeconds(15));

    /** What {@code ./demo migrate} runs: slow enough that the shop still sells when the last crew was restarted. */
    static final DemoSize MOVE =
            new DemoSize(100, 4, 1, Duration.ofMillis(420), Duration.ofSeconds(5), Duration.ofMinutes(3));

    int buyersInAll() {
        return crews * buyers;
    }
}
