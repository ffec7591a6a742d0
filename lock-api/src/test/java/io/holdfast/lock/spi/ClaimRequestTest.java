package io.holdfast.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClaimRequestTest {

    private static Duration validFor(Duration lease) {
        return new ClaimRequest("a", "claim", "owner", lease, Intent.TRY_ONCE, new Claimant("host", 1, "main"))
                .validFor();
    }

    @Test
    void aThousandthOfTheLeaseIsNotCountedOn() {
        assertThat(validFor(Duration.ofSeconds(30))).isEqualTo(Duration.ofMillis(29_970));
        assertThat(validFor(Duration.ofMillis(1))).isEqualTo(Duration.ofNanos(999_000));
    }
}
