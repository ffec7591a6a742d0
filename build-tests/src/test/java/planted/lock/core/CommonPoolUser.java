package planted.lock.core;

import io.holdfast.build.architecture.Violates;
import java.util.concurrent.CompletableFuture;

@Violates("threads are made in one place")
record CommonPoolUser() {
    static CompletableFuture<Void> run(Runnable task) {
        return CompletableFuture.runAsync(task);
    }
}
