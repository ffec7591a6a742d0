package io.holdfast.lock.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The faults of one server. */
class ServerFaultsTest {

    @Test
    void noDataIsLostWithoutAServerToRestart() {
        try (ServerFaults faults = new ServerFaults("127.0.0.1", 1).losingData()) {
            assertThat(faults.dataLoss()).isEmpty();
        }
    }

    @Test
    void noErrorsAreAnsweredWithoutAServerThatRefuses() {
        try (ServerFaults faults = new ServerFaults("127.0.0.1", 1).refusingChanges("full")) {
            assertThat(faults.errorReplies()).isEmpty();
        }
    }
}
