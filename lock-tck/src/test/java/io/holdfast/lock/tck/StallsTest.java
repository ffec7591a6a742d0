package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallsTest {

    private final Stalls stalls = new Stalls();

    @Test
    void addsUpWhatWasLostWithinATime() {
        stalls.add(10, 3);
        stalls.add(20, 4);
        stalls.add(31, 5);

        assertThat(stalls.most(0, 10)).isEqualTo(7);
        assertThat(stalls.most(0, 100)).isEqualTo(12);
        assertThat(stalls.most(11, 10)).isEqualTo(5);
        assertThat(stalls.most(32, 10)).isZero();
    }

    @Test
    void knowsTheLongestSinceAMoment() {
        stalls.add(10, 5);
        stalls.add(20, 3);

        assertThat(stalls.longest(10)).isEqualTo(5);
        assertThat(stalls.longest(11)).isEqualTo(3);
        assertThat(stalls.longest(21)).isZero();
    }

    @Test
    void forgetsWhatWasOver() {
        stalls.add(10, 5);
        stalls.add(20, 3);
        stalls.forgetBefore(20);

        assertThat(stalls.longest(0)).isEqualTo(3);
    }
}
