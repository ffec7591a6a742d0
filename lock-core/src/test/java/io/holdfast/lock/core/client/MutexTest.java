package io.holdfast.lock.core.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.core.runtime.Mutex;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MutexTest {

    private static final int THREADS = 4;
    private static final int TURNS = 20_000;

    private final Mutex mutex = new Mutex();
    private int count;

    @Test
    void oneThreadIsInsideAtATime() throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Caller<Boolean>> callers = IntStream.range(0, THREADS)
                .mapToObj(i -> Caller.of(() -> {
                    start.await();
                    IntStream.range(0, TURNS).forEach(turn -> countOne());
                    return true;
                }))
                .toList();
        start.countDown();
        for (Caller<Boolean> caller : callers) {
            assertThat(caller.result()).isTrue();
        }
        assertThat(count).isEqualTo(THREADS * TURNS);
        assertThat(mutex.tryLock()).isTrue();
    }

    private void countOne() {
        mutex.lock();
        try {
            count++;
        } finally {
            mutex.unlock();
        }
    }

    @Test
    void itsThreadTakesItAgainAndEndsEachOfThem() throws Exception {
        mutex.lock();
        assertThat(mutex.tryLock()).isTrue();
        mutex.lock();
        for (int i = 0; i < 3; i++) {
            assertThat(Caller.of(mutex::tryLock).result()).isFalse();
            mutex.unlock();
        }
        assertThat(Caller.of(mutex::tryLock).result()).isTrue();
    }

    @Test
    void interruptDoesNotEndTheWaitAndIsKept() throws Exception {
        mutex.lock();
        Caller<Boolean> waiting = Caller.of(() -> {
                    mutex.lock();
                    return Thread.currentThread().isInterrupted();
                })
                .awaitBlocked();
        waiting.interrupt();
        waiting.awaitBlocked();
        mutex.unlock();
        assertThat(waiting.result()).isTrue();
    }

    @Test
    void onlyTheThreadThatHasItEndsIt() {
        assertThatThrownBy(mutex::unlock).isInstanceOf(IllegalMonitorStateException.class);
        mutex.lock();
        assertThatThrownBy(() -> Caller.of(() -> {
                            mutex.unlock();
                            return true;
                        })
                        .result())
                .hasStackTraceContaining("IllegalMonitorStateException");
    }
}
