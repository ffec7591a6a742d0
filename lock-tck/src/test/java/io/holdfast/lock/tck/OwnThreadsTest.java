package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which threads are left behind by a piece of work. */
class OwnThreadsTest {

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void endAllThreads() {
        end.countDown();
    }

    private void leaveThread() {
        Thread thread = new Thread(
                () -> {
                    try {
                        end.await();
                    } catch (InterruptedException unexpected) {
                        throw new AssertionError(unexpected);
                    }
                },
                "left-behind");
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    void aThreadThatOneRunStartsForTheWholeJvmIsNotLeftBehind() throws InterruptedException {
        OwnThreads.mustEndWith(
                () -> {
                    if (runs.incrementAndGet() == 2) {
                        leaveThread();
                    }
                },
                "it was closed");

        assertThat(runs).hasValue(3);
    }

    @Test
    void aThreadOfEachRunIsLeftBehind() {
        assertThatThrownBy(() -> OwnThreads.mustEndWith(this::leaveThread, "it was closed"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("threads remain although it was closed: left-behind");
    }
}
