package io.holdfast.wrong.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class TextbookProviderTest {

    private static final String NAME = "jobs/ä 🔒.";

    private final LockHarness harness =
            TextbookHarness.of(Opening.of(TextbookProvider::new), Death.AFTER_ITS_FIRST_ATTEMPT);

    @SuppressWarnings("NullAway.Init")
    private LockProvider one;

    @SuppressWarnings("NullAway.Init")
    private LockProvider other;

    @BeforeEach
    void open() {
        one = harness.open();
        other = harness.open();
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
        harness.close();
    }

    @Test
    void oneOfTwoClientsHasTheLock() {
        TestClaim holder = TestClaim.once(one, NAME);
        TestClaim rival = TestClaim.once(other, NAME);

        long token = holder.token();

        assertThat(rival.granted()).isFalse();
        assertThat(holder.token()).isEqualTo(token);
        assertThat(holder.claim.renew()).isInstanceOf(Renewal.Held.class);
        assertThat(tokenShown()).contains(token);
        assertThat(holder.claim.release()).isEqualTo(Release.RELEASED);
        assertThat(holder.claim.release()).isEqualTo(Release.NOT_HELD);
        assertThat(rival.token()).isGreaterThan(token);
    }

    private Optional<Long> tokenShown() {
        return other.holder(NAME).flatMap(LockHolder::fencingToken).map(token -> token.value());
    }

    @Test
    void aWaiterIsWokenByTheRelease() {
        TestClaim holder = TestClaim.once(one, NAME);
        TestClaim waiter = TestClaim.waiting(other, NAME);
        assertThat(holder.granted()).isTrue();
        assertThat(waiter.granted()).isFalse();
        assertThat(waiter.mayBeFree).hasValue(0);

        Release release = holder.claim.release();

        assertThat(release).isEqualTo(Release.RELEASED);
        Waits.soon().until(() -> waiter.mayBeFree.get() > 0);
        assertThat(waiter.granted()).isTrue();
    }

    @Test
    void aWaiterThatWithdrawsLetsNobodyIn() {
        TestClaim holder = TestClaim.once(one, NAME);
        TestClaim first = TestClaim.waiting(one, NAME);
        TestClaim second = TestClaim.waiting(other, NAME);
        assertThat(holder.granted()).isTrue();
        assertThat(first.granted()).isFalse();
        assertThat(second.granted()).isFalse();

        assertThat(first.claim.release()).isEqualTo(Release.NOT_HELD);

        Waits.soon().until(() -> second.mayBeFree.get() > 0);
        assertThat(second.granted()).isFalse();
        assertThat(holder.claim.release()).isEqualTo(Release.RELEASED);
        Waits.soon().until(() -> second.mayBeFree.get() > 1);
        assertThat(second.granted()).isTrue();
    }

    @Test
    void theLockOfADeadClientIsGrantedToTheNext() {
        TestClaim dead = TestClaim.once(one, NAME, harness.lease());
        TestClaim waiter = TestClaim.waiting(other, NAME);
        long token = dead.token();
        assertThat(waiter.granted()).isFalse();

        Waits.soon().until(() -> waiter.mayBeFree.get() > 0);

        assertThat(waiter.token()).isGreaterThan(token);
        assertThat(dead.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.SESSION_ENDED));
        assertThat(dead.claim.release()).isEqualTo(Release.NOT_HELD);
        assertThat(waiter.claim.renew()).isInstanceOf(Renewal.Held.class);
    }

    @Test
    void aRemovedLockIsLost() {
        Function<String, TestClaim> claim = name -> TestClaim.once(one, name);
        TestClaim holder = claim.apply(NAME);
        assertThat(holder.granted()).isTrue();

        harness.remover().orElseThrow().accept(NAME);

        assertThat(holder.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
        assertThat(claim.apply(NAME).granted()).isTrue();
    }

    @Test
    void aWaiterIsWokenAfterAnOutage() {
        TestClaim holder = TestClaim.once(one, NAME);
        TestClaim waiter = TestClaim.waiting(other, NAME);
        assertThat(holder.granted()).isTrue();
        assertThat(waiter.granted()).isFalse();
        Fault outage = harness.faults().outage().orElseThrow();

        outage.begin().run();
        // A server ends a session at the end of a tick, and a busy one somewhat later.
        Waits.letPass(harness.lease().multipliedBy(3));
        outage.end().run();

        Waits.soon().until(() -> waiter.mayBeFree.get() > 0);
        Waits.answered().until(waiter::granted);
        Waits.soon().until(() -> holder.losses.equals(List.of(LossCause.SESSION_ENDED)));
    }
}
