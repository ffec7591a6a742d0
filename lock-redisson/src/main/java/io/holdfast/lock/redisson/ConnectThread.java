package io.holdfast.lock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes a call on a new thread. Redisson connects in the first calls, on the thread of the caller: there it takes an interrupt for a
 * failure of the server, or swallows it, and makes concurrent calls fail as well.
 */
final class ConnectThread {

    private ConnectThread() {}

    static <T> CompletableFuture<T> ask(Supplier<CompletionStage<T>> question) {
        return CompletableFuture.supplyAsync(question, ConnectThread::start).thenCompose(Function.identity());
    }

    private static void start(Runnable call) {
        Thread thread = new Thread(call, "holdfast-redisson-connect");
        thread.setDaemon(true);
        thread.start();
    }
}
