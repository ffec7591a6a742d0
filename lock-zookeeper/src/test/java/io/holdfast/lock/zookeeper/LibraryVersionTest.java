package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class LibraryVersionTest {

    @ParameterizedTest
    @ValueSource(strings = {"5.0.0", "4.3.0", "4.10.1", "5.0"})
    void anOlderVersionIsRefusedByName(String version) {
        assertThatThrownBy(() -> new LibraryVersion("Curator", version).requireAtLeast(5, 1))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll("Curator", version, "allowed is 5.1 or newer");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"5.1.0", "5.10.0", "6.0.0", "5.1-SNAPSHOT", "", "unknown", "5"})
    void aNewerOneAndOneThatTellsNoNumberAreAccepted(String version) {
        assertThatCode(() -> new LibraryVersion("Curator", version).requireAtLeast(5, 1))
                .doesNotThrowAnyException();
    }

    @Test
    void theVersionsOfThisBuildAreAccepted() {
        assertThatCode(LibraryVersion::requireSupported).doesNotThrowAnyException();
    }
}
