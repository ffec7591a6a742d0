package io.holdfast.examples.lockfile;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class LockFileProviderTckTest extends LockProviderTck {

    @TempDir
    static Path directory;

    @Override
    protected LockHarness harness() {
        return new LockFileHarness(directory);
    }
}
