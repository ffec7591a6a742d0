package io.holdfast.lock.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimerTest {

    private static final long HOUR = Duration.ofHours(1).toNanos();

    /** How often the timer's thread has looked at the clock: once each time it wakes. */
    private final AtomicInteger looks = new AtomicInteger();

    /** Where the clock stands while a test sets timers, however long that takes; zero while the clock goes. */
    private volatile long standing;

    private final Ticker ticker = () -> {
        if (Thread.currentThread().getName().equals("timer")) {
            looks.incrementAndGet();
        }
        long reading = standing;
        return reading == 0 ? System.nanoTime() : reading;
    };
    private final Thread[] thread = new Thread[1];
    private final Timer timer = Timer.start(ticker, work -> thread[0] = new Thread(work, "timer"));

    @AfterEach
    void close() throws InterruptedException {
        timer.close();
        timer.join(20_000);
        thread[0].join(20_000);
        assertThat(thread[0].isAlive()).isFalse();
    }

    private void awaitSleep(Thread.State state) {
        await("the thread sleeps").atMost(Duration.ofSeconds(20)).until(() -> thread[0].getState() == state);
    }

    @Test
    void tasksRunInTheOrderOfTheirTimes() throws InterruptedException {
        List<String> run = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch all = new CountDownLatch(3);
        long now = System.nanoTime();
        standing = now;
        for (int millis : new int[] {60, 20, 40}) {
            timer.schedule(
                    () -> {
                        boolean inTime = System.nanoTime() - now >= TimeUnit.MILLISECONDS.toNanos(millis);
                        run.add(millis + (inTime ? "" : " too early"));
                        all.countDown();
                    },
                    TimeUnit.MILLISECONDS.toNanos(millis));
        }
        standing = 0;

        assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(run).containsExactly("20", "40", "60");
    }

    @Test
    void aTaskThatIsDueBeforeTheOthersWakesTheThread() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(2);
        awaitSleep(Thread.State.WAITING);
        timer.schedule(ran::countDown, 0);
        await().atMost(Duration.ofSeconds(20)).until(() -> ran.getCount() == 1);
        timer.schedule(() -> {}, HOUR);
        awaitSleep(Thread.State.TIMED_WAITING);
        timer.schedule(ran::countDown, 1);

        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void alarmsThatAreSetForLaterAndCancelledDoNotWakeTheThread() throws InterruptedException {
        Scheduler.Scheduled first = timer.schedule(() -> {}, HOUR);
        awaitSleep(Thread.State.TIMED_WAITING);
        int before = looks.get();
        first.cancel();
        for (int i = 0; i < 1_000; i++) {
            timer.schedule(() -> {}, HOUR).cancel();
        }

        CountDownLatch ran = new CountDownLatch(1);
        timer.schedule(ran::countDown, 0);
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(looks.get() - before)
                .as("for the last task, and perhaps for the next one")
                .isBetween(1, 2);
    }

    @Test
    void aCancelledTaskDoesNotRun() throws InterruptedException {
        List<String> run = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch last = new CountDownLatch(1);
        standing = System.nanoTime();
        timer.schedule(() -> run.add("cancelled"), TimeUnit.MILLISECONDS.toNanos(30))
                .cancel();
        timer.schedule(last::countDown, TimeUnit.MILLISECONDS.toNanos(50));
        standing = 0;

        assertThat(last.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(run).isEmpty();
    }

    @Test
    void aDelayWithoutEndIsNoDelayOfOthers() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        timer.schedule(() -> {}, Long.MAX_VALUE);
        timer.schedule(ran::countDown, 1);

        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void afterTheCloseNothingRuns() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        standing = System.nanoTime();
        timer.schedule(runs::incrementAndGet, TimeUnit.MILLISECONDS.toNanos(50));
        timer.close();
        standing = 0;
        timer.join(20_000);
        timer.schedule(runs::incrementAndGet, 0);

        assertThat(runs).hasValue(0);
    }
}
