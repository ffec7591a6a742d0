package io.holdfast.lock.core.memory;

import static io.holdfast.lock.core.memory.MemoryStoreFixture.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.core.memory.MemoryStoreFixture.TestClaim;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The queue of claims. */
class MemoryLineTest {

    private static final Duration INSTANT = Duration.ofNanos(1);

    private final MemoryStoreFixture store = new MemoryStoreFixture();
    private final TestClaim holder = store.claim("holder");
    private final TestClaim first = store.claim("first");
    private final TestClaim second = store.claim("second");

    MemoryLineTest() {
        assertThat(holder.isGranted()).isTrue();
        assertThat(first.isGranted()).isFalse();
        assertThat(second.isGranted()).isFalse();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aReleaseWakesTheFirstInTheQueueOnly() {
        holder.claim.release();

        assertThat(first.signals).containsExactly("mayBeFree");
        assertThat(second.signals).isEmpty();
        assertThat(second.isGranted()).isFalse();
        assertThat(first.isGranted()).isTrue();
    }

    @Test
    void claimsAreServedInOrder() {
        List<String> order = new ArrayList<>();
        holder.claim.release();
        for (TestClaim claim : List.of(second, first, second)) {
            if (claim.isGranted()) {
                order.add(claim == first ? "first" : "second");
                claim.claim.release();
            }
        }

        assertThat(order).containsExactly("first", "second");
        assertThat(second.signals).containsExactly("mayBeFree");
    }

    @Test
    void aClaimThatTriesOnceIsNotQueuedAndYieldsToTheQueue() {
        TestClaim passerBy = store.passerBy("passer-by");
        assertThat(passerBy.isGranted()).isFalse();
        holder.claim.release();
        assertThat(passerBy.isGranted()).isFalse();

        first.claim.release();
        second.claim.release();

        assertThat(passerBy.signals).isEmpty();
        assertThat(passerBy.isGranted()).isTrue();
    }

    @Test
    void aWithdrawnClaimLeavesTheLockToTheNext() {
        holder.claim.release();
        assertThat(first.claim.release()).isEqualTo(Release.NOT_HELD);

        assertThat(second.signals).containsExactly("mayBeFree");
        assertThat(second.isGranted()).isTrue();
    }

    @Test
    void theNextAttemptNoticesAnEndedLeaseAndWakesTheFirst() {
        store.pass(LEASE);
        TestClaim passerBy = store.passerBy("passer-by");

        assertThat(passerBy.retryAfter()).isEqualTo(MemoryLock.RESERVED);
        assertThat(first.signals).containsExactly("mayBeFree");
        assertThat(first.isGranted()).isTrue();
    }

    @Test
    void aWokenClaimThatStaysAwayIsQueuedAgainAtTheEnd() {
        holder.claim.release();
        store.pass(MemoryLock.RESERVED.minus(INSTANT));
        assertThat(second.retryAfter()).isEqualTo(INSTANT);
        store.pass(INSTANT);

        assertThat(first.isGranted()).isFalse();
        assertThat(second.signals).containsExactly("mayBeFree");
        assertThat(second.isGranted()).isTrue();
        second.claim.release();
        assertThat(first.signals).containsExactly("mayBeFree", "mayBeFree");
        assertThat(first.isGranted()).isTrue();
    }

    @Test
    void eachDeadWaiterDelaysTheNextOnce() {
        store.claim("third").attempt();
        TestClaim last = store.claim("last");
        assertThat(last.isGranted()).isFalse();
        holder.claim.release();
        int turns = 0;
        while (!last.isGranted()) {
            store.pass(last.retryAfter());
            turns++;
        }

        assertThat(turns).isEqualTo(3);
    }

    @Test
    void theOwnerReentersPastTheQueue() {
        assertThat(store.claim("holder").isGranted()).isTrue();
    }

    @Test
    void aRemovedRecordWakesTheFirst() {
        store.provider.remove("L");

        assertThat(first.signals).containsExactly("mayBeFree");
        assertThat(first.isGranted()).isTrue();
    }

    @Test
    void signalsAreGivenOutsideTheStoresMonitor() throws InterruptedException {
        Thread[] helper = new Thread[1];
        MemoryStoreFixture.TestClaim outsider = store.passerBy("outsider");
        Runnable otherThread = outsider::attempt;
        SignalProbe probe = new SignalProbe(store, () -> {
            helper[0] = new Thread(otherThread);
            helper[0].start();
            try {
                helper[0].join(Duration.ofSeconds(10).toMillis());
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        });
        first.claim.release();
        second.claim.release();
        assertThat(probe.claim.attempt()).isNotNull();

        holder.claim.release();

        assertThat(helper[0].isAlive())
                .as("the store was still locked during the signal")
                .isFalse();
    }
}
