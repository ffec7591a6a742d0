package io.holdfast.wrong;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import java.util.List;
import java.util.Optional;

/** An outage of the in-memory store, and errors with which it answers. */
public final class Cut implements Faults {

    private volatile boolean down;
    private volatile boolean refusing;

    @Override
    public Optional<Fault> outage() {
        return Optional.of(new Fault(() -> down = true, () -> down = false));
    }

    @Override
    public List<Fault> errorReplies() {
        return List.of(new Fault(() -> refusing = true, () -> refusing = false));
    }

    /**
     * Whether the store answers changes with errors.
     *
     * @return whether it does
     */
    public boolean isRefusing() {
        return refusing;
    }

    /**
     * Must be called before each call of the store.
     *
     * @throws LockStoreException during an outage
     */
    public void check() {
        if (down) {
            throw new LockStoreException("The test has cut the store off");
        }
    }

    /**
     * Must be called before each call that changes the store.
     *
     * @throws LockStoreException during an outage, or while the store answers with errors
     */
    public void checkChange() {
        check();
        if (refusing) {
            throw new LockStoreException("The store has answered with an error");
        }
    }

    /**
     * Puts a claim behind the outage.
     *
     * @param claim a claim on the store
     * @return the claim, which cannot reach the store during an outage
     */
    public Claim over(Claim claim) {
        return new Claim() {
            @Override
            public Attempt attempt() {
                return attemptFor(1);
            }

            @Override
            public Attempt attemptFor(int tokens) {
                checkChange();
                return claim.attemptFor(tokens);
            }

            @Override
            public Renewal renew() {
                checkChange();
                return claim.renew();
            }

            @Override
            public Release release() {
                checkChange();
                return claim.release();
            }
        };
    }
}
