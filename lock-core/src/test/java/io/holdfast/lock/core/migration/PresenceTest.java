package io.holdfast.lock.core.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PresenceTest {

    private static final Duration YEAR = Duration.ofDays(365);

    @AutoClose
    private final MemoryLockProvider store =
            MemoryLockProvider.builder("presence-" + UUID.randomUUID()).build();

    @AutoClose
    private final Presence presence = new Presence(store, Phase.FROM_ONLY);

    @Test
    void coversNothingBeforeItIsAnnouncedAndAfterItsWithdrawal() {
        assertThat(presence.isHeld()).isFalse();
        assertThat(presence.covers(Duration.ofMillis(1))).isFalse();
        presence.announce();
        assertThat(presence.isHeld()).isTrue();
        assertThat(presence.covers(Duration.ofSeconds(30))).isTrue();
        presence.withdraw();
        assertThat(presence.covers(Duration.ofMillis(1))).isFalse();
        assertThat(Presence.alive(store, Phase.FROM_ONLY)).isEmpty();
    }

    @Test
    void longerLeasesMoveItToALongerOne() {
        presence.announce();
        assertThat(presence.covers(Duration.ofHours(1))).isTrue();
        assertThat(Presence.alive(store, Phase.FROM_ONLY)).hasSize(1);
        assertThat(presence.covers(YEAR)).isTrue();
        assertThat(presence.covers(YEAR)).as("renewed after the claim").isTrue();
        assertThat(Presence.alive(store, Phase.FROM_ONLY)).hasSize(1);
    }

    @Test
    void placeThatWasTakenAwayCoversNothing() {
        presence.announce();
        for (int place = 0; place < Presence.PLACES; place++) {
            store.remove(Presence.name(Phase.FROM_ONLY, place));
        }
        assertThat(presence.covers(Duration.ofMillis(1))).isFalse();
        presence.announce();
        assertThat(presence.covers(Duration.ofMillis(1))).isTrue();
    }

    @Test
    void oneMoreThanThereArePlacesIsRefused() {
        List<Presence> all = new ArrayList<>();
        try {
            for (int place = 0; place < Presence.PLACES; place++) {
                Presence other = new Presence(store, Phase.FROM_ONLY);
                all.add(other);
                other.announce();
            }
            assertThatThrownBy(presence::announce)
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("256 clients in the phase FROM_ONLY");
        } finally {
            all.forEach(Presence::close);
        }
    }
}
