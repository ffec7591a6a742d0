package io.holdfast.lock.core.memory;

import static io.holdfast.lock.core.memory.MemoryStoreFixture.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.memory.MemoryStoreFixture.TestClaim;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Grants, leases, re-entry and the life of the store. */
class MemoryLockProviderTest {

    private static final Duration INSTANT = Duration.ofNanos(1);

    private final MemoryStoreFixture store = new MemoryStoreFixture();

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aHeldLockIsContendedUntilItsLeaseEnds() {
        assertThat(store.claim("a").isGranted()).isTrue();
        store.pass(Duration.ofSeconds(3));

        assertThat(store.claim("b").retryAfter()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void aLeaseEndsAtItsEndAndNotBefore() {
        assertThat(store.passerBy("a").isGranted()).isTrue();
        TestClaim next = store.passerBy("b");

        store.pass(LEASE.minus(INSTANT));
        assertThat(next.isGranted()).isFalse();
        store.pass(INSTANT);
        assertThat(next.isGranted()).isTrue();
    }

    @Test
    void aRenewalStartsTheLeaseAgain() {
        TestClaim holder = store.passerBy("a");
        assertThat(holder.isGranted()).isTrue();

        store.pass(LEASE.minus(INSTANT));
        assertThat(holder.claim.renew()).isEqualTo(new Renewal.Held(LEASE));
        store.pass(LEASE.minus(INSTANT));

        assertThat(store.passerBy("b").isGranted()).isFalse();
    }

    @Test
    void anExpiredClaimIsLostAndCannotRenewOrFreeTheNextHolders() {
        TestClaim late = store.passerBy("a");
        assertThat(late.isGranted()).isTrue();
        store.pass(LEASE);

        assertThat(late.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
        assertThat(store.provider.holder("L")).isEmpty();
        assertThat(store.passerBy("b").isGranted()).isTrue();
        assertThat(late.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
        assertThat(late.claim.release()).isEqualTo(Release.NOT_HELD);
        assertThat(store.passerBy("c").isGranted()).isFalse();
    }

    @Test
    void aReleaseFreesOnce() {
        TestClaim holder = store.passerBy("a");
        assertThat(holder.claim.release()).isEqualTo(Release.NOT_HELD);
        assertThat(holder.isGranted()).isTrue();

        assertThat(holder.claim.release()).isEqualTo(Release.RELEASED);
        assertThat(holder.claim.release()).isEqualTo(Release.NOT_HELD);
        assertThat(store.passerBy("b").isGranted()).isTrue();
    }

    @Test
    void aRepeatedAttemptHasTheSameTokenAndCountsOnce() {
        TestClaim holder = store.passerBy("a");
        assertThat(holder.token()).isEqualTo(holder.token());

        assertThat(holder.claim.release()).isEqualTo(Release.RELEASED);
        assertThat(store.passerBy("b").isGranted()).isTrue();
    }

    @Test
    void theSameOwnerReentersFromAnotherClaimWithTheSameToken() {
        TestClaim outer = store.passerBy("a");
        TestClaim inner = store.passerBy("a");
        assertThat(inner.token()).isEqualTo(outer.token());

        assertThat(outer.claim.release()).isEqualTo(Release.RELEASED);
        assertThat(store.passerBy("b").isGranted()).isFalse();
        assertThat(inner.claim.release()).isEqualTo(Release.RELEASED);
        assertThat(store.passerBy("b").isGranted()).isTrue();
    }

    @Test
    void eachClaimOfAnOwnerHasASeparateLease() {
        TestClaim renewed = store.passerBy("a");
        TestClaim abandoned = store.passerBy("a");
        assertThat(renewed.isGranted() && abandoned.isGranted()).isTrue();

        store.pass(LEASE.minus(INSTANT));
        assertThat(renewed.claim.renew()).isInstanceOf(Renewal.Held.class);
        store.pass(INSTANT);

        assertThat(abandoned.claim.renew()).isInstanceOf(Renewal.Lost.class);
        assertThat(renewed.claim.release()).isEqualTo(Release.RELEASED);
        assertThat(store.passerBy("b").isGranted()).isTrue();
    }

    @Test
    void tokensGrowAlsoWhenTheStoreWasDroppedInBetween() {
        long before = store.passerBy("a").token();
        store.close();
        try (MemoryLockProvider again = store.another()) {
            assertThat(again.holder("L")).isEmpty();
        }
        try (MemoryStoreFixture later = new MemoryStoreFixture()) {
            assertThat(later.passerBy("a").token()).isGreaterThan(before);
        }
    }

    @Test
    void theHolderIsShownWithItsToken() {
        TestClaim holder = store.passerBy("a");
        long token = holder.token();

        assertThat(store.provider.holder("L")).hasValueSatisfying(shown -> {
            assertThat(shown.owner()).isEqualTo("a");
            assertThat(shown.host()).contains("host");
            assertThat(shown.pid()).hasValue(7);
            assertThat(shown.thread()).contains("thread-of-a");
            assertThat(shown.fencingToken())
                    .hasValueSatisfying(t -> assertThat(t.value()).isEqualTo(token));
        });
    }

    @Test
    void aRemovedRecordIsReportedToItsHolders() {
        TestClaim outer = store.passerBy("a");
        TestClaim inner = store.passerBy("a");
        assertThat(outer.isGranted() && inner.isGranted()).isTrue();

        assertThat(store.provider.remove("L")).isTrue();
        assertThat(store.provider.remove("L")).isFalse();

        assertThat(outer.signals).containsExactly("lost TAKEN_OVER");
        assertThat(inner.signals).containsExactly("lost TAKEN_OVER");
        assertThat(outer.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
        assertThat(store.passerBy("b").isGranted()).isTrue();
    }

    @Test
    void providersOfOneNameShareAStoreUntilTheLastIsClosed() {
        assertThat(store.passerBy("a").isGranted()).isTrue();
        MemoryLockProvider second = store.another();
        store.provider.close();
        store.provider.close();
        assertThat(second.holder("L")).isPresent();

        second.close();
        try (MemoryLockProvider fresh = store.another()) {
            assertThat(fresh.holder("L")).isEmpty();
        }
    }

    @Test
    void aClosedProviderRefusesItsClaims() {
        TestClaim claim = store.claim("a");
        store.provider.close();

        assertThatThrownBy(claim::attempt)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining(store.storeName());
    }

    @Test
    void aStoreHasOneClock() {
        MemoryLockProvider.Builder other =
                MemoryLockProvider.builder(store.storeName()).clock(() -> 0);

        assertThatThrownBy(other::build)
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(store.storeName());
        MemoryLockProvider.builder(store.storeName()).build().close();
    }

    @Test
    void aUriNamesTheStoreAndHasNoParameters() {
        MemoryLockProviderFactory factory = new MemoryLockProviderFactory();
        ConnectionParameters none = ConnectionParameters.of("", Map.of());
        ConnectionParameters some = ConnectionParameters.of("color=red", Map.of());

        assertThat(factory.create(URI.create("memory:a.b"), none)).hasToString("memory:a.b");
        assertThatThrownBy(() -> factory.create(URI.create("memory:x?color=red"), some))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("color");
        assertThatThrownBy(() -> factory.create(URI.create("memory://x"), none))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'//x'")
                .hasMessageContaining("letters, digits");
        assertThat(factory.schemes()).containsExactly("memory");
    }

    @Test
    void aGrantIsValidForTheWholeLease() {
        assertThat(store.passerBy("a").attempt())
                .isInstanceOfSatisfying(
                        Attempt.Granted.class,
                        granted -> assertThat(granted.validFor()).isEqualTo(LEASE));
    }
}
