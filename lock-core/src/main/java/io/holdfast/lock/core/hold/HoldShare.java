package io.holdfast.lock.core.hold;

import io.holdfast.lock.LossCause;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One acquire's share of a {@link Hold}. It does not keep the application's handle alive: a handle that was dropped without a
 * release can be released by nobody.
 */
final class HoldShare {

    private final WeakReference<Object> handle;
    private final String thread;
    private final long since;
    private final CompletableFuture<LossCause> loss = new CompletableFuture<>();

    /** What the application sees: it cannot complete it. */
    private final CompletionStage<LossCause> lost = loss.minimalCompletionStage();

    /** Written under the hold's mutex. */
    private volatile boolean released;

    /** Guarded by the hold's mutex. */
    private boolean warned;

    /**
     * Creates a share.
     *
     * @param thread the name of the thread that acquired it
     * @param since the reading of the clock when it did
     */
    HoldShare(Object handle, String thread, long since) {
        this.handle = new WeakReference<>(handle);
        this.thread = thread;
        this.since = since;
    }

    String thread() {
        return thread;
    }

    long since() {
        return since;
    }

    CompletionStage<LossCause> lost() {
        return lost;
    }

    void tellLoss(LossCause cause) {
        loss.complete(cause);
    }

    boolean isReleased() {
        return released;
    }

    void markReleased() {
        released = true;
    }

    /** Whether the application has no way left to release it. */
    boolean isDropped() {
        return handle.refersTo(null);
    }

    /** Whether to warn of the drop now; says so once. */
    boolean takeWarning() {
        boolean warn = !warned && isDropped();
        warned |= warn;
        return warn;
    }
}
