package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class LibraryVersionTest {

    @ParameterizedTest
    @CsvSource({
        "Curator, 5.0.0, 5, 1",
        "Curator, 4.3.0, 5, 1",
        "Curator, 4.10.1, 5, 1",
        "Curator, 5.0, 5, 1",
        "the ZooKeeper client, 3.5.10, 3, 6"
    })
    void anOlderVersionIsRefusedByName(String library, String version, int major, int minor) {
        assertThatThrownBy(() -> new LibraryVersion(library, version).requireAtLeast(major, minor))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("The version of " + library + " is " + version + "; allowed is " + major + "." + minor
                        + " or newer");
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
