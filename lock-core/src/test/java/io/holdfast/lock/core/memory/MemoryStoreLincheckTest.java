package io.holdfast.lock.core.memory;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of the store's operations has the results of some order of them. Time passes between operations, so that
 * leases and reservations end on the way. Public because Lincheck instantiates it.
 */
@Param(name = "claim", gen = IntGen.class, conf = "0:3")
@Tag("full")
public class MemoryStoreLincheckTest {

    private static final Duration LEASE = Duration.ofMillis(1500);
    private static final MemoryLockProvider NO_PROVIDER =
            MemoryLockProvider.builder("lincheck").build();
    private static final ClaimSignals DEAF = new ClaimSignals() {
        @Override
        public void mayBeFree() {}

        @Override
        public void lost(LossCause cause) {}
    };

    private final AtomicLong nanos = new AtomicLong();
    private final MemoryStore store = new MemoryStore("lincheck", nanos::get);
    private final List<MemoryClaim> claims = List.of(
            claim(0, "a", Intent.WAIT),
            claim(1, "b", Intent.WAIT),
            claim(2, "b", Intent.WAIT),
            claim(3, "c", Intent.TRY_ONCE));

    private static MemoryClaim claim(int id, String owner, Intent intent) {
        Claimant claimant = new Claimant("host", 1, "thread");
        return new MemoryClaim(
                NO_PROVIDER::store, new ClaimRequest("L", Integer.toString(id), owner, LEASE, intent, claimant), DEAF);
    }

    @Operation
    public boolean attempt(@Param(name = "claim") int claim) {
        return store.attempt(claims.get(claim), 1) instanceof Attempt.Granted;
    }

    @Operation
    public boolean renew(@Param(name = "claim") int claim) {
        return store.renew(claims.get(claim)) instanceof Renewal.Held;
    }

    @Operation
    public boolean release(@Param(name = "claim") int claim) {
        return store.release(claims.get(claim)) == Release.RELEASED;
    }

    @Operation
    public boolean remove() {
        return store.remove("L");
    }

    @Operation
    public String holder() {
        return store.holder("L").map(LockHolder::owner).orElse("nobody");
    }

    @Operation
    public void pass() {
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void operationsAreLinearizable() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(3)
                .actorsAfter(2)
                .iterations(4)
                .invocationsPerIteration(60)
                .check(MemoryStoreLincheckTest.class);
    }
}
