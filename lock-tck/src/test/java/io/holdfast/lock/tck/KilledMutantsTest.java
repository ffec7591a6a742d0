package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.CandidateTck.OfClient;
import io.holdfast.lock.tck.CandidateTck.OfProvider;
import io.holdfast.lock.tck.faults.Faults;
import java.util.EnumSet;
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

/** For each wrong provider a rule fails, and the failure names the rule. The tests run in parallel, as they mostly wait. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class KilledMutantsTest {

    static Stream<Arguments> mutants() {
        return Stream.of(
                spi(Mutant.GRANTS_ALWAYS, "rule11_aSecondClaimIsContendedWhileTheLockIsHeld"),
                spi(Mutant.CHECKS_THEN_ACTS, "rule11_noUpdateUnderTheLockIsLostHoweverManyContend"),
                spi(Mutant.TAKES_OVER_IN_TWO_STEPS, "rule11_onlyOneClaimGetsTheLockOfADeadHolder"),
                spi(Mutant.ADMITS_ANYBODY_OF_THE_CLIENT, "rule11_aSecondClaimIsContendedWhileTheLockIsHeld"),
                spi(
                        Mutant.SHOWS_NO_OWNER_WHERE_A_THREAD_HAS_AN_ODD_NAME,
                        "rule11_aSecondClaimIsContendedWhileTheLockIsHeld"),
                spi(Mutant.WAITS_IN_THE_ATTEMPT, "rule12_anAttemptDoesNotWaitForTheHolderToLeave"),
                spi(Mutant.COUNTS_A_REPEATED_ATTEMPT_TWICE, "rule13_aRepeatedAttemptIsGrantedAgainAndCountsOnce"),
                spi(Mutant.PUTS_THE_HOLDER_BEHIND_WAITERS, "rule13_aRepeatedAttemptIsGrantedAgainAndCountsOnce"),
                spi(Mutant.FOLDS_CASE, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.TRUNCATES_NAMES, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.SANITISES_NAMES, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.HASHES_NAMES, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.CUTS_NAMES_AFTER_SO_MANY_BYTES, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.CONFUSES_RARE_CHARACTERS, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.KEEPS_ITS_QUEUE_UNDER_A_NAME_LIKE_A_LOCKS, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.LEAVES_CLAIMS_BEHIND, "rule15_aContendedAttemptLeavesNothingBehindAfterItsRelease"),
                spi(Mutant.TAKES_ERRORS_FOR_CONTENTION, "rule16_aClosedProviderThrowsAndDoesNotAnswer"),
                spi(Mutant.TAKES_ERRORS_FOR_RENEWALS, "rule16_aClosedProviderThrowsAndDoesNotAnswer"),
                spi(Mutant.LETS_LOCAL_MEMORY_DECIDE, "rule18_aRemovedLockIsGrantedToTheClientThatHeldIt"),
                spi(Mutant.TAKES_MILLISECONDS_FOR_SECONDS, "rule21_anUnrenewedClaimEndsWithItsLease"),
                spi(Mutant.NEVER_EXPIRES, "rule21_anUnrenewedClaimEndsWithItsLease"),
                spi(Mutant.SHOWS_HOLDERS_PAST_THEIR_LEASES, "rule21_anExpiredClaimIsNotShownAsTheHolder"),
                spi(Mutant.SHOWS_THE_HOLDER_BEFORE, "rule21_anExpiredClaimIsNotShownAsTheHolder"),
                spi(Mutant.EXPIRES_TOO_EARLY, "rule22_aClaimDoesNotEndBeforeItsLease"),
                spi(Mutant.ENDS_LEASES_BY_NAME, "rule22_theLeaseOfAReleasedClaimEndsNoLaterClaim"),
                spi(Mutant.PROMISES_MORE_THAN_THE_LEASE, "rule25_validForEndsBeforeTheClaimDoes"),
                spi(Mutant.PROMISES_MORE_THAN_THE_LEASE, "rule25_validForIsNeverLongerThanTheLease"),
                spi(Mutant.PROMISES_THE_LEASE_AGAIN_WITHOUT_PROLONGING, "rule25_aRepeatedGrantIsNotValidPastItsLease"),
                spi(Mutant.RENEWS_WITHOUT_PROLONGING, "rule31_aRenewedClaimIsInForceForItsWholeLeaseFromThen"),
                spi(Mutant.RENEWS_ANY_HOLDER, "rule31_aLateRenewalDoesNotProlongTheNextHoldersLease"),
                spi(Mutant.RENEWS_IN_TWO_STEPS, "rule31_aRenewalDuringATakeoverHoldsNothingOfAnotherClaim"),
                spi(Mutant.RENEWS_ONLY_THE_FIRST_OF_MANY, "rule31_aBatchOfRenewalsProlongsEachClaimByItsOwnLease"),
                spi(
                        Mutant.PROMISES_MANY_THE_LONGEST_OF_THEIR_LEASES,
                        "rule31_aBatchOfRenewalsProlongsEachClaimByItsOwnLease"),
                spi(Mutant.ANSWERS_FOR_MANY_IN_ANOTHER_ORDER, "rule31_aBatchOfRenewalsIsAnsweredInOrder"),
                spi(Mutant.RENEWS_FEWER_THAN_IT_DECLARES, "rule31_aBatchOfRenewalsIsAnsweredInOrder"),
                spi(Mutant.ANSWERS_FOR_MANY_BY_THEIR_NAMES, "rule31_aBatchOfRenewalsDistinguishesHolderAndLateClaim"),
                spi(Mutant.SIGNALS_A_LOSS_BY_NAME, "rule31_aBatchOfRenewalsDistinguishesHolderAndLateClaim"),
                spi(Mutant.RENEWS_WHAT_HAS_VANISHED, "rule32_renewOfAVanishedClaimSaysLostAndDoesNotRecreateIt"),
                spi(Mutant.FREES_AT_THE_FIRST_OF_TWO_RELEASES, "rule42_theLastReleaseFreesTheLockInAnyOrder"),
                spi(Mutant.FREES_AT_THE_SECOND_OF_THREE_RELEASES, "rule42_theLastReleaseFreesTheLockInAnyOrder"),
                spi(Mutant.COUNTS_A_REPEATED_RELEASE_TWICE, "rule42_theLastReleaseFreesTheLockInAnyOrder"),
                spi(Mutant.CHANGES_THE_TOKEN_ON_REENTRY, "rule43_nestedHoldsShareOneToken"),
                spi(Mutant.KEEPS_THE_TOKEN_WITH_THE_FIRST_HOLD, "rule43_nestedHoldsShareOneToken"),
                spi(Mutant.NESTS_WITHIN_THE_FIRST_LEASE, "rule43_aNestedHoldOutlivesTheOuterLease"),
                spi(Mutant.RENEWS_ALL_CLAIMS_OF_THE_OWNER, "rule43_aNestedHoldOutlivesTheOuterLease"),
                spi(Mutant.TRIMS_OWNERS, "rule44_ownersWhoseIdsAreAlikeAreDifferentOwners"),
                spi(Mutant.TRUNCATES_OWNERS, "rule44_ownersWhoseIdsAreAlikeAreDifferentOwners"),
                spi(Mutant.REFUSES_REENTRY, "rule46_theSameOwnerReentersFromAnotherClient"),
                spi(Mutant.PUTS_THE_HOLDER_BEHIND_WAITERS, "rule46_theSameOwnerReentersFromAnotherClient"),
                spi(Mutant.RELEASES_ANY_HOLDER, "rule51_releaseByAnotherClaimLeavesTheLockHeld"),
                spi(Mutant.TRUNCATES_CLAIM_IDS, "rule51_claimsWhoseIdsAreAlikeAreDifferentClaims"),
                spi(Mutant.RELEASES_IN_TWO_STEPS, "rule51_aReleaseDuringATakeoverFreesNoOtherClaim"),
                spi(Mutant.RELEASES_WHATEVER_ITS_OWNER_HOLDS, "rule45_theNextClaimAfterALossIsAFreshGrant"),
                spi(Mutant.RELEASES_THE_NEXT_HOLDER_WHEN_LATE, "rule52_anExpiredHolderCannotFreeTheNextHoldersLock"),
                spi(Mutant.ALWAYS_REPORTS_RELEASED, "rule53_releaseOfAnExpiredClaimReportsNotHeld"),
                spi(Mutant.FREES_AT_ITS_CLOSE_WHAT_IT_ONCE_HELD, "rule52_aClosedClientDoesNotFreeALockThatItLost"),
                spi(Mutant.GRANTS_ALL_WITH_ONE_TOKEN, "rule61_eachGrantHasAGreaterTokenThanAllBefore"),
                spi(Mutant.DRAWS_THE_TOKEN_BEFORE_THE_GRANT, "rule61_tokensGrowUnderContention"),
                spi(Mutant.CHANGES_THE_TOKEN_EVERY_TIME, "rule62_aRenewalDoesNotChangeTheToken"),
                spi(Mutant.RAISES_NO_TOKENS, "rule67_afterTokensWereRaisedEveryGrantHasAGreaterOne"),
                spi(Mutant.RAISES_TOKENS_TOO_LITTLE, "rule67_afterTokensWereRaisedEveryGrantHasAGreaterOne"),
                spi(Mutant.TELLS_TOO_LOW_A_HIGHEST_TOKEN, "rule67_afterTokensWereRaisedEveryGrantHasAGreaterOne"),
                spi(Mutant.WAKES_NOBODY, "rule72_aReleaseWakesAWaitingClaim"),
                spi(Mutant.HEARS_ONLY_OTHER_CLIENTS, "rule72_aReleaseWakesAWaitingClaim"),
                spi(Mutant.WAKES_BEFORE_THE_RELEASE, "rule72_aReleaseWakesAWaitingClaim"),
                spi(Mutant.LISTENS_SOME_TIME_AFTER_ITS_ANSWER, "rule72_aReleaseWakesAWaitingClaim"),
                spi(Mutant.LISTENS_FOR_ONE_RELEASE_ONLY, "rule72_aWaiterThatLostTheRaceIsWokenByTheNextRelease"),
                spi(Mutant.HEARS_OF_ITS_LATEST_NAME_ONLY, "rule72_aWithdrawnClaimSilencesNoOther"),
                spi(Mutant.LISTENS_NO_MORE_WHEN_ONE_OF_MANY_LEAVES, "rule72_aWithdrawnClaimSilencesNoOther"),
                spi(Mutant.SILENCES_ALL_CLIENTS_AT_ITS_CLOSE, "rule72_aWithdrawnClaimSilencesNoOther"),
                spi(Mutant.WAKES_THE_FIRST_AND_FORGETS_THE_OTHERS, "rule72_aWakeUpPassesOnWhenTheWokenClaimLeaves"),
                spi(Mutant.RETURNS_TOO_LONG_A_RETRY_AFTER, "rule73_retryAfterIsNotLongerThanTheHoldersLease"),
                spi(Mutant.SWALLOWS_INTERRUPTS, "rule74_aCallKeepsAnInterruptForItsCaller"),
                spi(Mutant.KEEPS_NO_ORDER, "rule75_waitingClaimsAreServedInOrder"),
                spi(Mutant.LOSES_THE_ORDER_WHEN_A_CLAIM_IS_WITHDRAWN, "rule75_aWithdrawnClaimChangesTheOrderOfNoOther"),
                spi(Mutant.LOSES_THE_ORDER_WHEN_A_LEASE_ENDS, "rule75_theOrderIsKeptWhenALeaseEnds"),
                spi(Mutant.REPORTS_A_LOSS_TO_ALL, "rule85_theRemovalOfOneLockIsNoLossOfAnother"),
                spi(Mutant.REPORTS_A_LOSS_AT_EACH_RELEASE, "rule83_aReleaseIsNoLossOfAnotherClaim"),
                spi(Mutant.TAKES_ERRORS_FOR_CONTENTION, "rule95_duringAnOutageEachCallFailsAndAfterItEachIsAnswered"),
                spi(Mutant.TAKES_ERRORS_FOR_RENEWALS, "rule95_duringAnOutageEachCallFailsAndAfterItEachIsAnswered"),
                spi(Mutant.TAKES_ERRORS_FOR_RELEASES, "rule95_duringAnOutageEachCallFailsAndAfterItEachIsAnswered"),
                spi(Mutant.HEARS_NOTHING_AFTER_AN_OUTAGE, "rule95_aReleaseAfterAnOutageWakesAWaitingClaim"),
                spi(Mutant.LEAKS_A_THREAD, "rule93_afterCloseNoThreadOfTheProviderRemains"),
                client(Mutant.GRANTS_ALWAYS, "rule11_onlyOneHoldsALockInOneClientOrInTwo"),
                client(Mutant.CHECKS_THEN_ACTS, "rule11_noUpdateUnderTheLockIsLostHoweverManyContend"),
                client(Mutant.NEVER_EXPIRES, "rule73_aWaiterGetsTheLockWhenTheDeadHoldersLeaseEnds"),
                client(Mutant.RENEWS_WITHOUT_PROLONGING, "rule34_aLockIsHeldForAsLongAsItsHolderKeepsIt"),
                client(Mutant.GRANTS_ALL_WITH_ONE_TOKEN, "rule61_eachGrantHasAGreaterTokenThanAllBefore"),
                client(Mutant.WAKES_NOBODY, "rule72_aWaiterGetsTheLockAfterItsRelease"),
                client(Mutant.LEAKS_A_THREAD, "rule93_afterCloseNoThreadOfTheClientRemains"));
    }

    private static Arguments spi(Mutant mutant, String rule) {
        return arguments(mutant, OfProvider.class, rule);
    }

    private static Arguments client(Mutant mutant, String rule) {
        return arguments(mutant, OfClient.class, rule);
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void ruleCatchesMutant(Mutant mutant, Class<? extends KitCase> level, String rule) throws Exception {
        KitRun run = KitRun.conclusive(() -> KitRun.ofRule(level, rule, () -> new MemoryHarness() {
            private final Cut cut = new Cut();

            @Override
            public LockProvider open() {
                return MutantProvider.over(super.open(), mutant, cut);
            }

            @Override
            public Faults faults() {
                return cut;
            }
        }));

        run.mustBreak(level, rule);
        if (mutant == Mutant.LEAKS_A_THREAD) {
            assertThat(run.failures()).singleElement().asString().contains("leaked-thread");
        }
    }

    @Test
    void everyMutantHasARule() {
        Set<Mutant> caught = mutants().map(each -> (Mutant) each.get()[0]).collect(Collectors.toSet());

        assertThat(EnumSet.allOf(Mutant.class)).isSubsetOf(caught);
    }
}
