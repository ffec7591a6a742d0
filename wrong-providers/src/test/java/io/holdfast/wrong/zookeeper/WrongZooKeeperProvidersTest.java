package io.holdfast.wrong.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.parts.TestClaim;
import io.holdfast.wrong.WrongProvider;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each wrong provider passes a superficial test: only its one fault gives it away. */
@Tag("server")
class WrongZooKeeperProvidersTest {

    private static final String NAME = "nightly";

    static Stream<WrongProvider> all() {
        return Stream.<WrongProvider[]>of(
                        CorrectZooKeeper.values(),
                        WrongValues.values(),
                        WrongCrowds.values(),
                        WrongNeighbours.values(),
                        WrongWindows.values(),
                        WrongRepetitions.values(),
                        WrongMemories.values(),
                        WrongRemains.values(),
                        LastZooKeeperFaults.values())
                .flatMap(Arrays::stream);
    }

    @ParameterizedTest
    @MethodSource("all")
    void grantsRenewsShowsAndReleases(WrongProvider wrong) {
        LockHarness harness = wrong.harness();
        try (LockProvider provider = harness.open()) {
            TestClaim claim = TestClaim.once(provider, NAME);

            long token = claim.token();

            assertThat(claim.claim.renew()).isInstanceOf(Renewal.Held.class);
            assertThat(provider.holder(NAME).flatMap(LockHolder::fencingToken).map(shown -> shown.value()))
                    .contains(token);
            assertThat(claim.claim.release()).isEqualTo(Release.RELEASED);
        } finally {
            harness.close();
        }
    }
}
