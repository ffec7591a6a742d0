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

/** For each {@link FaultOfAKind} a rule fails, and the failure names the rule. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class KilledFaultsOfAKindTest {

    private static final String RELEASE = "rule51_aReleaseTouchesNoNeighbour";
    private static final String LEASES = "rule21_theLeasesOfNeighboursEndEachAtItsTime";

    static Stream<Arguments> faults() {
        return Stream.of(
                spi(FaultOfAKind.FREES_NAMES_THAT_BEGIN_ALIKE, RELEASE),
                spi(FaultOfAKind.FREES_BY_A_PATTERN_OF_SQL, RELEASE),
                spi(FaultOfAKind.FREES_BY_A_PATTERN_OF_FILES, RELEASE),
                spi(FaultOfAKind.SHOWS_THE_HOLDER_OF_A_NAME_THAT_BEGINS_ALIKE, RELEASE),
                spi(FaultOfAKind.ENDS_LEASES_OF_NAMES_THAT_BEGIN_ALIKE, LEASES),
                spi(FaultOfAKind.RENEWS_NAMES_THAT_BEGIN_ALIKE, LEASES),
                spi(
                        FaultOfAKind.REPORTS_A_LOSS_TO_NAMES_THAT_BEGIN_ALIKE,
                        "rule85_theRemovalOfALockIsNoLossOfItsNeighbours"),
                spi(FaultOfAKind.SILENCES_NAMES_THAT_BEGIN_ALIKE, "rule72_aWaiterThatLeavesSilencesNoNeighbour"),
                spi(FaultOfAKind.HASHES_NAMES_BY_CRC, RELEASE),
                spi(FaultOfAKind.HASHES_NAMES_BY_CRC32C, RELEASE),
                spi(FaultOfAKind.HASHES_NAMES_BY_ADLER, RELEASE),
                spi(FaultOfAKind.HASHES_NAMES_BY_FNV, RELEASE),
                spi(FaultOfAKind.HASHES_NAMES_BY_MURMUR, RELEASE),
                spi(FaultOfAKind.HASHES_NAMES_BY_A_SHORT_MD5, RELEASE),
                spi(FaultOfAKind.HASHES_NAMES_BY_A_SHORT_SHA1, RELEASE),
                spi(FaultOfAKind.FOLDS_THE_CASE_OF_ALL_ALPHABETS, RELEASE),
                spi(FaultOfAKind.COMPOSES_NAMES, RELEASE),
                spi(FaultOfAKind.FOLDS_THE_WIDTH_OF_NAMES, RELEASE),
                spi(FaultOfAKind.IGNORES_ACCENTS, RELEASE),
                spi(FaultOfAKind.IGNORES_WHAT_IS_NOT_SEEN, RELEASE),
                spi(FaultOfAKind.STRIPS_BLANKS_OF_ALL_KINDS, RELEASE),
                spi(FaultOfAKind.SHORTENS_THE_MIDDLE_OF_LONG_NAMES, RELEASE),
                spi(FaultOfAKind.CUTS_NAMES_OF_MIDDLE_LENGTH, "rule14_namesOfAnyLengthAreKeptApart"),
                spi(FaultOfAKind.CUTS_OWNERS_AT_A_BAR, "rule44_ownersWithSeparatorsAreKeptApart"),
                spi(FaultOfAKind.SHOWS_OWNERS_UP_TO_A_COLON, "rule44_ownersWithSeparatorsAreKeptApart"),
                spi(FaultOfAKind.DECODES_OWNERS, "rule44_ownersWithSeparatorsAreKeptApart"),
                spi(FaultOfAKind.DROPS_CONTROL_CHARACTERS_OF_OWNERS, "rule44_ownersWithSeparatorsAreKeptApart"),
                spi(
                        FaultOfAKind.JOINS_OWNER_AND_CLAIM_BY_A_HYPHEN,
                        "rule51_claimsWhoseOwnerAndIdRunTogetherAreKeptApart"),
                spi(
                        FaultOfAKind.JOINS_OWNER_AND_CLAIM_WITH_NOTHING,
                        "rule51_claimsWhoseOwnerAndIdRunTogetherAreKeptApart"),
                spi(FaultOfAKind.COUNTS_LEASES_IN_SECONDS, "rule22_aLeaseThatIsNoRoundNumberEndsAtItsTime"),
                spi(FaultOfAKind.COUNTS_LEASES_IN_TENTHS_OF_A_SECOND, "rule22_aLeaseThatIsNoRoundNumberEndsAtItsTime"),
                spi(FaultOfAKind.LENGTHENS_LEASES_TO_SECONDS, "rule22_aLeaseThatIsNoRoundNumberEndsAtItsTime"),
                spi(FaultOfAKind.RENEWS_BY_WHOLE_SECONDS, "rule22_aLeaseThatIsNoRoundNumberEndsAtItsTime"),
                spi(FaultOfAKind.KEEPS_LEASES_IN_32_BITS, "rule27_aLeaseOfManyDaysOutlivesAShortOneOrIsRefused"),
                spi(FaultOfAKind.KEEPS_LEASES_IN_31_BITS, "rule27_aLeaseOfManyDaysOutlivesAShortOneOrIsRefused"),
                spi(FaultOfAKind.KEEPS_MICROSECONDS_IN_32_BITS, "rule27_aLeaseOfManyDaysOutlivesAShortOneOrIsRefused"),
                spi(FaultOfAKind.KEEPS_SECONDS_IN_16_BITS, "rule27_aLeaseOfManyDaysOutlivesAShortOneOrIsRefused"),
                spi(FaultOfAKind.RENEWS_LEASES_IN_31_BITS, "rule27_aLeaseOfManyDaysOutlivesAShortOneOrIsRefused"),
                spi(FaultOfAKind.NEVER_ENDS_LEASES_OF_SOME_MILLISECONDS, "rule27_aLeaseOfSomeMillisecondsEnds"),
                spi(FaultOfAKind.KEEPS_TOKENS_AS_FRACTIONS, "rule67_tokensGrowAboveNumbersOfManyBits"),
                spi(FaultOfAKind.KEEPS_TOKENS_IN_32_BITS, "rule67_tokensGrowAboveNumbersOfManyBits"),
                spi(
                        FaultOfAKind.COUNTS_THE_LEASE_FROM_THE_WAKE_UP,
                        "rule26_theLeaseBeginsWithTheGrantHoweverLateTheClaimAsks"),
                spi(
                        FaultOfAKind.COUNTS_THE_LEASE_OF_A_TRY_FROM_ITS_FIRST_ATTEMPT,
                        "rule26_theLeaseBeginsWithTheGrantHoweverLateTheClaimAsks"),
                spi(
                        FaultOfAKind.COUNTS_THE_LEASE_FROM_THE_MAKING_OF_THE_CLAIM,
                        "rule26_theLeaseBeginsWithTheGrantHoweverLateTheClaimAsks"),
                spi(
                        FaultOfAKind.SHORTENS_THE_SECOND_GRANT_OF_A_CLAIM,
                        "rule26_theLeaseBeginsWithTheGrantHoweverLateTheClaimAsks"),
                spi(FaultOfAKind.RENEWS_A_QUARTER_OF_A_LARGE_BATCH, "rule31_everyClaimOfAFullBatchIsRenewed"),
                client(FaultOfAKind.HAS_A_POOL_OF_TEN, "rule91_manyWaitingThreadsLeaveRoomForOtherCalls"),
                spi(FaultOfAKind.SETS_THE_EXPIRY_IN_A_SECOND_STEP, "rule23_aGrantThatIsCutShortLeavesNoLockWithoutEnd"),
                spi(FaultOfAKind.KEEPS_A_HUNDRED_LOCKS, "rule11_manyLocksOfOneClientAreAllHeld"),
                spi(FaultOfAKind.RELEASES_TWO_HUNDRED_LOCKS_AT_MOST, "rule11_manyLocksOfOneClientAreAllHeld"),
                spi(FaultOfAKind.HAS_A_POOL_OF_TEN, "rule91_manyWaitingClaimsLeaveRoomForOtherCalls"),
                spi(FaultOfAKind.LISTENS_FOR_EIGHT_NAMES, "rule72_aClientThatWaitsForManyNamesIsWokenForEach"),
                spi(FaultOfAKind.WAKES_TEN_CLIENTS, "rule72_everyOneOfManyWaitersIsWokenInItsTurn"),
                spi(FaultOfAKind.SORTS_ITS_LINE_AS_TEXT, "rule75_aLongLineIsServedInOrder"));
    }

    private static Arguments spi(FaultOfAKind fault, String rule) {
        return arguments(fault, OfProvider.class, rule);
    }

    private static Arguments client(FaultOfAKind fault, String rule) {
        return arguments(fault, OfClient.class, rule);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void ruleCatchesFault(FaultOfAKind fault, Class<? extends KitCase> level, String rule) throws Exception {
        KitRun run = KitRun.conclusive(() -> KitRun.ofRule(level, rule, () -> new MemoryHarness() {
            private final FaultyProvider.Store store = new FaultyProvider.Store();

            @Override
            public LockProvider open() {
                return new FaultyProvider(super.open(), fault, store);
            }

            @Override
            public Faults faults() {
                return store.cut;
            }
        }));

        run.mustBreak(level, rule);
    }

    @Test
    void everyFaultHasARule() {
        Set<FaultOfAKind> caught =
                faults().map(each -> (FaultOfAKind) each.get()[0]).collect(Collectors.toSet());

        assertThat(EnumSet.allOf(FaultOfAKind.class)).isSubsetOf(caught);
    }
}
