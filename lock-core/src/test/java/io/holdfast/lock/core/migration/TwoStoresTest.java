package io.holdfast.lock.core.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a claim in BOTH asks of the two stores, in which order, and what it makes of their answers. */
class TwoStoresTest {

    private final List<String> calls = new ArrayList<>();
    private final ScriptedStore old = new ScriptedStore("old", calls);
    private final ScriptedStore next = new ScriptedStore("new", calls);

    private static final ClaimSignals NONE = new ClaimSignals() {
        @Override
        public void mayBeFree() {}

        @Override
        public void lost(LossCause cause) {}
    };

    private MigratingLockProvider provider() {
        return MigratingLockProvider.between(old, next, Phase.BOTH).build();
    }

    private Claim claim(MigratingLockProvider provider) {
        return provider.newClaim(
                new ClaimRequest(
                        "a", "claim", "owner", Duration.ofSeconds(30), Intent.WAIT, new Claimant("host", 1, "thread")),
                NONE);
    }

    @Test
    void oldStoreIsAskedFirstAndReleasedLast() {
        Claim claim = claim(provider());
        assertThat(claim.attempt()).isInstanceOf(Attempt.Granted.class);
        assertThat(claim.release()).isEqualTo(Release.RELEASED);
        assertThat(calls).containsExactly("attempt old", "attempt new", "release new", "release old");
    }

    @Test
    @Proves("1.5")
    void oldStoresLockIsGivenBackIfTheNewOneRefuses() {
        next.isHeldByAnother();
        assertThat(claim(provider()).attempt()).isInstanceOf(Attempt.Contended.class);
        assertThat(calls).containsExactly("attempt old", "attempt new", "release old");
    }

    @Test
    @Proves("1.5")
    void lineOfTheNewStoreIsLeftIfTheOldOneRefuses() {
        next.isHeldByAnother();
        Claim claim = claim(provider());
        assertThat(claim.attempt()).isInstanceOf(Attempt.Contended.class);
        old.isHeldByAnother();
        for (List<String> expected : List.of(List.of("attempt old", "release new"), List.of("attempt old"))) {
            calls.clear();
            assertThat(claim.attempt()).isInstanceOf(Attempt.Contended.class);
            assertThat(calls).isEqualTo(expected);
        }
    }

    @Test
    @Proves("1.5")
    void oldStoresLockIsReleasedIfTheNewOneFailsToRelease() {
        Claim claim = claim(provider());
        assertThat(claim.attempt()).isInstanceOf(Attempt.Granted.class);
        next.fails("release");
        calls.clear();
        assertThatThrownBy(claim::release).isInstanceOf(LockStoreException.class);
        assertThat(calls).containsExactly("release new", "release old");
    }

    @Test
    @Proves("1.3")
    void newAttemptIsReleasedAnew() {
        next.isHeldByAnother();
        Claim claim = claim(provider());
        for (int attempt = 0; attempt < 2; attempt++) {
            calls.clear();
            assertThat(claim.attempt()).isInstanceOf(Attempt.Contended.class);
            assertThat(calls).containsExactly("attempt old", "attempt new", "release old");
        }
    }

    @ParameterizedTest
    @CsvSource({"30, 5", "5, 30"})
    @Proves({"2.5", "3.1"})
    void lockIsValidForAsLongAsInTheStoreWhereItEndsFirst(long ofOld, long ofNew) {
        old.grantsFor(Duration.ofSeconds(ofOld));
        next.grantsFor(Duration.ofSeconds(ofNew));
        MigratingLockProvider provider = provider();
        Claim claim = claim(provider);
        Duration shorter = Duration.ofSeconds(5);
        assertThat(claim.attempt())
                .isInstanceOfSatisfying(
                        Attempt.Granted.class,
                        granted -> assertThat(granted.validFor()).isEqualTo(shorter));
        assertThat(claim.renew()).isEqualTo(new Renewal.Held(shorter));
        assertThat(provider.renewAll(List.of(claim))).containsExactly(new Renewal.Held(shorter));
    }

    @Test
    @Proves("3.1")
    void batchOfRenewalsAsksBothStores() {
        MigratingLockProvider provider = provider();
        Claim claim = claim(provider);
        assertThat(claim.attempt()).isInstanceOf(Attempt.Granted.class);
        calls.clear();
        assertThat(provider.renewAll(List.of(claim))).hasSize(1);
        assertThat(calls).containsExactlyInAnyOrder("renew old", "renew new");
    }

    @ParameterizedTest
    @CsvSource({"PUSH, PUSH, PUSH", "PUSH, POLL, POLL", "POLL, PUSH, POLL", "POLL, POLL, POLL"})
    void wakesOnlyIfBothStoresDo(WakeUp ofOld, WakeUp ofNew, WakeUp declared) {
        MigratingLockProvider provider = MigratingLockProvider.between(
                        new ScriptedStore("old", calls, ofOld), new ScriptedStore("new", calls, ofNew), Phase.BOTH)
                .build();
        assertThat(provider.capabilities().wakeUp()).isEqualTo(declared);
    }

    @Test
    void failureOfOneCloseLeavesNothingOpen() {
        MigratingLockProvider provider = provider();
        old.fails("close");
        assertThatThrownBy(provider::close).hasMessageContaining("the store old fails at close");
        assertThat(calls).containsExactly("close old", "close new");
    }
}
