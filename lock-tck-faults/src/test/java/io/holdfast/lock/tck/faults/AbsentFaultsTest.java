package io.holdfast.lock.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Why a fault is not offered. */
class AbsentFaultsTest {

    @Test
    void reasonForNoFaultsHoldsForEachOfThem() {
        assertThat(Faults.none("there is no server").absence("crash")).contains("there is no server");
        assertThat(Faults.none("there is no server").outage()).isEmpty();
        assertThat(Faults.none().absence("crash")).isEmpty();
    }

    @Test
    void faultsOfServersAndNetworksRepeatTheReasonsThatTheyWereGiven() {
        List<Faults> explained = List.of(
                new ServerFaults("127.0.0.1", 1).without("crash", "it has no disk"),
                new NetworkFaults(List::of).without("crash", "it has no disk"));

        for (Faults faults : explained) {
            assertThat(faults.absence("crash")).contains("it has no disk");
            assertThat(faults.absence("clockStep"))
                    .contains("a server process reads the clock of the machine, which no test may set");
            assertThat(faults.absence("sessionEnd")).isEmpty();
        }
    }
}
