package io.holdfast.lock.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order of the two limits, although drivers count whole seconds. */
class TimeoutsTest {

    @ParameterizedTest
    @CsvSource({"PT1S, 1", "PT1.000000001S, 2", "PT1.001S, 2", "PT1.999S, 2", "PT2S, 2", "PT5S, 5", "PT10M, 600"})
    void networkTimeoutIsASecondAfterTheStatements(Duration timeout, int seconds) {
        assertThat(Timeouts.seconds(timeout)).isEqualTo(seconds);
        assertThat(Timeouts.ofNetwork(timeout)).isEqualTo(Duration.ofSeconds(seconds + 1));
    }

    /** Drivers take zero for no limit. */
    @ParameterizedTest
    @CsvSource({"PT0S", "PT0.000001S"})
    void limitIsNeverZeroSeconds(Duration time) {
        assertThat(Timeouts.seconds(time)).isOne();
    }
}
