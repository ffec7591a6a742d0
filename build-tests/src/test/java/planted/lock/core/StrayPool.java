package planted.lock.core;

import io.holdfast.build.architecture.Violates;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

@Violates("threads are made in one place")
record StrayPool(Executor executor) {
    StrayPool() {
        this(Executors.newCachedThreadPool());
    }
}
