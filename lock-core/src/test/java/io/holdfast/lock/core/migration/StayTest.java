package io.holdfast.lock.core.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that were forgotten, or move to another place, while clients two phases away start. */
class StayTest {

    private static final LockOptions FOR_AN_HOUR = LockOptions.DEFAULTS.withLeaseTime(Duration.ofHours(1));

    private final String from = "from-" + UUID.randomUUID();
    private final String to = "to-" + UUID.randomUUID();
    private final TestStore.Tokens oldTokens = new TestStore.Tokens();
    private final TestStore.Tokens newTokens = new TestStore.Tokens();
    private final MemoryLockProvider oldStore = MemoryLockProvider.builder(from).build();
    private final MemoryLockProvider newStore = MemoryLockProvider.builder(to).build();
    private final List<AutoCloseable> opened = new ArrayList<>(List.of(oldStore, newStore));

    private TestStore oldOne() {
        return new TestStore(MemoryLockProvider.builder(from).build(), oldTokens);
    }

    private TestStore newOne() {
        return new TestStore(MemoryLockProvider.builder(to).build(), newTokens);
    }

    private LockClient client(TestStore old, TestStore young, Phase phase) {
        LockClient client = LockClient.builder(
                        MigratingLockProvider.between(old, young, phase).build())
                .build();
        opened.add(0, client);
        return client;
    }

    private LockClient client(Phase phase) {
        return client(oldOne(), newOne(), phase);
    }

    private static void forget(MemoryLockProvider store, Phase phase) {
        IntStream.range(0, Presence.PLACES).forEach(place -> store.remove(Presence.name(phase, place)));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    /** One thread has announced the client again and looks; another one must not take that for the end of the look. */
    @Test
    @Proves("1.1")
    void lockIsNotGrantedWhileAnotherThreadStillLooks() {
        TestStore old = oldOne();
        LockClient client = client(old, newOne(), Phase.TO_ONLY);
        forget(newStore, Phase.TO_ONLY);
        client(Phase.FROM_ONLY);

        List<Object> meanwhile = new ArrayList<>();
        old.beforeLook(Presence.name(Phase.FROM_ONLY, 0), () -> meanwhile.add(answer(client, "b")));

        assertThat(answer(client, "a")).isInstanceOf(LockConfigurationException.class);
        assertThat(meanwhile).singleElement().isInstanceOf(LockConfigurationException.class);
    }

    private static Object answer(LockClient client, String name) {
        try {
            return client.lock(name).tryAcquire();
        } catch (LockException refused) {
            return refused;
        }
    }

    /** Somebody may have held the lock in the gap, with a higher token than this grant has. */
    @Test
    @Proves("1.1")
    void grantFromBeforeAGapIsAskedForAgainAlsoIfTheClientIsKnownAgain() {
        TestStore young = newOne();
        LockClient client = client(oldOne(), young, Phase.TO_ONLY);
        young.afterGrant(() -> {
            forget(newStore, Phase.TO_ONLY);
            assertThat(client.lock("b").tryAcquire()).isPresent();
        });

        assertThat(client.lock("a").tryAcquire()).isPresent();
        assertThat(young.attempts()).as("one for b, two for a").isEqualTo(3);
    }

    @Test
    @Proves("1.1")
    void grantThatDoesNotCountTwiceFails() {
        TestStore young = newOne();
        LockClient client = client(oldOne(), young, Phase.TO_ONLY);
        young.afterGrant(() -> {
            forget(newStore, Phase.TO_ONLY);
            young.afterGrant(() -> forget(newStore, Phase.TO_ONLY));
        });

        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("it was granted twice, and each time the store had meanwhile lost the lock");
        assertThat(client.lock("a").tryAcquire()).isPresent();
    }

    /** Renewals by the engine come in batches. */
    @Test
    @Proves("1.1")
    void automaticRenewalShowsThatTheClientWasForgotten() throws Exception {
        LockClient client = client(Phase.TO_ONLY);
        LockHandle held = client.lock("a", LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(6)))
                .acquire();
        forget(newStore, Phase.TO_ONLY);
        // By the renewal after two seconds, long before the lease ends.
        assertThat(held.lost().toCompletableFuture().get(30, TimeUnit.SECONDS)).isEqualTo(LossCause.TAKEN_OVER);
    }

    /** Also at the first and at the last place. */
    @ParameterizedTest
    @ValueSource(ints = {0, Presence.PLACES - 1})
    @Proves("1.1")
    void clientAtAnyPlaceIsFound(int place) {
        try (LockClient operator = LockClient.builder(
                                MemoryLockProvider.builder(from).build())
                        .build();
                LockHandle held = operator.lock(Presence.name(Phase.FROM_ONLY, place))
                        .tryAcquire()
                        .orElseThrow()) {
            assertThat(held.isHeld()).isTrue();
            assertThat(started(oldOne())).isFalse();
        }
    }

    @Test
    @Proves("1.1")
    void lookThatFailedIsRepeated() {
        TestStore old = oldOne();
        LockClient client = client(old, newOne(), Phase.TO_ONLY);
        forget(newStore, Phase.TO_ONLY);
        client(Phase.FROM_ONLY);

        old.fail(true);
        assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(LockStoreException.class);
        old.fail(false);

        assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(LockConfigurationException.class);
    }

    @Test
    @Proves("6.1")
    void tokensThatCouldNotBeCarriedOverAreCarriedOverLater() {
        TestStore old = oldOne();
        LockClient client = client(old, newOne(), Phase.TO_ONLY);
        forget(newStore, Phase.TO_ONLY);
        long high = 1_000;
        oldTokens.raise("a", high);
        // All places were looked at, and the old store fails when it is asked for its highest token.
        old.beforeLook(Presence.name(Phase.FROM_ONLY, Presence.PLACES - 1), () -> old.failNextAnswerButOne());

        assertThatThrownBy(() -> client.lock("a").tryAcquire()).isInstanceOf(LockStoreException.class);
        assertThat(client.lock("a").tryAcquire().orElseThrow().fencingToken().value())
                .isGreaterThan(high);
    }

    /** The client that looks has passed the new place before it is taken, and comes to the former one when that is free. */
    @RepeatedTest(4)
    @Proves("1.1")
    void clientThatMovesToAnotherPlaceIsNotMissed() {
        LockClient client = client(Phase.FROM_ONLY);
        String last = IntStream.range(0, Presence.PLACES)
                .mapToObj(place -> Presence.name(Phase.FROM_ONLY, place))
                .filter(place -> oldStore.holder(place).isPresent())
                .reduce((first, second) -> second)
                .orElseThrow();
        TestStore looking = oldOne();
        List<Object> meanwhile = new ArrayList<>();
        looking.beforeLook(last, () -> meanwhile.add(longer(client)));

        boolean started = started(looking);

        assertThat(meanwhile).hasSize(1);
        assertThat(started && meanwhile.get(0) instanceof Optional<?> granted && granted.isPresent())
                .as("the other phase has started, and the lock was granted")
                .isFalse();
    }

    private static Object longer(LockClient client) {
        try {
            return client.lock("a", FOR_AN_HOUR).tryAcquire();
        } catch (LockException refused) {
            return refused;
        }
    }

    private boolean started(TestStore old) {
        try {
            client(old, newOne(), Phase.TO_ONLY);
            return true;
        } catch (LockConfigurationException refused) {
            return false;
        }
    }

    @Test
    void bothAnnouncesItselfAgain() {
        LockClient both = client(Phase.BOTH);
        forget(oldStore, Phase.BOTH);
        forget(newStore, Phase.BOTH);
        assertThat(MigrationStatus.of(oldStore, newStore).clients(Phase.BOTH)).isEmpty();

        assertThat(both.lock("a").tryAcquire()).isPresent();
        assertThat(MigrationStatus.of(oldStore, newStore).clients(Phase.BOTH)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Phase.class,
            names = {"FROM_ONLY", "TO_ONLY"})
    @Proves("1.1")
    void clientWithExchangedStoresIsRefused(Phase phase) {
        LockClient first = client(phase);
        assertThatThrownBy(() -> client(newOne(), oldOne(), phase))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("takes the store that is the other one here");
        assertThat(first.lock("a").tryAcquire()).isPresent();
    }

    @Test
    void twoProvidersOfOneStoreAreRefused() {
        for (Phase phase : Phase.values()) {
            assertThatThrownBy(() -> client(oldOne(), oldOne(), phase))
                    .as(phase.name())
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("are one, with the same names in it");
        }
    }

    @Test
    @Proves("6.5")
    void moveWithoutTokensHasNone() {
        try (MigratingLockProvider provider = MigratingLockProvider.between(oldOne(), newOne(), Phase.BOTH)
                .withoutTokens()
                .build()) {
            assertThatThrownBy(provider::highestToken).isInstanceOf(UnsupportedCapabilityException.class);
            assertThatThrownBy(() -> provider.raiseTokens(1)).isInstanceOf(UnsupportedCapabilityException.class);
            assertThatThrownBy(() -> provider.raiseTokens("a", 1)).isInstanceOf(UnsupportedCapabilityException.class);
        }
    }

    /** The old store's claim belongs to a waiter, which the new store will refuse. */
    @Test
    void holderInTheNewStoreIsShownBesideAWaiterInTheOldOne() throws InterruptedException {
        LockClient last = client(Phase.TO_ONLY);
        try (LockClient first = LockClient.builder(
                                MemoryLockProvider.builder(from).build())
                        .build();
                MigratingLockProvider both = MigratingLockProvider.between(oldOne(), newOne(), Phase.BOTH)
                        .build();
                LockHandle waiting = first.lock("a").acquire();
                LockHandle held = last.lock("a").acquire()) {
            assertThat(waiting.isHeld() && held.isHeld()).isTrue();
            assertThat(both.holder("a").orElseThrow().owner())
                    .isEqualTo(newStore.holder("a").orElseThrow().owner());
        }
    }
}
