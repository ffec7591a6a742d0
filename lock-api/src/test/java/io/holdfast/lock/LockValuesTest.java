package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockValuesTest {

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0009S", "P366D", "PT2562047788015215H"})
    void aLeaseOutOfRangeIsNamedWithTheRange(String lease) {
        Duration time = Duration.parse(lease);

        assertThatThrownBy(() -> LockOptions.DEFAULTS.withLeaseTime(time))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(time.toString())
                .hasMessageContaining("allowed are 1 ms to 365 days");
    }

    @Test
    void aLeaseIsCutToMilliseconds() {
        assertThat(LockOptions.DEFAULTS
                        .withLeaseTime(Duration.ofNanos(2_999_999))
                        .leaseTime())
                .isEqualTo(Duration.ofMillis(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stock:42", " ", "a/b", "{x}", "'\"%", "line\nbreak", "Größe 🔒", "é", "é"})
    void namesOfAnyValidTextAreAllowed(String name) {
        assertThat(DistributedLock.requireValidName(name)).isSameAs(name);
    }

    @Test
    void theLongestNameIsAllowedAndNoLongerOne() {
        assertThat(DistributedLock.requireValidName("x".repeat(1024))).hasSize(1024);
        assertThatThrownBy(() -> DistributedLock.requireValidName("x".repeat(1025)))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("1025 characters")
                .hasMessageContaining("1 to 1024");
    }

    @Test
    void anEmptyNameIsRefused() {
        assertThatThrownBy(() -> DistributedLock.requireValidName(""))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("empty");
    }

    @ParameterizedTest
    @ValueSource(ints = {0xD83D, 0xDD12})
    void halfACharacterIsRefusedBecauseAllHalvesLookAlikeInUtf8(int half) {
        for (String name : new String[] {"a" + (char) half, (char) half + "a", "" + (char) half}) {
            assertThatThrownBy(() -> DistributedLock.requireValidName(name))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("unpaired surrogate");
        }
    }

    @Test
    void aClaimRequestChecksNameAndLeaseAsTheApiDoes() {
        ClaimRequest.Claimant claimant = new ClaimRequest.Claimant("host", 1, "main");
        assertThatThrownBy(() -> new ClaimRequest(
                        "", "id", "owner", Duration.ofSeconds(1), ClaimRequest.Intent.TRY_ONCE, claimant))
                .isInstanceOf(LockConfigurationException.class);
        assertThatThrownBy(() ->
                        new ClaimRequest("name", "id", "owner", Duration.ZERO, ClaimRequest.Intent.TRY_ONCE, claimant))
                .isInstanceOf(LockConfigurationException.class);
    }

    @Test
    void ownersAreEqualByKindAndId() {
        assertThat(LockOwner.of("w")).isEqualTo(LockOwner.of("w")).hasSameHashCodeAs(LockOwner.of("w"));
        assertThat(LockOwner.of("w")).isNotEqualTo(LockOwner.of("W"));
        assertThat(LockOwner.of("w")).hasToString("of(w)");
        assertThat(LockOwner.caller()).hasToString("caller()").isNotEqualTo(LockOwner.thread());
        assertThatThrownBy(() -> LockOwner.of("")).isInstanceOf(LockConfigurationException.class);
    }

    @Test
    void optionsChangeInCopies() {
        LockOptions changed = LockOptions.DEFAULTS
                .withoutRenewal()
                .withOwner(LockOwner.unique())
                .requireFencing(LockCapabilities.Fencing.STRICT)
                .requireOrdering(LockCapabilities.Ordering.FIFO);

        assertThat(changed).isNotEqualTo(LockOptions.DEFAULTS);
        assertThat(changed.isRenewed()).isFalse();
        assertThat(changed.owner()).isEqualTo(LockOwner.unique());
        assertThat(changed.requiredFencing()).isEqualTo(LockCapabilities.Fencing.STRICT);
        assertThat(changed.requiredOrdering()).isEqualTo(LockCapabilities.Ordering.FIFO);
        assertThat(LockOptions.DEFAULTS.leaseTime()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void tokensAreComparedAsNumbers() {
        assertThat(new FencingToken(10)).isGreaterThan(new FencingToken(9));
        assertThat(new FencingToken(10).isNewerThan(new FencingToken(9))).isTrue();
        assertThat(new FencingToken(9).isNewerThan(new FencingToken(9))).isFalse();
        assertThat(new FencingToken(10)).hasToString("10");
        assertThatThrownBy(() -> new FencingToken(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
