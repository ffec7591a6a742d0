package io.holdfast.examples.demo;

import io.holdfast.lock.LockOptions.RenewalMode;
import java.util.List;

/** Where the workers of a demo run. */
interface Stage {

    /** Starts a worker. */
    Worker start(String name, List<String> order);

    /** What the crews are, in the plural: {@code processes} or {@code clients in this process}. */
    String crews();

    /** How the holder in the third act is kept from its work: the end of a sentence that begins with its name. */
    String pausing();

    /** Whether the holder in the third act has its lease renewed. A pause ends that only where it stops everything. */
    RenewalMode holderRenewal();
}
