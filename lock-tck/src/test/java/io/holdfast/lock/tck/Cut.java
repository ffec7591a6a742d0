package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import java.util.Optional;

/** An outage of the in-memory store. */
final class Cut implements Faults {

    private volatile boolean down;

    @Override
    public Optional<Fault> outage() {
        return Optional.of(new Fault(() -> down = true, () -> down = false));
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
