package io.holdfast.examples.demo;

import java.util.List;

/** Where the workers of a demo run. */
interface Stage {

    /** Starts a worker. */
    Worker start(String name, List<String> order);

    /** What the crews are, in the plural: {@code processes} or {@code clients in this process}. */
    String crews();

    /** How the holder in the third act is kept from its work: the end of a sentence that begins with its name. */
    String pausing();

    /** Whether the lease of the holder that sleeps in the third act is renewed. It can be where sleep stops that, too. */
    boolean renewsSleeper();
}
