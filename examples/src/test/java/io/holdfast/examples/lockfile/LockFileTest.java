package io.holdfast.examples.lockfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockFileTest {

    @TempDir
    Path directory;

    @Test
    void theBackendIsFoundByItsScheme() throws InterruptedException {
        try (LockClient client = LockClient.connect(uri(directory));
                LockClient other = LockClient.connect(uri(directory));
                LockHandle held = client.lock("a lock").acquire()) {
            assertThat(held.isHeld()).isTrue();
            assertThat(other.lock("a lock").tryAcquire()).isEmpty();
            assertThat(other.holder("a lock"))
                    .hasValueSatisfying(holder -> assertThat(holder.pid())
                            .hasValue(ProcessHandle.current().pid()));
        }
    }

    @Test
    void aDirectoryThatIsNotThereIsRefused() {
        Path missing = directory.resolve("missing");

        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> LockClient.connect(uri(missing)))
                .withMessageContaining("'" + missing + "' is not a directory");
    }

    @Test
    void aUriWithoutADirectoryIsRefused() {
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> LockClient.connect("lockfile://host/directory"))
                .withMessageContaining("allowed is lockfile:///path/of/a/directory");
    }

    @Test
    void aDamagedFileIsAnErrorAndNoFreeLock() throws IOException {
        Files.writeString(new LockDirectory(directory).file("a lock"), "until=tomorrow");

        try (LockClient client = LockClient.connect(uri(directory))) {
            assertThatExceptionOfType(LockStoreException.class)
                    .isThrownBy(() -> client.lock("a lock").tryAcquire())
                    .withStackTraceContaining("tomorrow");
        }
    }

    private static String uri(Path directory) {
        return "lockfile://" + directory.toUri().getRawPath();
    }
}
