package io.holdfast.lock.core.hold;

import io.holdfast.lock.LossCause;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One acquire's share of a {@link Hold}. It does not keep the application's handle alive: a handle that was dropped without a
 * release can be released by nobody.
 */
final class HoldShare extends WeakReference<Object> {

    private final String thread;
    private final long since;

    /** Null until it is needed, as few ask for it; guarded by the hold's mutex. */
    private @Nullable Loss loss;

    /** Written under the hold's mutex. */
    private volatile boolean released;

    /** Guarded by the hold's mutex. */
    private boolean warned;

    /**
     * A loss that may come.
     *
     * @param seen what the application sees of it: it cannot complete that
     */
    private record Loss(CompletableFuture<LossCause> cause, CompletionStage<LossCause> seen) {}

    /**
     * Creates a share.
     *
     * @param thread the name of the thread that acquired it
     * @param since the reading of the clock when it did
     */
    HoldShare(Object handle, String thread, long since) {
        super(handle);
        this.thread = thread;
        this.since = since;
    }

    String thread() {
        return thread;
    }

    long since() {
        return since;
    }

    /** Completes with the {@link #cause()}. */
    CompletionStage<LossCause> lost() {
        return loss().seen();
    }

    /** To be completed without the mutex when the hold is lost. */
    CompletableFuture<LossCause> cause() {
        return loss().cause();
    }

    private Loss loss() {
        Loss made = loss;
        if (made == null) {
            CompletableFuture<LossCause> cause = new CompletableFuture<>();
            made = new Loss(cause, cause.minimalCompletionStage());
            loss = made;
        }
        return made;
    }

    boolean isReleased() {
        return released;
    }

    void markReleased() {
        released = true;
    }

    /** Whether the application has no way left to release it. */
    boolean isDropped() {
        return refersTo(null);
    }

    /** Whether to warn of the drop now; says so once. */
    boolean takeWarning() {
        boolean warn = !warned && isDropped();
        warned |= warn;
        return warn;
    }
}
