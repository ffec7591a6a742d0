package io.holdfast.lock.zookeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request that was sent. The client's own thread brings it, in the order of the requests; requests that are sent
 * together cost one round trip together.
 *
 * @param <T> what is asked for
 */
final class Reply<T> {

    private final CompletableFuture<Answer<T>> answer = new CompletableFuture<>();
    private final Duration patience;

    /**
     * Creates the reply to a request that is about to be sent.
     *
     * @param patience how long to wait for it. The client gives up sooner by itself; this is for the case that it does not
     */
    Reply(Duration patience) {
        this.patience = patience;
    }

    /** Takes in the answer. */
    void arrives(int code, @Nullable T content) {
        Code known = Code.get(code);
        answer.complete(new Answer<>(known == null ? Code.SYSTEMERROR : known, content));
    }

    /** Waits for the answer. An interrupt is kept for later: it says nothing of what the server does with the request. */
    Answer<T> await() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException none) {
            return new Answer<>(Code.OPERATIONTIMEOUT, null);
        } catch (ExecutionException never) {
            throw new IllegalStateException(never);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
