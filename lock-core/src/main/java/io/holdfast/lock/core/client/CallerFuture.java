package io.holdfast.lock.core.client;

import io.holdfast.lock.core.hold.OwnHandle;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** Passes the outcome of an acquire on to a caller who may have stopped waiting for it. */
final class CallerFuture {

    private CallerFuture() {}

    /**
     * A future for the caller. Completed by the caller (cancelled, timed out), it abandons the acquire; a hold that is granted
     * all the same is given back.
     *
     * @param source what the acquire completes
     * @param abandon ends the acquire
     * @param discard gives back a hold that was granted all the same, without waiting for the store
     * @param shape how the caller wants to see the outcome
     */
    static <H extends OwnHandle, T> CompletableFuture<T> of(
            CompletableFuture<Optional<H>> source,
            Runnable abandon,
            Consumer<H> discard,
            Function<Optional<H>, T> shape) {
        CompletableFuture<T> told = new CompletableFuture<>();
        CompletableFuture<?> unused = told.whenComplete((outcome, failure) -> {
            if (!source.isDone()) {
                abandon.run();
            }
        });
        unused = source.whenComplete((handle, failure) -> {
            if (failure != null) {
                told.completeExceptionally(failure);
            } else if (!told.complete(shape.apply(handle))) {
                handle.ifPresent(discard);
            }
        });
        return told;
    }
}
