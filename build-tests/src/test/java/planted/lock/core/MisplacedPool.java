package planted.lock.core;

import io.holdfast.build.architecture.Violates;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

@Violates("threads are made in one place")
record MisplacedPool(Executor executor) {
    MisplacedPool() {
        this(Executors.newCachedThreadPool());
    }
}
