package io.holdfast.wrong.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each wrong text does harm: a provider that differs in nothing that a user could see would be no fault. The same is seen of no right one.
 *
 * <p>Missing are those whose harm takes more than a moment, more than one process, or a look at the store itself.
 */
@Tag("server")
class HandWrittenFaultsTest {

    private static final int TRIES = 4;
    private static final long HIGH = (1L << 52) + 12_345;
    private static final String LONG_OWNER = "tenant-".repeat(10);

    private static final Map<HandWritten, Predicate<Probes>> PROBES = new LinkedHashMap<>();

    static {
        PROBES.put(WrongRedisHashScript.RENEWAL_SKIPPED_WHILE_MORE_THAN_HALF_IS_LEFT, probes -> probes.renewal(400, 1));
        PROBES.put(WrongRedisHashScript.RENEWAL_ADDS_A_LEASE_TO_THE_END, probes -> probes.renewal(300, 8));
        PROBES.put(WrongRedisHashScript.RENEWAL_PROLONGS_ALL_CLAIMS_OF_THE_OWNER, Probes::longClaimAfterAShortOne);
        PROBES.put(
                WrongRedisHashScript.RENEWAL_OF_A_SHORT_CLAIM_CUTS_A_LONG_ONE,
                probes -> probes.shortClaimInALongOne(true));
        PROBES.put(WrongRedisHashScript.SECOND_CLAIM_CUTS_THE_FIRST, probes -> probes.shortClaimInALongOne(false));
        PROBES.put(WrongRedisHashScript.SECOND_CLAIM_ENDS_WITH_THE_FIRST, Probes::secondClaimEndsLater);
        PROBES.put(WrongRedisHashScript.SECOND_CLAIM_GETS_A_NEW_TOKEN, Probes::secondClaimOfAnOwner);
        PROBES.put(WrongRedisHashScript.REPEATED_ATTEMPT_KEEPS_THE_FIRST_END, Probes::repeatedAttempt);
        PROBES.put(WrongRedisHashScript.OWNER_ADMITTED_BY_PREFIX, probes -> probes.otherOwner("worker-10", "worker-1"));
        PROBES.put(WrongRedisHashScript.OWNERS_COMPARED_WITHOUT_CASE, probes -> probes.otherOwner("aB", "Ab"));
        PROBES.put(
                WrongRedisHashScript.OWNERS_COMPARED_BY_64_BYTES,
                probes -> probes.otherOwner(LONG_OWNER + 1, LONG_OWNER + 2));
        PROBES.put(WrongRedisHashScript.ENDED_CLAIMS_COUNT_WHILE_THE_KEY_LIVES, Probes::longClaimAfterAShortOne);
        PROBES.put(WrongRedisHashScript.CLAIMS_END_FIVE_MILLISECONDS_EARLY, probes -> probes.leaseOf(105));
        PROBES.put(WrongRedisHashScript.MICROSECONDS_WITHOUT_LEADING_ZEROS, Probes::manyGrantsOverASecond);
        PROBES.put(WrongRedisHashScript.LEASE_THROUGH_32_BITS, Probes::months);
        PROBES.put(WrongRedisHashScript.LEASE_ROUNDED_DOWN_TO_CENTISECONDS, probes -> probes.leaseOf(109));
        PROBES.put(WrongRedisHashScript.RETRY_AFTER_IS_AN_INSTANT, Probes::retryAfter);
        PROBES.put(WrongRedisHashScript.COUNTER_EXPIRES_WITH_THE_LEASE, probes -> probes.raise(HIGH));
        PROBES.put(WrongRedisHashScript.COUNTER_WRITTEN_ONLY_IF_ABSENT, probes -> probes.raise(HIGH));
        PROBES.put(WrongRedisHashScript.COUNTER_FOR_EACH_NAME, probes -> probes.raise(HIGH));
        PROBES.put(WrongRedisHashScript.RENEWAL_TELLS_MILLISECONDS, Probes::clockIsTold);
        PROBES.put(WrongRedisHashScript.RELEASE_COUNTS_ONLY_CLAIMS_THAT_END_LATER, Probes::secondClaimOfAnOwner);
        PROBES.put(WrongRedisHashScript.RELEASE_AFTER_AN_ENDED_CLAIM_IS_SILENT, Probes::longClaimAfterAShortOne);

        PROBES.put(WrongRedisStringScript.LEASE_ROUNDED_UP_TO_SECONDS, probes -> probes.leaseOf(1001));
        PROBES.put(WrongRedisStringScript.LEASE_ROUNDED_DOWN_TO_SECONDS, probes -> probes.leaseOf(1999));
        PROBES.put(WrongRedisStringScript.REPEATED_ATTEMPT_DOES_NOT_PROLONG, Probes::repeatedAttempt);
        PROBES.put(WrongRedisStringScript.REPEATED_ATTEMPT_GETS_A_NEW_TOKEN, Probes::repeatedAttempt);
        PROBES.put(WrongRedisStringScript.CLAIM_FOUND_BY_PREFIX, probes -> probes.otherClaim("12", "1"));
        PROBES.put(
                WrongRedisStringScript.CLAIM_FOUND_ANYWHERE_IN_THE_RECORD, probes -> probes.otherClaim("a7", "b4711"));
        PROBES.put(WrongRedisStringScript.CLAIMS_COMPARED_WITHOUT_CASE, probes -> probes.otherClaim("a", "A"));
        PROBES.put(
                WrongRedisStringScript.RENEWAL_SKIPPED_WHILE_MORE_THAN_HALF_IS_LEFT, probes -> probes.renewal(400, 1));
        PROBES.put(WrongRedisStringScript.RENEWAL_ROUNDED_DOWN_TO_SECONDS, probes -> probes.renewal(1999, 1));
        PROBES.put(WrongRedisStringScript.RENEWAL_TELLS_NO_TIME, Probes::clockIsTold);
        PROBES.put(WrongRedisStringScript.GRANT_TELLS_THE_NEXT_SECOND, Probes::clockIsTold);
        PROBES.put(WrongRedisStringScript.RELEASE_LEAVES_THE_KEY_FOR_A_MILLISECOND, Probes::freeAtOnce);
        PROBES.put(WrongRedisStringScript.CHANNEL_AND_MESSAGE_SWAPPED, Probes::wakesWaiters);
        PROBES.put(WrongRedisStringScript.RELEASE_OF_A_LOST_LOCK_ANSWERS_YES, Probes::releaseOfAnEndedLock);
        PROBES.put(WrongRedisStringScript.RAISE_LOWERS, probes -> probes.raise(HIGH));
        PROBES.put(WrongRedisStringScript.RAISE_ROUNDS_DOWN, probes -> probes.raise(HIGH));
        PROBES.put(WrongRedisStringScript.HIGHEST_TOKEN_IS_THE_CLOCK, probes -> probes.raise(HIGH));
        PROBES.put(WrongRedisStringScript.TOKEN_OF_THE_COUNTER_ITSELF, probes -> probes.raise(HIGH));
        PROBES.put(WrongRedisStringScript.TOKEN_OF_THE_CLOCK_ALONE, probes -> probes.raise(HIGH));
        PROBES.put(WrongRedisStringScript.TOKENS_ONLY_BELOW_TWO_TO_THE_51ST, probes -> probes.raise(HIGH));
        PROBES.put(WrongRedisStringScript.TOKENS_ABOVE_TWO_TO_THE_53RD_REPEAT, Probes::tokensAtTheEnd);
        PROBES.put(WrongRedisStringScript.BLANKS_NOT_ENCODED, Probes::repeatedAttempt);

        PROBES.put(WrongPostgreSqlStatement.ATTEMPTS_NOT_SERIALIZED, probes -> probes.tokensOfHandOvers(2000));
        PROBES.put(WrongPostgreSqlStatement.ATTEMPTS_SHARE_THE_ADVISORY_LOCK, probes -> probes.tokensOfHandOvers(2000));
        PROBES.put(WrongPostgreSqlStatement.NO_SECOND_LOOK_AFTER_THE_WAIT, probes -> probes.sameMoment(100));
        PROBES.put(WrongPostgreSqlStatement.RAISE_LOWERS, probes -> probes.raise(HIGH));
        PROBES.put(WrongPostgreSqlStatement.FIRST_TOKEN_AFTER_A_RAISE_IS_ITS_NUMBER, probes -> probes.raise(HIGH));
        PROBES.put(WrongPostgreSqlStatement.HIGHEST_TOKEN_OF_HELD_LOCKS, Probes::highestTokenOfAnIdleStore);
        PROBES.put(WrongPostgreSqlStatement.SEQUENCE_WITH_A_CACHE, Probes::tokensOfTwoProviders);
        PROBES.put(
                WrongPostgreSqlStatement.TOKENS_BEGIN_AGAIN_AFTER_32_BITS,
                probes -> probes.raise(Integer.MAX_VALUE - 1));
        PROBES.put(WrongPostgreSqlStatement.TOKEN_COLUMN_OF_32_BITS, probes -> probes.raise(HIGH));
        PROBES.put(WrongPostgreSqlStatement.ENDS_ROUNDED_TO_CENTISECONDS, probes -> probes.leaseOf(103, 107, 109));
        PROBES.put(WrongPostgreSqlStatement.NAMES_OF_1000_CHARACTERS, probes -> probes.longTexts(1024, 10));
        PROBES.put(WrongPostgreSqlStatement.OWNERS_OF_64_CHARACTERS, probes -> probes.longTexts(10, 200));
        PROBES.put(WrongPostgreSqlStatement.THREADS_OF_64_CHARACTERS, probes -> probes.longTexts(10, 200));
        PROBES.put(WrongPostgreSqlStatement.NAMES_COMPARED_BY_LIKE, probes -> probes.otherName("a-1", "a_1"));
        PROBES.put(
                WrongPostgreSqlStatement.NAMES_COMPARED_WITHOUT_TRAILING_BLANKS, probes -> probes.otherName("a", "a "));
        PROBES.put(
                WrongPostgreSqlStatement.NAMES_COMPARED_IN_NORMAL_FORM,
                probes -> probes.otherName("\u00e9", "e\u0301"));
        PROBES.put(WrongPostgreSqlStatement.LEASE_ROUNDED_UP_TO_SECONDS, probes -> probes.leaseOf(1001));
        PROBES.put(WrongPostgreSqlStatement.OLD_TOKEN_FOR_A_SECOND_GRANT, Probes::secondGrantOfAClaim);
        PROBES.put(WrongPostgreSqlStatement.REPEATED_ATTEMPT_DOES_NOT_PROLONG, Probes::repeatedAttempt);
        PROBES.put(WrongPostgreSqlStatement.REPEATED_ATTEMPT_TELLS_THE_OLD_TIME, Probes::repeatedAttempt);
        PROBES.put(WrongPostgreSqlStatement.OWNER_OF_THE_DEAD_HOLDER_STAYS, Probes::holderAfterADeadOne);
        PROBES.put(WrongPostgreSqlStatement.GRANT_TELLS_THE_TIME_WITHIN_THE_MINUTE, Probes::clockIsTold);
        PROBES.put(WrongPostgreSqlStatement.RENEWAL_TELLS_MILLISECONDS, Probes::clockIsTold);
        PROBES.put(WrongPostgreSqlStatement.LATE_RENEWAL_PROLONGS_THE_SUCCESSOR, Probes::lateRenewal);
        PROBES.put(WrongPostgreSqlStatement.BATCH_RENEWED_BY_ITS_LONGEST_LEASE, Probes::batchOfLeases);
        PROBES.put(WrongPostgreSqlStatement.RENEWED_LEASES_OF_32_BITS, Probes::months);
        PROBES.put(WrongPostgreSqlStatement.BATCH_OF_100, Probes::fullBatch);
        PROBES.put(WrongPostgreSqlStatement.NOTIFICATION_OF_ANOTHER_KEY, Probes::wakesWaiters);
        PROBES.put(WrongPostgreSqlStatement.RELEASE_OF_AN_ENDED_LOCK_ANSWERS_YES, Probes::releaseOfAnEndedLock);
        PROBES.put(WrongPostgreSqlStatement.SERIALIZABLE_TRANSACTIONS, probes -> probes.sameMoment(100));

        PROBES.put(WrongH2Statement.NO_SECOND_LOOK_AT_THE_ROW, probes -> probes.sameMoment(300));
        PROBES.put(WrongH2Statement.LEASE_ROUNDED_DOWN_TO_SECONDS, probes -> probes.leaseOf(1999));
        PROBES.put(WrongH2Statement.LEASE_OF_A_TAKEN_OVER_LOCK_IN_32_BITS, Probes::months);
        PROBES.put(WrongH2Statement.ENDS_ROUNDED_TO_CENTISECONDS, probes -> probes.leaseOf(103, 107, 109));
        PROBES.put(WrongH2Statement.CLAIMS_COMPARED_WITHOUT_CASE, probes -> probes.otherClaim("a", "A"));
        PROBES.put(WrongH2Statement.NAMES_OF_255_CHARACTERS, probes -> probes.longTexts(256, 10));
        PROBES.put(WrongH2Statement.NAMES_COMPARED_WITHOUT_CASE, probes -> probes.otherName("a", "A"));
        PROBES.put(
                WrongH2Statement.NAMES_COMPARED_BY_255_CHARACTERS,
                probes -> probes.otherName("n".repeat(300) + 1, "n".repeat(300) + 2));
        PROBES.put(WrongH2Statement.LATE_RENEWAL_PROLONGS_THE_SUCCESSOR, Probes::lateRenewal);
        PROBES.put(WrongH2Statement.BATCH_RENEWED_BY_ITS_SHORTEST_LEASE, Probes::longClaimInABatch);
        PROBES.put(WrongH2Statement.RENEWAL_ADDS_A_LEASE_TO_THE_END, probes -> probes.renewal(300, 8));
        PROBES.put(WrongH2Statement.RAISE_LOWERS, probes -> probes.raise(HIGH));
        PROBES.put(WrongH2Statement.TOKEN_OF_THE_CLOCK_ALONE, probes -> probes.raise(HIGH));
        PROBES.put(WrongH2Statement.HIGHEST_TOKEN_OF_HELD_LOCKS, Probes::highestTokenOfAnIdleStore);
        PROBES.put(WrongH2Statement.OLD_TOKEN_FOR_A_SECOND_GRANT, Probes::secondGrantOfAClaim);
        PROBES.put(WrongH2Statement.REPEATED_ATTEMPT_DOES_NOT_PROLONG, Probes::repeatedAttempt);
        PROBES.put(WrongH2Statement.RENEWAL_TELLS_THE_TIME_OF_THE_GRANT, Probes::clockIsTold);
        PROBES.put(WrongH2Statement.SERIALIZABLE_TRANSACTIONS, probes -> probes.sameMoment(100));

        PROBES.put(WrongMariaDbStatement.LAST_COUNTER_NOT_RAISED, probes -> probes.raiseForManyNames(HIGH));
        PROBES.put(WrongMariaDbStatement.COUNTERS_RAISED_IN_UPPER_CASE, probes -> probes.raiseForManyNames(HIGH));
        PROBES.put(
                WrongMariaDbStatement.SMALL_COUNTERS_RAISED_WITHOUT_A_ZERO, probes -> probes.raiseForManyNames(HIGH));
        PROBES.put(WrongMariaDbStatement.HIGHEST_TOKEN_OF_HELD_LOCKS, Probes::highestTokenOfAnIdleStore);
        PROBES.put(WrongMariaDbStatement.RENEWAL_COUNTS_FROM_THE_FULL_SECOND, probes -> probes.renewal(600, 1));
        PROBES.put(WrongMariaDbStatement.ENDS_CUT_TO_CENTISECONDS, probes -> probes.leaseOf(103, 107, 109));
        PROBES.put(WrongMariaDbStatement.CLAIMS_COMPARED_WITHOUT_CASE, probes -> probes.otherClaim("a", "A"));
        PROBES.put(WrongMariaDbStatement.BATCH_RENEWED_BY_ITS_LONGEST_LEASE, Probes::batchOfLeases);
        PROBES.put(WrongMariaDbStatement.BATCH_OF_50, Probes::fullBatch);
        PROBES.put(WrongMariaDbStatement.NAMES_OF_768_CHARACTERS, probes -> probes.longTexts(1024, 10));
    }

    private static Stream<Arguments> constants() {
        return PROBES.entrySet().stream().map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    /** Asks several times: on a busy machine a right provider may look late, and a fault of milliseconds may pass unseen. */
    private static boolean isOnce(boolean wanted, WrongText text, Predicate<Probes> probe) {
        for (int tries = 0; tries < TRIES; tries++) {
            if (isRight(text, probe) == wanted) {
                return true;
            }
        }
        return false;
    }

    private static boolean isRight(WrongText text, Predicate<Probes> probe) {
        try (Probes probes = new Probes(text.harnessApart())) {
            return probe.test(probes);
        } catch (LockStoreException | CompletionException failed) {
            return false;
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("constants")
    void faultIsSeenAndTheRightProviderHasNone(HandWritten wrong, Predicate<Probes> probe) {
        assertThat(isOnce(true, WrongText.none(wrong.text().store()), probe))
                .as("the right provider")
                .isTrue();
        assertThat(isOnce(false, wrong.text(), probe)).as(wrong.name()).isTrue();
    }

    /** Missing in the list of probes, with the reason in the constant. */
    @ParameterizedTest
    @MethodSource("all")
    void everyFaultIsProbedOrNamedHere(HandWritten wrong) {
        List<HandWritten> unseen = List.of(
                WrongRedisStringScript.LONG_LEASES_END_AFTER_25_DAYS,
                WrongPostgreSqlStatement.RAISE_DOES_NOT_WAIT_FOR_ATTEMPTS,
                WrongPostgreSqlStatement.ENDS_WITHOUT_TIME_ZONE,
                WrongPostgreSqlStatement.SWEEP_BY_THE_TIME_OF_THE_GRANT);
        assertThat(PROBES.containsKey(wrong)).isNotEqualTo(unseen.contains(wrong));
    }

    static Stream<HandWritten> all() {
        return HandWrittenTextsTest.constants();
    }
}
