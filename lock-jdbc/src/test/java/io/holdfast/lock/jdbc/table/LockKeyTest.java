package io.holdfast.lock.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * How names are stored and attempts serialized. Clients of other versions use the same table at the same time: with
 * other keys they would not exclude each other.
 */
class LockKeyTest {

    /** The output of {@code printf %s 'Größe/1' | sha256sum}. */
    private static final String HASH = "11e2fa7ea70ee55e07a24f414e30b25d21ef318160b011bc39ed61c5d92b85e1";

    @Test
    void keyIsTheLowerCaseHexHashOfTheName() {
        assertThat(LockKey.of("Größe/1").hash()).isEqualTo(HASH);
    }

    @Test
    void advisoryLockIsTheFirstFourBytesOfTheHash() {
        assertThat(LockKey.of("Größe/1").advisoryId()).isEqualTo((int) Long.parseLong(HASH.substring(0, 8), 16));
        assertThat(LockTable.of("locks").filledInto("{advisory_class}")).isEqualTo("1214016326");
    }

    @Test
    void namesShareTheCounterOfTheFirstHashByte() {
        assertThat(LockKey.of("Größe/1").counter()).isEqualTo("#" + HASH.substring(0, 2));
    }
}
