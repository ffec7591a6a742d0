package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.CandidateTck.OfProvider;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** For each wrong provider that makes a change in two steps a rule fails, and the failure names the rule. They need both cores. */
@Execution(ExecutionMode.SAME_THREAD)
@ResourceLock(RaceRules.CORES)
@Tag("full")
class KilledRacesTest {

    private static final int RUNS = 10;

    static Stream<Arguments> faults() {
        return Stream.of(
                arguments(RaceMutant.LOOKS_AND_THEN_DELETES, "rule51_aReleaseDuringATakeoverFreesNoOtherClaim"),
                arguments(
                        RaceMutant.LOOKS_AND_THEN_PROLONGS, "rule31_aRenewalDuringATakeoverHoldsNothingOfAnotherClaim"),
                arguments(
                        RaceMutant.CLEANS_UP_WHEN_ASKED_FOR_THE_HOLDER, "rule11_aQuestionDuringATakeoverFreesNoClaim"),
                arguments(RaceMutant.TAKES_OVER_WHAT_IT_SAW_EXPIRED, "rule11_onlyOneClaimGetsTheLockOfADeadHolder"),
                arguments(RaceMutant.LOOKS_AND_THEN_TAKES, "rule11_twoAttemptsAtTheSameMomentAreNotBothGranted"),
                arguments(
                        RaceMutant.FREES_AND_THEN_CLEANS_UP, "rule51_aReleaseFreesNoClaimThatIsGrantedAtTheSameMoment"),
                arguments(
                        RaceMutant.LOOKS_AND_THEN_WRITES_THE_RECORD_AGAIN,
                        "rule35_aRenewalAtTheMomentOfTheReleaseHoldsNothing"),
                arguments(RaceMutant.RENEWS_ONE_AT_A_TIME, "rule31_twoRenewalsAtTheSameMomentAreBothHeld"),
                arguments(
                        RaceMutant.COUNTS_HOLDS_WITH_A_READ_AND_A_WRITE,
                        "rule42_holdsThatComeAndGoAtTheSameMomentAreAllCounted"),
                arguments(RaceMutant.GIVES_EACH_COPY_ITS_OWN_TOKEN, "rule13_twoCopiesOfOneAttemptAreOneGrant"),
                arguments(
                        RaceMutant.RAISES_TOKENS_WITH_A_READ_AND_A_WRITE,
                        "rule67_noTokenIsGivenTwiceWhenTokensAreRaisedDuringGrants"));
    }

    /** Again if the two threads never met: another process may have had the cores. */
    @ParameterizedTest
    @MethodSource("faults")
    void ruleCatchesFault(Spoilt fault, String rule) throws Exception {
        KitRun run = KitRun.conclusive(() -> run(fault, rule));
        for (int i = 1; i < RUNS && run.failures().isEmpty(); i++) {
            run = run(fault, rule);
        }

        run.mustBreak(OfProvider.class, rule);
    }

    private static KitRun run(Spoilt fault, String rule) {
        return KitRun.ofRule(OfProvider.class, rule, () -> new MemoryHarness() {
            @Override
            public LockProvider open() {
                return new SpoiltProvider(super.open(), fault, new Cut());
            }
        });
    }

    @Test
    void everyFaultHasARule() {
        Set<Object> caught = faults().map(each -> each.get()[0]).collect(Collectors.toSet());
        Set<Object> all = new HashSet<>(EnumSet.allOf(RaceMutant.class));

        assertThat(all).isSubsetOf(caught);
    }
}
