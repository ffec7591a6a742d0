package io.holdfast.lock.core.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PresenceTest {

    private static final Duration YEAR = Duration.ofDays(365);

    @AutoClose
    private final MemoryLockProvider store =
            MemoryLockProvider.builder("presence-" + UUID.randomUUID()).build();

    @AutoClose
    private final Presence presence = new Presence(store, Phase.FROM_ONLY);

    /** A look that finds no client two phases away. */
    private static void findsNobody() {}

    @Test
    void coversNothingBeforeItIsAnnouncedAndAfterItsWithdrawal() {
        assertThat(presence.isHeld()).isFalse();
        assertThat(presence.covers(Duration.ofMillis(1), PresenceTest::findsNobody))
                .isFalse();
        presence.announce();
        assertThat(presence.isHeld()).isTrue();
        assertThat(presence.covers(Duration.ofSeconds(30), PresenceTest::findsNobody))
                .isTrue();
        presence.withdraw();
        assertThat(presence.covers(Duration.ofMillis(1), PresenceTest::findsNobody))
                .isFalse();
        assertThat(Presence.alive(store, Phase.FROM_ONLY)).isEmpty();
    }

    @Test
    void longerLeasesMoveItToALongerOne() {
        presence.announce();
        assertThat(presence.covers(Duration.ofHours(1), PresenceTest::findsNobody))
                .isTrue();
        assertThat(Presence.alive(store, Phase.FROM_ONLY)).hasSize(1);
        assertThat(presence.covers(YEAR, PresenceTest::findsNobody)).isTrue();
        assertThat(presence.covers(YEAR, PresenceTest::findsNobody))
                .as("renewed after the claim")
                .isTrue();
        assertThat(Presence.alive(store, Phase.FROM_ONLY)).hasSize(1);
    }

    @Test
    void placeThatWasTakenAwayCoversNothing() {
        presence.announce();
        for (int place = 0; place < Presence.PLACES; place++) {
            store.remove(Presence.name(Phase.FROM_ONLY, place));
        }
        assertThat(presence.covers(Duration.ofMillis(1), PresenceTest::findsNobody))
                .isFalse();
        presence.announce();
        assertThat(presence.covers(Duration.ofMillis(1), PresenceTest::findsNobody))
                .isTrue();
    }

    @Test
    void oneMoreThanThereArePlacesIsRefused() {
        withOthers(
                Presence.PLACES,
                () -> assertThatThrownBy(presence::announce)
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("256 clients in the phase FROM_ONLY"));
    }

    /** A client that entered its own place again would keep the former lease. */
    @Test
    void theOwnPlaceIsTakenAsWell() {
        presence.announce();
        withOthers(
                Presence.PLACES - 1,
                () -> assertThatThrownBy(() -> presence.covers(YEAR, PresenceTest::findsNobody))
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("256 clients in the phase FROM_ONLY"));
    }

    private void withOthers(int count, Runnable test) {
        List<Presence> all = new ArrayList<>();
        try {
            for (int place = 0; place < count; place++) {
                Presence other = new Presence(store, Phase.FROM_ONLY);
                all.add(other);
                other.announce();
            }
            test.run();
        } finally {
            all.forEach(Presence::close);
        }
    }

    /** It counts also while nobody renews it any more: a client that died with a long lease must be seen for as long. */
    @Test
    void placeLastsLongerThanTheClaim() {
        presence.announce();
        Duration hour = Duration.ofHours(1);
        assertThat(presence.covers(hour, PresenceTest::findsNobody)).isTrue();
        assertThat(presence.lastsFor()).isGreaterThan(hour);
    }

    /** Otherwise the next claim was covered by the former place, which ends long before it. */
    @Test
    void placeThatCouldNotBeTakenCoversNothing() {
        TestStore failing = new TestStore(store, new TestStore.Tokens());
        try (Presence of = new Presence(failing, Phase.FROM_ONLY)) {
            of.announce();
            List<String> before = places();
            failing.fail(true);
            assertThatThrownBy(() -> of.covers(YEAR, PresenceTest::findsNobody)).isInstanceOf(LockStoreException.class);
            failing.fail(false);
            assertThat(of.covers(YEAR, PresenceTest::findsNobody)).isTrue();
            assertThat(places()).doesNotContainAnyElementsOf(before);
        }
    }

    @Test
    void placeIsKeptIfSomebodyIsFoundDuringTheMove() {
        presence.announce();
        List<String> before = places();
        assertThatThrownBy(() -> presence.covers(YEAR, () -> {
                    assertThat(places()).hasSize(2).containsAll(before);
                    throw new LockConfigurationException("somebody two phases away");
                }))
                .hasMessage("somebody two phases away");
        assertThat(places()).isEqualTo(before);
        assertThat(presence.isHeld()).isTrue();
    }

    @Test
    void placeThatIsLostDuringTheMoveCoversNothing() {
        presence.announce();
        assertThat(presence.covers(YEAR, () -> places().forEach(store::remove))).isFalse();
        assertThat(presence.isHeld()).isFalse();
    }

    private List<String> places() {
        return IntStream.range(0, Presence.PLACES)
                .mapToObj(place -> Presence.name(Phase.FROM_ONLY, place))
                .filter(name -> store.holder(name).isPresent())
                .toList();
    }
}
