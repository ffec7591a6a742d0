package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;

/** An outage of the in-memory store. */
final class Cut {

    private volatile boolean down;

    Outage outage() {
        return new Outage(() -> down = true, () -> down = false);
    }

    void check() {
        if (down) {
            throw new LockStoreException("The test has cut the store off");
        }
    }

    /** A claim that cannot reach the store during an outage. */
    Claim over(Claim claim) {
        return new Claim() {
            @Override
            public Attempt attempt() {
                check();
                return claim.attempt();
            }

            @Override
            public Renewal renew() {
                check();
                return claim.renew();
            }

            @Override
            public Release release() {
                check();
                return claim.release();
            }
        };
    }
}
