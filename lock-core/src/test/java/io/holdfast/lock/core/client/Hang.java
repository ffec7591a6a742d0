package io.holdfast.lock.core.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A call of the provider that hangs on its way to the store until the test lets it go on. */
final class Hang {

    private static final long BOUND_SECONDS = 20;

    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    private Hang() {}

    /** Lets the next call of a kind hang. */
    static Hang ofNext(TroubledProvider.Call call, TroubledProvider provider) {
        Hang hang = new Hang();
        provider.beforeNext(call, () -> {
            hang.begun.complete(null);
            hang.over.join();
        });
        return hang;
    }

    void awaitBegun() throws Exception {
        begun.get(BOUND_SECONDS, TimeUnit.SECONDS);
    }

    void end() {
        over.complete(null);
    }
}
