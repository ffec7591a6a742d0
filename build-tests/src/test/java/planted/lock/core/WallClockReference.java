package planted.lock.core;

import io.holdfast.build.architecture.Violates;
import java.util.function.LongSupplier;

@Violates("no wall clock")
record WallClockReference(LongSupplier clock) {
    WallClockReference() {
        this(System::currentTimeMillis);
    }
}
