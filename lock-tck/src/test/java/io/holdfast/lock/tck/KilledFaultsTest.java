package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.CandidateTck.OfProvider;
import io.holdfast.lock.tck.faults.Faults;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * For each wrong provider whose fault is a repetition, a memory or a remainder, a rule fails, and the failure names the rule.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class KilledFaultsTest {

    static Stream<Arguments> faults() {
        return Stream.of(
                arguments(SecondTimeMutant.LOSES_EVERY_TENTH_WAKE_UP, "rule72_everyReleaseWakesWhateverCameBeforeIt"),
                arguments(
                        SecondTimeMutant.LOSES_THE_WAKE_UP_AFTER_A_REPEATED_ATTEMPT,
                        "rule72_everyReleaseWakesWhateverCameBeforeIt"),
                arguments(
                        SecondTimeMutant.LOSES_THE_WAKE_UP_AFTER_A_RENEWAL,
                        "rule72_everyReleaseWakesWhateverCameBeforeIt"),
                arguments(
                        SecondTimeMutant.LOSES_THE_WAKE_UP_AFTER_NESTED_HOLDS,
                        "rule72_everyReleaseWakesWhateverCameBeforeIt"),
                arguments(
                        SecondTimeMutant.LOSES_THE_WAKE_UP_IN_THE_LAST_SECOND_OF_A_LEASE,
                        "rule72_aReleaseShortlyBeforeTheEndOfALeaseWakes"),
                arguments(
                        SecondTimeMutant.WAKES_ONE_CLIENT_ONLY,
                        "rule72_allWaitersOfSeveralLocksAndClientsAreWokenInTheEnd"),
                arguments(SecondTimeMutant.REMEMBERS_THAT_A_LOCK_IS_FREE, "rule18_whatAClientSawBeforeDecidesNothing"),
                arguments(SecondTimeMutant.REMEMBERS_WHO_HOLDS_A_LOCK, "rule18_whatAClientSawBeforeDecidesNothing"),
                arguments(
                        SecondTimeMutant.TAKES_A_NEW_CLAIM_OF_AN_OWNER_FOR_ITS_LAST_ONE,
                        "rule54_oneOwnerTakesAndLeavesOneLockManyTimes"),
                arguments(
                        SecondTimeMutant.RENEWS_FOR_LESS_AFTER_A_REPEATED_ATTEMPT,
                        "rule31_aRenewalAfterARepeatedAttemptIsForTheWholeLease"),
                arguments(
                        SecondTimeMutant.REVIVES_WHAT_ITS_OWNER_LOST,
                        "rule45_anOwnerThatLosesALockAgainAndAgainHasOneClaimAtATime"),
                arguments(SecondTimeMutant.THROWS_AT_THE_THIRD_CLOSE, "rule93_closingManyTimesAndAtOnceDoesNothing"),
                arguments(SecondTimeMutant.TAKES_THE_SECOND_OUTAGE_FOR_CONTENTION, "rule95_theThirdOutageIsAsTheFirst"),
                arguments(
                        SecondTimeMutant.ANSWERS_A_REPEATED_ATTEMPT_FROM_MEMORY,
                        "rule18_aClaimThatWasRemovedAsksTheStoreInEachCall"),
                arguments(
                        SecondTimeMutant.GRANTS_AGAIN_WITHOUT_A_RECORD,
                        "rule18_anAttemptRepeatedAfterARemovalIsARealGrant"),
                arguments(
                        SecondTimeMutant.BELIEVES_IN_THE_LEASE_THAT_IT_SAW,
                        "rule18_aWaiterThatKnowsOfALongLeaseFindsTheLockFreeAfterItsRemoval"),
                arguments(
                        SecondTimeMutant.TAKES_OVER_BY_THE_LEASE_THAT_IT_SAW,
                        "rule24_aWaiterDoesNotCountTheLeaseThatItSawFirst"),
                arguments(
                        SecondTimeMutant.RELEASES_BY_ITS_OWN_CLOCK,
                        "rule24_aClaimWhoseCopyWasRenewedIsInForceThoughItsOwnLeaseIsOver"),
                arguments(
                        SecondTimeMutant.RENEWS_BY_ITS_OWN_CLOCK,
                        "rule24_aClaimWhoseCopyWasRenewedIsInForceThoughItsOwnLeaseIsOver"),
                arguments(
                        SecondTimeMutant.RELEASES_BY_ITS_OWN_MEMORY,
                        "rule18_aClaimThatWasRemovedAsksTheStoreInEachCall"),
                arguments(LeftoverMutant.QUEUES_A_CLAIM_WHEN_IT_IS_MADE, "rule15_aClaimThatNeverAttemptedHasNoPlace"),
                arguments(
                        LeftoverMutant.LEAKS_A_THREAD_WITH_EACH_WITHDRAWN_WAIT, "rule93_withdrawnWaitsLeaveNoThreads"),
                arguments(
                        LeftoverMutant.LEAKS_A_DESCRIPTOR_WITH_EACH_CLIENT, "rule93_closedProvidersLeaveNoDescriptors"),
                arguments(
                        LeftoverMutant.ANSWERS_AFTER_ITS_CLOSE_WHAT_IT_KNEW,
                        "rule16_aClosedProviderAnswersNothingFromMemory"),
                arguments(
                        LeftoverMutant.TELLS_THE_HIGHEST_TOKEN_AFTER_ITS_CLOSE,
                        "rule16_aClosedProviderAnswersNothingFromMemory"),
                arguments(
                        LeftoverMutant.PRETENDS_TO_RELEASE_AFTER_ITS_CLOSE,
                        "rule16_aClosedProviderAnswersNothingFromMemory"),
                arguments(
                        LeftoverMutant.RENEWS_AFTER_ITS_CLOSE_WHAT_WAS_RENEWED_BEFORE,
                        "rule93_aCloseEndsTheCallsThatAreUnderWay"),
                arguments(
                        LeftoverMutant.SWALLOWS_THE_INTERRUPT_OF_A_RELEASE,
                        "rule74_everyCallKeepsAnInterruptForItsCaller"),
                arguments(
                        LeftoverMutant.SWALLOWS_THE_INTERRUPT_OF_A_CLOSE,
                        "rule74_everyCallKeepsAnInterruptForItsCaller"),
                arguments(LeftoverMutant.TELLS_THE_ASKERS_HOST, "rule98_whatIsToldOfAHolderIsItsOwnAndDoesNotChange"),
                arguments(
                        LeftoverMutant.MOVES_SINCE_WITH_A_REPEATED_ATTEMPT,
                        "rule98_whatIsToldOfAHolderIsItsOwnAndDoesNotChange"),
                arguments(
                        LeftoverMutant.MOVES_SINCE_WITH_EACH_RENEWAL,
                        "rule98_whatIsToldOfAHolderIsItsOwnAndDoesNotChange"),
                arguments(
                        LeftoverMutant.TELLS_SINCE_WHEN_A_CLAIM_WAS_MADE,
                        "rule98_whatIsToldOfAHolderIsItsOwnAndDoesNotChange"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void ruleCatchesFault(Spoilt fault, String rule) throws Exception {
        KitRun run = KitRun.conclusive(() -> KitRun.ofRule(OfProvider.class, rule, () -> new MemoryHarness() {
            private final Cut cut = new Cut();

            @Override
            public LockProvider open() {
                return new SpoiltProvider(super.open(), fault, cut);
            }

            @Override
            public Faults faults() {
                return cut;
            }
        }));

        run.mustBreak(OfProvider.class, rule);
    }

    @Test
    void everyFaultHasARule() {
        Set<Object> caught = faults().map(each -> each.get()[0]).collect(Collectors.toSet());
        Set<Object> all = new HashSet<>(EnumSet.allOf(SecondTimeMutant.class));
        all.addAll(EnumSet.allOf(LeftoverMutant.class));

        assertThat(all).isSubsetOf(caught);
    }
}
