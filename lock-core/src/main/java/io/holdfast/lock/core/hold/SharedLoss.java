package io.holdfast.lock.core.hold;

import io.holdfast.lock.LossCause;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The future of a loss that all who ask share, as asking may be done in a loop. Where the application has completed it, it is
 * made anew: a loss must still reach those who ask after that.
 */
public final class SharedLoss {

    private final ReentrantLock mutex = new ReentrantLock();

    /** Guarded by the mutex. */
    private CompletableFuture<LossCause> current = new CompletableFuture<>();

    private volatile @Nullable LossCause known;

    /** Completes the future with the cause. */
    public void complete(LossCause cause) {
        known = cause;
        unfinished().complete(cause);
    }

    /** The future. */
    public CompletableFuture<LossCause> shared() {
        CompletableFuture<LossCause> future = unfinished();
        LossCause cause = known;
        if (cause != null) {
            future.complete(cause);
        }
        return future;
    }

    private CompletableFuture<LossCause> unfinished() {
        mutex.lock();
        try {
            if (current.isDone()) {
                current = new CompletableFuture<>();
            }
            return current;
        } finally {
            mutex.unlock();
        }
    }
}
