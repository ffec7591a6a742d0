package planted.lock.core;

import io.holdfast.build.architecture.Violates;
import java.time.Instant;

@Violates("no wall clock")
record WallClock() {
    Instant now() {
        return Instant.now();
    }
}
