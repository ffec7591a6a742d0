package io.holdfast.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StoreClockTest {

    private static final long DRIFT_PPM = 1_000;
    private static final Duration MILLI = Duration.ofMillis(1);

    private final StoreClock clock = new StoreClock(DRIFT_PPM);

    /** The process's clock; near its overflow, as its origin is arbitrary. */
    private long now = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();

    private Instant store = Instant.parse("2030-01-01T00:00:00Z");

    private void pass(Duration time) {
        now += time.toNanos();
        store = store.plus(time);
    }

    /** A request that the store carries out after some time, and whose answer takes the same time. */
    private StoreClock.Reading read(Duration eachWay) {
        pass(Duration.ofNanos(1));
        long sentAt = now;
        pass(eachWay);
        Instant told = store;
        pass(eachWay);
        return clock.read(told, sentAt, now);
    }

    private void step(Duration by) {
        store = store.plus(by);
    }

    @Test
    void theFirstAnswerTellsNothing() {
        assertThat(read(MILLI)).isEqualTo(new StoreClock.Reading(Duration.ZERO, 0));
        assertThat(clock.advanced()).isZero();
    }

    @Test
    void slowAnswersAreNoSteps() {
        read(MILLI);
        assertThat(read(Duration.ofSeconds(2)).step()).isZero();
        assertThat(read(MILLI).step()).isZero();
        assertThat(clock.advanced()).isZero();
    }

    @Test
    void aStepForwardIsFoundWithinTheBoundsOfBothAnswers() {
        read(MILLI);
        pass(Duration.ofSeconds(1));
        step(Duration.ofMinutes(1));
        Duration step = read(MILLI).step();

        assertThat(step).isBetween(Duration.ofMinutes(1).minusMillis(4), Duration.ofMinutes(1));
        assertThat(Duration.ofNanos(clock.advanced()))
                .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(1).plusMillis(4));
        assertThat(read(MILLI).step()).isZero();
    }

    @Test
    void aStepWithinTheTimeOfTheAnswerIsFoundByAQuickerOne() {
        read(MILLI);
        step(Duration.ofMillis(400));
        assertThat(read(Duration.ofMillis(500)).step()).isZero();
        assertThat(read(MILLI).step()).isBetween(Duration.ofMillis(396), Duration.ofMillis(400));
    }

    @Test
    void aStepBackIsFoundAndAdvancesNothing() {
        read(MILLI);
        step(Duration.ofMinutes(-1));
        assertThat(read(MILLI).step())
                .isBetween(Duration.ofMinutes(-1), Duration.ofMinutes(-1).plusMillis(4));
        assertThat(clock.advanced()).isZero();
        assertThat(read(MILLI).step()).isZero();
    }

    @Test
    void aClockThatRunsFasterThanTheDriftAdvances() {
        for (int second = 0; second < 1_000; second++) {
            read(MILLI);
            pass(Duration.ofSeconds(1).minusMillis(2));
            step(Duration.ofMillis(11));
        }
        assertThat(Duration.ofNanos(clock.advanced())).isBetween(Duration.ofMillis(9_900), Duration.ofMillis(16_000));
    }

    @Test
    void aClockWithinTheDriftIsNoStepHoweverOftenItIsRead() {
        for (int i = 0; i < 100_000; i++) {
            assertThat(read(Duration.ofNanos(500)).step()).isZero();
            pass(Duration.ofNanos(99_000));
            step(Duration.ofNanos(90));
        }
        assertThat(clock.advanced()).isZero();
    }

    @Test
    void aClockWithinTheDriftIsNoStepDuringAPauseOfTheProcess() {
        read(MILLI);
        long first = now;
        pass(MILLI);
        Instant told = store;
        pass(MILLI);
        long second = now;
        pass(Duration.ofSeconds(10));
        step(Duration.ofMillis(5));
        assertThat(clock.read(told, first, now).step()).isZero();
        pass(MILLI);
        assertThat(clock.read(store, second, now).step()).isZero();
        assertThat(clock.advanced()).isZero();
    }

    @Test
    void aClockWithinTheDriftIsNoStep() {
        for (int second = 0; second < 10_000; second++) {
            assertThat(read(MILLI).step()).isZero();
            pass(Duration.ofSeconds(1));
            step(Duration.ofNanos(900_000));
        }
        assertThat(clock.advanced()).isZero();
    }

    @Test
    void anAnswerFromBeforeAStepThatIsKnownSaysSo() {
        read(MILLI);
        long sentAt = now;
        pass(MILLI);
        Instant before = store;
        step(Duration.ofMinutes(1));
        read(MILLI);
        long advanced = clock.advanced();

        StoreClock.Reading late = clock.read(before, sentAt, now);
        assertThat(late.step()).isZero();
        assertThat(Duration.ofNanos(advanced - late.advanced()))
                .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(1).plusMillis(8));
        assertThat(read(MILLI).step()).as("it has changed nothing").isZero();
    }
}
