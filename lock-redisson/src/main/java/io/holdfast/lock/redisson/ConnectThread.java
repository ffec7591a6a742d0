package io.holdfast.lock.redisson;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Makes a call on a thread of its own. Redisson connects in the first calls and on the thread that makes them: there it takes an
 * interrupt for a failure of the server, or swallows it, and has others that call at the same time fail as well.
 */
final class ConnectThread implements Executor {

    @Override
    public void execute(Runnable call) {
        Thread thread = new Thread(call, "holdfast-redisson-connect");
        thread.setDaemon(true);
        thread.start();
    }

    static <T> CompletableFuture<T> ask(Supplier<CompletionStage<T>> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        new ConnectThread().execute(() -> {
            try {
                question.get().whenComplete((given, failure) -> {
                    if (failure == null) {
                        answer.complete(given);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                });
            } catch (RuntimeException failure) {
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }
}
