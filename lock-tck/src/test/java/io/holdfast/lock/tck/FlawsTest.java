package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.lock.tck.CandidateTck.OfClient;
import io.holdfast.lock.tck.CandidateTck.OfProvider;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
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

/** For each flaw that a fault shows a rule fails, and the failure names the rule. Each rule under faults catches one. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class FlawsTest {

    static Stream<Arguments> flaws() {
        return Stream.of(
                spi(Flaw.ASKS_UNDER_A_NEW_ID_AFTER_A_FAILURE, "rule13_anAttemptWhoseReplyWasLostCountsOnce"),
                spi(Flaw.ASKS_UNDER_A_NEW_ID_AFTER_A_FAILURE, "rule13_aWaitWhoseReplyWasLostHasOnePlace"),
                spi(
                        Flaw.RELEASES_ONLY_WHAT_IT_KNOWS_TO_HOLD,
                        "rule56_theReleaseOfAnAttemptWhoseReplyWasLostFreesTheLock"),
                spi(
                        Flaw.RELEASES_ONLY_WHAT_IT_KNOWS_TO_HOLD,
                        "rule15_aWaitWhoseReplyWasLostLeavesNoPlaceBehindItsRelease"),
                spi(
                        Flaw.RELEASES_ONLY_WHAT_IT_KNOWS_TO_HOLD,
                        "rule56_theReleaseOfAWaiterWhoseGrantWasLostFreesTheLock"),
                spi(
                        Flaw.SETS_THE_LEASE_ONLY_AFTER_THE_GRANT,
                        "rule56_anAttemptThatArrivesAfterItsReleaseHoldsTheLockForALeaseAtMost"),
                spi(
                        Flaw.SETS_THE_LEASE_ONLY_AFTER_THE_GRANT,
                        "rule23_anAttemptWhoseReplyWasLostHoldsTheLockForALeaseAtMost"),
                spi(Flaw.COUNTS_A_TOKEN_BY_A_SECOND_REQUEST, "rule61_aGrantWhoseReplyWasLostHasATokenOfItsOwn"),
                spi(
                        Flaw.RELEASES_BY_NAME_AFTER_A_FAILURE,
                        "rule51_theReleaseOfAnAttemptThatFailedInAnOutageFreesNoOtherClaim"),
                spi(
                        Flaw.LEAVES_A_PLACE_FOR_GOOD_WITH_EACH_ATTEMPT_THAT_FAILS,
                        "rule54_anAttemptThatArrivesAfterItsReleaseStandsInNobodysWay"),
                spi(
                        Flaw.TAKES_AN_ERROR_FOR_A_REPEATED_GRANT,
                        "rule25_aRepeatedAttemptThatChangesNothingIsNotValidAnew"),
                spi(Flaw.TAKES_A_FAILED_RENEWAL_FOR_A_LOSS, "rule33_aRenewalWhoseReplyWasLostIsNoLoss"),
                spi(Flaw.TAKES_A_FAILED_RENEWAL_FOR_A_LOSS, "rule33_aBatchOfRenewalsWhoseReplyWasLostIsNoLoss"),
                spi(Flaw.RELEASES_BY_NAME_AFTER_A_FAILURE, "rule53_aReleaseAfterALostReplyFreesNoOtherClaim"),
                spi(Flaw.REPEATS_AN_ATTEMPT_UNDER_A_NEW_ID, "rule13_anAttemptThatIsRepeatedWithinTheCallCountsOnce"),
                spi(
                        Flaw.BELIEVES_THE_ANSWER_TO_A_REPEATED_RELEASE,
                        "rule53_aReleaseThatIsRepeatedWithinTheCallIsNotReportedAsNotHeld"),
                spi(
                        Flaw.TAKES_A_FULL_POOL_FOR_CONTENTION,
                        "rule16_noneOfManyAttemptsIsRefusedByAStoreThatDoesNotAnswer"),
                spi(Flaw.TAKES_AN_ERROR_FOR_CONTENTION, "rule16_anAttemptThatTheStoreAnswersWithAnErrorFails"),
                spi(
                        Flaw.TAKES_ANOTHER_KIND_OF_ERROR_FOR_CONTENTION,
                        "rule16_anAttemptThatTheStoreAnswersWithAnErrorFails"),
                spi(
                        Flaw.TAKES_ANOTHER_KIND_OF_ERROR_FOR_A_LOSS,
                        "rule33_aRenewalThatTheStoreAnswersWithAnErrorIsNoLoss"),
                spi(
                        Flaw.TAKES_ANOTHER_KIND_OF_ERROR_FOR_A_LATE_RELEASE,
                        "rule53_aReleaseThatTheStoreAnswersWithAnErrorIsToBeRepeated"),
                spi(
                        Flaw.SWALLOWS_THE_INTERRUPT_OF_A_CALL_THAT_FAILS,
                        "rule74_anInterruptIsKeptWhileTheStoreDoesNotAnswer"),
                spi(
                        Flaw.SWALLOWS_THE_INTERRUPT_OF_A_CALL_THAT_WAITS_FOR_A_CONNECTION,
                        "rule74_eachOfManyCallsThatHangKeepsItsInterrupt"),
                spi(
                        Flaw.KEEPS_THE_PLACE_OF_A_CALL_THAT_IS_INTERRUPTED_WHILE_IT_WAITS_FOR_A_CONNECTION,
                        "rule74_eachOfManyCallsThatHangKeepsItsInterrupt"),
                spi(
                        Flaw.KEEPS_THE_PLACES_OF_CONNECTIONS_THAT_WERE_CUT_WHILE_THEY_WERE_IDLE,
                        "rule95_connectionsThatWereCutWhileTheyWereIdleUseNothingUp"),
                spi(
                        Flaw.TAKES_A_LATE_REPLY_FOR_THAT_OF_THE_NEXT_RENEWAL,
                        "rule32_aReplyThatComesAfterItsTimeOutAnswersNoLaterCall"),
                spi(
                        Flaw.WAKES_NOBODY_BY_A_RELEASE_WITHOUT_A_REPLY,
                        "rule72_aReleaseWhoseReplyWasLostWakesWithItsRepetitionAtTheLatest"),
                spi(
                        Flaw.LOSES_A_CONNECTION_WITH_EACH_RENEWAL_THAT_FAILS,
                        "rule95_manyRenewalsThatFailInAnOutageUseNothingUp"),
                spi(Flaw.LOSES_A_CONNECTION_WITH_EACH_RENEWAL_THAT_FAILS, "rule95_manyOutagesUseNothingUp"),
                spi(Flaw.KEEPS_A_CONNECTION_WITH_EACH_ERROR, "rule95_manyErrorsUseNothingUp"),
                spi(Flaw.KEEPS_A_CONNECTION_WITH_EACH_ERROR, "rule95_manyFailuresOfAnOutageUseNothingUp"),
                spi(Flaw.TAKES_A_FAILED_RENEWAL_FOR_A_LOSS, "rule33_aRenewalThatTheStoreAnswersWithAnErrorIsNoLoss"),
                spi(
                        Flaw.TAKES_AN_ERROR_FOR_A_LATE_RELEASE,
                        "rule53_aReleaseThatTheStoreAnswersWithAnErrorIsToBeRepeated"),
                spi(Flaw.LISTENS_NO_MORE_AFTER_A_LONG_OUTAGE, "rule95_aClaimThatWaitsThroughALongOutageIsWoken"),
                spi(
                        Flaw.WAITS_FOR_A_CHANGE_THAT_WAS_LOST_WITH_THE_DATA,
                        "rule72_aClaimThatWaitsThroughALossOfTheStoresDataIsWoken"),
                spi(Flaw.IS_NOT_WOKEN_AFTER_A_FAILURE, "rule72_aReleaseThatFailedBeforeWakesAWaiterThatHasFailedToo"),
                spi(Flaw.COUNTS_THE_LEASE_FROM_THE_REPLY, "rule25_validForEndsBeforeTheClaimDoesOnASlowNetwork"),
                spi(Flaw.RENEWS_WHAT_IT_REMEMBERS, "rule95_aStoreThatWasPausedForLongerThanTheLeaseHasOneHolder"),
                spi(Flaw.NEVER_CONNECTS_AGAIN, "rule22_aHolderOutlivesACrashThatKeepsTheData"),
                spi(Flaw.CONNECTS_AGAIN_ONLY_ONCE, "rule22_aHolderOutlivesACrashThatKeepsTheData"),
                spi(Flaw.TAKES_AN_ERROR_FOR_A_RAISE, "rule67_aRaiseThatTheStoreAnswersWithAnErrorIsNotTakenForOne"),
                spi(Flaw.BEGINS_ITS_TOKENS_AGAIN_AFTER_AN_OUTAGE, "rule63_tokensGrowAcrossACrashThatKeepsTheData"),
                spi(Flaw.RENEWS_WHAT_IT_REMEMBERS, "rule85_aHolderLearnsThatTheStoreHasLostItsData"),
                spi(Flaw.RENEWS_WHAT_IT_REMEMBERS, "rule85_theEndOfASessionLosesItsClaimsAndTheNextGrantIsNewer"),
                spi(
                        Flaw.GRANTS_IN_A_SESSION_THAT_HAS_ENDED,
                        "rule22_aClaimThatHasOutlivedASessionIsGrantedInTheNextOne"),
                spi(Flaw.BEGINS_A_NEW_SESSION_ONLY_ONCE, "rule95_theThirdEndOfASessionIsAsTheFirst"),
                spi(Flaw.LEAVES_A_THREAD_WHEN_CLOSED_DURING_AN_OUTAGE, "rule93_aCloseDuringAnOutageLeavesNoThread"),
                spi(
                        Flaw.LEAVES_THE_CONNECTION_OF_A_CALL_THAT_IS_UNDER_WAY_WHEN_IT_IS_CLOSED,
                        "rule93_closesDuringCallsThatHangLeaveNoConnections"),
                spi(
                        Flaw.LEAVES_THE_CONNECTION_OF_A_CALL_THAT_IS_UNDER_WAY_WHEN_IT_IS_CLOSED,
                        "rule93_closesDuringFirstCallsThatHangLeaveNoConnections"),
                spi(
                        Flaw.FORGETS_AN_ATTEMPT_WITH_ONE_THAT_CANNOT_BE_SENT,
                        "rule56_anAttemptThatCannotBeSentHidesNoneBeforeIt"),
                spi(
                        Flaw.BELIEVES_THAT_A_RELEASE_WAS_CARRIED_OUT_WHOSE_CONNECTION_BROKE,
                        "rule53_aReleaseOverAConnectionThatBrokeDoesNotHideThatTheLockWasLost"),
                spi(Flaw.CONNECTS_FOR_EACH_CALL, "rule95_whileNoConnectionCanBeMadeHoldersGoOnAndNewcomersFail"),
                client(Flaw.PROMISES_A_MULTIPLE_OF_THE_LEASE, "rule84_aLockIsLostAtItsDeadlineWhileTheStoreIsPaused"),
                client(Flaw.RELEASES_ONLY_WHAT_IT_KNOWS_TO_HOLD, "rule56_anAcquireThatFailedDuringAPauseLeavesNoLock"),
                client(Flaw.TAKES_AN_ERROR_FOR_CONTENTION, "rule16_anAcquireThatTheStoreAnswersWithAnErrorFails"),
                client(
                        Flaw.TAKES_AN_ERROR_FOR_A_RENEWAL,
                        "rule33_aRenewalThatTheStoreAnswersWithAnErrorMovesNoDeadline"),
                client(
                        Flaw.TAKES_AN_ERROR_FOR_A_RENEWAL,
                        "rule84_aLockIsLostAtItsDeadlineWhileTheStoreAnswersWithErrors"),
                client(
                        Flaw.TAKES_AN_ERROR_FOR_A_LATE_RELEASE,
                        "rule56_aReleaseThatTheStoreAnswersWithAnErrorIsRepeated"),
                client(Flaw.HAS_ONE_CONNECTION, "rule36_aStalledConnectionDelaysNoOtherRenewal"),
                client(Flaw.COUNTS_THE_LEASE_FROM_THE_REPLY, "rule34_aHoldIsKeptOnASlowNetwork"),
                client(Flaw.GIVES_UP_SLOW_RENEWALS, "rule34_aHoldIsKeptOnASlowNetwork"),
                client(Flaw.RENEWS_WHAT_IT_REMEMBERS, "rule85_theEndOfTheSessionLosesItsLocks"),
                client(
                        Flaw.RENEWS_WHAT_IT_REMEMBERS,
                        "rule86_aLockWhoseLeaseWasEndedByTheStoresClockIsLostAtTheNextRenewal"),
                client(Flaw.NEVER_CONNECTS_AGAIN, "rule95_aWaiterGetsTheLockAfterACrashOfTheStore"));
    }

    private static Arguments spi(Flaw flaw, String rule) {
        return arguments(flaw, OfProvider.class, rule);
    }

    private static Arguments client(Flaw flaw, String rule) {
        return arguments(flaw, OfClient.class, rule);
    }

    @ParameterizedTest
    @MethodSource("flaws")
    void ruleCatchesFlaw(Flaw flaw, Class<? extends KitCase> level, String rule) throws Exception {
        KitRun run = KitRun.ofRule(level, rule, () -> new FaultyHarness(flaw));

        String[] ids = level.getMethod(rule).getAnnotation(LockRule.class).value();
        run.mustFailAlone((ids.length == 1 ? "rule " : "rules ") + String.join(", ", ids) + " ");
    }

    @Test
    void everyFlawAndEveryRuleUnderFaultsIsThere() {
        Set<Flaw> caught = flaws().map(each -> (Flaw) each.get()[0]).collect(Collectors.toSet());
        Set<String> catching = flaws().map(each -> (String) each.get()[2]).collect(Collectors.toSet());
        Set<String> rules = new HashSet<>();
        for (Class<?> chapter : List.of(
                FaultRules.class,
                SessionEndRules.class,
                ManyFailuresRules.class,
                LostReplyRules.class,
                LateRequestRules.class,
                ErrorReplyRules.class,
                ClientFaultRules.class,
                ClientErrorReplyRules.class)) {
            Stream.of(chapter.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(LockRule.class))
                    .forEach(rule -> rules.add(rule.getName()));
        }
        // The in-memory provider declares that its tokens grow only while the store keeps its data.
        rules.remove("rule63_tokensGrowAcrossALossOfTheData");

        assertThat(caught).isEqualTo(EnumSet.complementOf(EnumSet.of(Flaw.NONE)));
        assertThat(catching).containsAll(rules);
    }
}
