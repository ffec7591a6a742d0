package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("the monotonic clock is read by the system ticker alone")
record MisplacedTicker() {
    long now() {
        return System.nanoTime();
    }
}
