package io.holdfast.lock.core.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the renewals in two stores come to. */
class BothClaimTest {

    private static final Renewal HELD = new Renewal.Held(Duration.ofSeconds(5));
    private static final Renewal SHORTER = new Renewal.Held(Duration.ofSeconds(3));
    private static final Renewal LOST = new Renewal.Lost(LossCause.TAKEN_OVER);
    private static final Renewal UNKNOWN = new Renewal.Unknown(new LockStoreException("no answer"));

    @Test
    void bothHoldForTheShorterTime() {
        assertThat(BothClaim.both(HELD, SHORTER)).isEqualTo(SHORTER);
        assertThat(BothClaim.both(SHORTER, HELD)).isEqualTo(SHORTER);
    }

    @Test
    void lossInOneIsALossWhateverTheOtherAnswers() {
        for (Renewal other : new Renewal[] {HELD, UNKNOWN, LOST}) {
            assertThat(BothClaim.both(LOST, other)).isEqualTo(LOST);
            assertThat(BothClaim.both(other, LOST)).isEqualTo(LOST);
        }
    }

    @Test
    void unknownOutcomeOfOneIsOneOfBoth() {
        assertThat(BothClaim.both(UNKNOWN, HELD)).isEqualTo(UNKNOWN);
        assertThat(BothClaim.both(HELD, UNKNOWN)).isEqualTo(UNKNOWN);
        assertThat(BothClaim.both(UNKNOWN, UNKNOWN)).isEqualTo(UNKNOWN);
    }
}
