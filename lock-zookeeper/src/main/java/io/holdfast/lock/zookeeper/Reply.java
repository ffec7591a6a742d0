package io.holdfast.lock.zookeeper;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request that was sent. The client's own thread delivers answers in the order of the requests; requests that are
 * sent together take one round trip.
 *
 * @param <T> the type of the answer
 */
final class Reply<T> {

    private final CountDownLatch arrived = new CountDownLatch(1);
    private final Duration patience;
    private volatile @Nullable RequestResult<T> answer;

    /**
     * Creates the reply to a request that is about to be sent.
     *
     * @param patience how long to wait at most. Usually the client gives up sooner
     */
    Reply(Duration patience) {
        this.patience = patience;
    }

    /** Takes in the answer. */
    void arrives(int code, @Nullable T content) {
        answer = new RequestResult<>(known(code), content);
        arrived.countDown();
    }

    /** A newer server may send a code that the client does not know. */
    private static Code known(int code) {
        try {
            return Code.get(code);
        } catch (IllegalArgumentException nameless) {
            return Code.SYSTEMERROR;
        }
    }

    /** Whether the server's answer is here, or still on its way: not if there is none, or a refusal. */
    boolean mayTell() {
        RequestResult<T> here = answer;
        return here == null || here.isOk() || here.isMissing();
    }

    /** Waits for the answer. */
    RequestResult<T> await() {
        UninterruptibleWait.run(() -> arrived.await(patience.toNanos(), TimeUnit.NANOSECONDS));
        RequestResult<T> here = answer;
        return here == null ? new RequestResult<>(Code.OPERATIONTIMEOUT, null) : here;
    }
}
