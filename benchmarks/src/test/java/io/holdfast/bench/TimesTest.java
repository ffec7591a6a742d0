package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class TimesTest {

    private static final Percentage WIDTH_OF_A_CLASS = Percentage.withPercentage(2);

    @Test
    void keepsEachTimeToAFewParts() {
        for (long nanos = 1; nanos < Long.MAX_VALUE / 3; nanos = nanos * 3 + 1) {
            Times times = new Times();
            times.add(nanos);

            assertThat(times.micros(0.5)).isCloseTo((nanos + 0.5) / 1e3, WIDTH_OF_A_CLASS);
        }
    }

    @Test
    void tellsWhatAPartDidNotExceed() {
        Times times = new Times();
        for (int micros = 1; micros <= 1_000; micros++) {
            times.add(micros * 1_000L);
        }

        assertThat(times.micros(0.5)).isCloseTo(500, WIDTH_OF_A_CLASS);
        assertThat(times.micros(0.99)).isCloseTo(990, WIDTH_OF_A_CLASS);
    }

    @Test
    void saysNothingOfNothing() {
        assertThat(new Times().micros(0.5)).isNaN();
    }

    @Test
    void comesBackFromItsLine() {
        Times times = new Times();
        times.add(5);
        times.add(70_000);
        times.add(Times.of(times.line()));

        assertThat(times.count()).isEqualTo(4);
        assertThat(times.micros(1)).isCloseTo(70, WIDTH_OF_A_CLASS);
        assertThat(Times.of(new Times().line()).count()).isZero();
    }
}
