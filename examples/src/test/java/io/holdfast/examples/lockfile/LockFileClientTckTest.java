package io.holdfast.examples.lockfile;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
class LockFileClientTckTest extends LockClientTck {

    @TempDir
    static Path directory;

    @Override
    protected LockHarness harness() {
        return new LockFileHarness(directory);
    }
}
