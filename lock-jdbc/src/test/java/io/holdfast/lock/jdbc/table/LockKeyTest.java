package io.holdfast.lock.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * What is stored of a name, and what bids for it meet by. Clients of other versions use the same table at the same time: with
 * other keys they would not exclude each other.
 */
class LockKeyTest {

    /** As {@code printf %s 'Größe/1' | sha256sum} says. */
    private static final String HASH = "11e2fa7ea70ee55e07a24f414e30b25d21ef318160b011bc39ed61c5d92b85e1";

    @Test
    void theKeyIsTheHashOfTheNameInUtf8InLowerCaseHexadecimalDigits() {
        assertThat(LockKey.of("Größe/1").hash()).isEqualTo(HASH);
    }

    @Test
    void bidsTakeTurnsByTheFirstFourBytesOfTheHashUnderANumberOfOurOwn() {
        assertThat(LockKey.of("Größe/1").turn()).isEqualTo((int) Long.parseLong(HASH.substring(0, 8), 16));
        assertThat(LockTable.of("locks").filledInto("{turns}")).isEqualTo("1214016326");
    }

    @Test
    void namesShareTheCounterOfTheFirstByteOfTheirHashes() {
        assertThat(LockKey.of("Größe/1").counter()).isEqualTo("#" + HASH.substring(0, 2));
    }
}
