package planted.lock.core;

import io.holdfast.build.architecture.Violates;

@Violates("no sleep")
record Sleeper() {
    void nap() throws InterruptedException {
        Thread.sleep(1);
    }
}
