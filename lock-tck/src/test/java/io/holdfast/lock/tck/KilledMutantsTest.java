package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.CandidateTck.OfClient;
import io.holdfast.lock.tck.CandidateTck.OfProvider;
import java.util.EnumSet;
import java.util.Optional;
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

/** Each wrong provider is caught by the rule that is meant for it, and the failure names the rule. They mostly wait. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class KilledMutantsTest {

    static Stream<Arguments> mutants() {
        return Stream.of(
                spi(Mutant.GRANTS_ALWAYS, "rule11_aSecondClaimIsContendedWhileTheLockIsHeld"),
                spi(Mutant.CHECKS_THEN_ACTS, "rule11_noUpdateUnderTheLockIsLostHoweverManyContend"),
                spi(Mutant.TAKES_OVER_IN_TWO_STEPS, "rule11_onlyOneBidderGetsTheLockOfADeadHolder"),
                spi(Mutant.ADMITS_ANYBODY_OF_THE_CLIENT, "rule11_aSecondClaimIsContendedWhileTheLockIsHeld"),
                spi(
                        Mutant.SHOWS_NO_OWNER_WHERE_A_THREAD_HAS_AN_ODD_NAME,
                        "rule11_aSecondClaimIsContendedWhileTheLockIsHeld"),
                spi(Mutant.WAITS_IN_THE_ATTEMPT, "rule12_anAttemptDoesNotWaitForTheHolderToLeave"),
                spi(
                        Mutant.COUNTS_A_REPEATED_ATTEMPT_TWICE,
                        "rule13_anAttemptThatIsSentAgainIsGrantedAgainAndNotCountedTwice"),
                spi(
                        Mutant.SENDS_THE_HOLDER_TO_THE_END_OF_THE_LINE,
                        "rule13_anAttemptThatIsSentAgainIsGrantedAgainAndNotCountedTwice"),
                spi(Mutant.FOLDS_CASE, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.TRUNCATES_NAMES, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.SANITISES_NAMES, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.HASHES_NAMES, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.CUTS_NAMES_AFTER_SO_MANY_BYTES, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.TAKES_ALL_RARE_CHARACTERS_FOR_ONE, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.KEEPS_ITS_QUEUE_UNDER_A_NAME_LIKE_A_LOCKS, "rule14_namesThatDifferExcludeNobody"),
                spi(Mutant.LEAVES_BIDS_BEHIND, "rule15_aContendedAttemptLeavesNothingBehindAfterItsRelease"),
                spi(Mutant.TAKES_ERRORS_FOR_CONTENTION, "rule16_aClosedProviderThrowsAndDoesNotAnswer"),
                spi(Mutant.TAKES_ERRORS_FOR_RENEWALS, "rule16_aClosedProviderThrowsAndDoesNotAnswer"),
                spi(
                        Mutant.LETS_LOCAL_MEMORY_DECIDE,
                        "rule18_aLockThatAnOperatorFreedIsGrantedAlsoByTheClientThatHeldIt"),
                spi(Mutant.TAKES_MILLISECONDS_FOR_SECONDS, "rule21_aClaimThatNobodyRenewsEndsWithItsLease"),
                spi(Mutant.NEVER_EXPIRES, "rule21_aClaimThatNobodyRenewsEndsWithItsLease"),
                spi(Mutant.SHOWS_HOLDERS_PAST_THEIR_LEASES, "rule21_aClaimWhoseLeaseHasEndedIsNotShownAsTheHolder"),
                spi(Mutant.SHOWS_THE_HOLDER_BEFORE, "rule21_aClaimWhoseLeaseHasEndedIsNotShownAsTheHolder"),
                spi(Mutant.EXPIRES_TOO_EARLY, "rule22_aClaimDoesNotEndBeforeItsLease"),
                spi(Mutant.ENDS_LEASES_BY_NAME, "rule22_theLeaseOfAReleasedClaimEndsNoLaterClaim"),
                spi(Mutant.PROMISES_MORE_THAN_THE_LEASE, "rule25_validForEndsBeforeTheClaimDoes"),
                spi(Mutant.PROMISES_MORE_THAN_THE_LEASE, "rule25_validForIsNeverLongerThanTheLease"),
                spi(
                        Mutant.PROMISES_THE_LEASE_AGAIN_WITHOUT_PROLONGING,
                        "rule25_aGrantThatIsGivenAgainIsNotValidForLongerThanItIsInForce"),
                spi(Mutant.RENEWS_WITHOUT_PROLONGING, "rule31_aRenewedClaimIsInForceForItsWholeLeaseFromThen"),
                spi(Mutant.RENEWS_WHOEVER_HOLDS, "rule31_aLateClaimsRenewalsDoNotProlongTheNextHolders"),
                spi(Mutant.RENEWS_IN_TWO_STEPS, "rule31_aRenewalInTheMomentOfATakeoverHoldsNothingThatAnotherClaimHas"),
                spi(Mutant.RENEWS_ONLY_THE_FIRST_OF_MANY, "rule31_renewingManyAtOnceProlongsEachByItsOwnLease"),
                spi(
                        Mutant.PROMISES_MANY_THE_LONGEST_OF_THEIR_LEASES,
                        "rule31_renewingManyAtOnceProlongsEachByItsOwnLease"),
                spi(Mutant.ANSWERS_FOR_MANY_IN_ANOTHER_ORDER, "rule31_renewingManyAtOnceAnswersForEachInItsPlace"),
                spi(Mutant.RENEWS_FEWER_THAN_IT_DECLARES, "rule31_renewingManyAtOnceAnswersForEachInItsPlace"),
                spi(
                        Mutant.ANSWERS_FOR_MANY_BY_THEIR_NAMES,
                        "rule31_renewingManyAtOnceTellsAHolderFromALateOneOfTheSameLock"),
                spi(Mutant.SIGNALS_A_LOSS_BY_NAME, "rule31_renewingManyAtOnceTellsAHolderFromALateOneOfTheSameLock"),
                spi(Mutant.RENEWS_WHAT_HAS_VANISHED, "rule32_renewOfAVanishedClaimSaysLostAndDoesNotRecreateIt"),
                spi(Mutant.FREES_AT_THE_FIRST_OF_TWO_RELEASES, "rule42_theLockIsFreedByTheLastReleaseWhicheverThatIs"),
                spi(
                        Mutant.FREES_AT_THE_SECOND_OF_THREE_RELEASES,
                        "rule42_theLockIsFreedByTheLastReleaseWhicheverThatIs"),
                spi(Mutant.COUNTS_A_REPEATED_RELEASE_TWICE, "rule42_theLockIsFreedByTheLastReleaseWhicheverThatIs"),
                spi(Mutant.CHANGES_THE_TOKEN_ON_REENTRY, "rule43_nestedHoldsShareOneToken"),
                spi(Mutant.KEEPS_THE_TOKEN_WITH_THE_FIRST_HOLD, "rule43_nestedHoldsShareOneToken"),
                spi(Mutant.NESTS_WITHIN_THE_FIRST_LEASE, "rule43_aNestedHoldOutlivesTheOuterLease"),
                spi(Mutant.RENEWS_ALL_CLAIMS_OF_THE_OWNER, "rule43_aNestedHoldOutlivesTheOuterLease"),
                spi(Mutant.TRIMS_OWNERS, "rule44_ownersWhoseIdsAreAlikeAreDifferentOwners"),
                spi(Mutant.TRUNCATES_OWNERS, "rule44_ownersWhoseIdsAreAlikeAreDifferentOwners"),
                spi(Mutant.REFUSES_REENTRY, "rule46_theSameOwnerReentersFromAnotherClient"),
                spi(Mutant.SENDS_THE_HOLDER_TO_THE_END_OF_THE_LINE, "rule46_theSameOwnerReentersFromAnotherClient"),
                spi(Mutant.RELEASES_WHOEVER_HOLDS, "rule51_releaseByAnotherClaimLeavesTheLockHeld"),
                spi(Mutant.TRUNCATES_CLAIM_IDS, "rule51_claimsWhoseIdsAreAlikeAreDifferentClaims"),
                spi(Mutant.RELEASES_IN_TWO_STEPS, "rule51_aReleaseInTheMomentOfATakeoverFreesNobodyElse"),
                spi(Mutant.RELEASES_WHATEVER_ITS_OWNER_HOLDS, "rule45_afterALossTheSameOwnersNextClaimIsAFreshGrant"),
                spi(
                        Mutant.RELEASES_THE_NEXT_HOLDER_WHEN_LATE,
                        "rule52_aHolderWhoseLeaseRanOutCannotFreeTheNextHoldersLock"),
                spi(Mutant.SAYS_RELEASED_WHATEVER_IT_FOUND, "rule53_releaseOfAnExpiredClaimSaysThatItWasNotHeld"),
                spi(
                        Mutant.FREES_AT_ITS_CLOSE_WHAT_IT_ONCE_HELD,
                        "rule52_aClientThatIsClosedDoesNotFreeTheLockThatItHasLost"),
                spi(Mutant.HANDS_OUT_ONE_TOKEN_FOR_EVER, "rule61_eachGrantHasAGreaterTokenThanAllBefore"),
                spi(Mutant.DRAWS_THE_TOKEN_BEFORE_THE_GRANT, "rule61_tokensGrowFromHolderToHolderHoweverManyContend"),
                spi(Mutant.CHANGES_THE_TOKEN_EVERY_TIME, "rule62_aRenewalDoesNotChangeTheToken"),
                spi(Mutant.WAKES_NOBODY, "rule72_aWaitingBidIsToldOfTheRelease"),
                spi(Mutant.HEARS_ONLY_OTHER_CLIENTS, "rule72_aWaitingBidIsToldOfTheRelease"),
                spi(Mutant.TELLS_OF_A_RELEASE_BEFORE_IT, "rule72_aWaitingBidIsToldOfTheRelease"),
                spi(Mutant.LISTENS_SOME_TIME_AFTER_ITS_ANSWER, "rule72_aWaitingBidIsToldOfTheRelease"),
                spi(Mutant.LISTENS_FOR_ONE_RELEASE_ONLY, "rule72_aBidThatSomebodyForestalledIsToldOfTheNextRelease"),
                spi(Mutant.HEARS_OF_ITS_LATEST_NAME_ONLY, "rule72_aBidThatLeavesSilencesNoOther"),
                spi(Mutant.LISTENS_NO_MORE_WHEN_ONE_OF_MANY_LEAVES, "rule72_aBidThatLeavesSilencesNoOther"),
                spi(Mutant.CLOSES_THE_EARS_OF_ALL_CLIENTS, "rule72_aBidThatLeavesSilencesNoOther"),
                spi(Mutant.WAKES_THE_FIRST_AND_FORGETS_THE_OTHERS, "rule72_aWakeUpDoesNotEndWithTheBidThatItWoke"),
                spi(Mutant.SENDS_BIDS_AWAY_FOR_TOO_LONG, "rule73_aBidIsNotSentAwayForLongerThanTheHoldersLease"),
                spi(Mutant.SWALLOWS_INTERRUPTS, "rule74_aCallKeepsAnInterruptForItsCaller"),
                spi(Mutant.KEEPS_NO_ORDER, "rule75_waitingBidsAreServedInTheOrderInWhichTheyCame"),
                spi(
                        Mutant.LOSES_THE_ORDER_WHEN_A_BID_IS_WITHDRAWN,
                        "rule75_aBidThatLeavesTheLineChangesTheOrderOfNoOther"),
                spi(Mutant.LOSES_THE_ORDER_WHEN_A_LEASE_ENDS, "rule75_theOrderIsKeptAlsoWhenALeaseEnds"),
                spi(Mutant.REPORTS_A_LOSS_TO_ALL, "rule85_theRemovalOfOneLockIsNoLossOfAnother"),
                spi(Mutant.REPORTS_A_LOSS_AT_EACH_RELEASE, "rule83_aReleaseIsNoLossOfAnotherClaim"),
                spi(Mutant.TAKES_ERRORS_FOR_CONTENTION, "rule95_duringAnOutageEachCallFailsAndAfterItEachIsAnswered"),
                spi(Mutant.TAKES_ERRORS_FOR_RENEWALS, "rule95_duringAnOutageEachCallFailsAndAfterItEachIsAnswered"),
                spi(Mutant.TAKES_ERRORS_FOR_RELEASES, "rule95_duringAnOutageEachCallFailsAndAfterItEachIsAnswered"),
                spi(Mutant.HEARS_NOTHING_AFTER_AN_OUTAGE, "rule95_afterAnOutageAWaitingBidIsToldOfTheRelease"),
                spi(Mutant.LEAKS_A_THREAD, "rule93_afterCloseNoThreadOfTheProviderRemains"),
                client(Mutant.GRANTS_ALWAYS, "rule11_onlyOneHoldsALockInOneClientOrInTwo"),
                client(Mutant.CHECKS_THEN_ACTS, "rule11_noUpdateUnderTheLockIsLostHoweverManyContend"),
                client(Mutant.NEVER_EXPIRES, "rule73_aWaiterGetsTheLockWhenTheDeadHoldersLeaseEnds"),
                client(Mutant.RENEWS_WITHOUT_PROLONGING, "rule34_aLockIsHeldForAsLongAsItsHolderKeepsIt"),
                client(Mutant.HANDS_OUT_ONE_TOKEN_FOR_EVER, "rule61_eachGrantHasAGreaterTokenThanAllBefore"),
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
    void theRuleForItCatchesTheMutant(Mutant mutant, Class<? extends KitCase> level, String rule) throws Exception {
        KitRun run = KitRun.ofRule(level, rule, () -> new MemoryHarness() {
            private final Cut cut = new Cut();

            @Override
            public LockProvider open() {
                return MutantProvider.over(super.open(), mutant, cut);
            }

            @Override
            public Optional<Outage> outage() {
                return Optional.of(cut.outage());
            }
        });

        String[] ids = level.getMethod(rule).getAnnotation(LockRule.class).value();
        run.mustFailAlone((ids.length == 1 ? "rule " : "rules ") + String.join(", ", ids) + " is broken: ");
        if (mutant == Mutant.LEAKS_A_THREAD) {
            assertThat(run.failures()).singleElement().asString().contains("leaked-thread");
        }
    }

    @Test
    void everyMutantIsCaught() {
        Set<Mutant> caught = mutants().map(each -> (Mutant) each.get()[0]).collect(Collectors.toSet());

        assertThat(EnumSet.allOf(Mutant.class)).isSubsetOf(caught);
    }
}
