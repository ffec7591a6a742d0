package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tck.History.Entry;
import io.holdfast.lock.tck.History.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Planted histories: each violation once, and each near miss once. */
class HistoryTest {

    private static Entry grant(long called, long at, long token, long until) {
        return new Entry(Kind.GRANT, "a", called, at, token, until);
    }

    private static Entry renewed(long called, long until) {
        return new Entry(Kind.RENEWED, "a", called, called, 0, until);
    }

    private static Entry releasing(long called) {
        return new Entry(Kind.RELEASING, "a", called, called, 0, 0);
    }

    private static Entry lost(long called) {
        return new Entry(Kind.LOST, "a", called, called, 0, 0);
    }

    private static Entry asked(long called) {
        return new Entry(Kind.ASK, "a", called, called, 0, 0);
    }

    private static List<String> violations(List<Entry> one, List<Entry> other) {
        History history = new History();
        history.add("one", one, false);
        history.add("other", other, false);
        return history.violations(true);
    }

    private static void mustBeClean(List<Entry> one, List<Entry> other) {
        assertThat(violations(one, other)).isEmpty();
    }

    private static void mustComplain(List<Entry> one, List<Entry> other, String complaint) {
        assertThat(violations(one, other)).singleElement().asString().contains(complaint);
    }

    @Test
    void holdsThatOverlapUntilARelease() {
        mustComplain(
                List.of(grant(0, 10, 1, 100_000), releasing(50_000)),
                List.of(grant(20, 49_000, 2, 200_000), releasing(60_000)),
                "one and other both held the lock 'a' for 1 microseconds, under the tokens 1 and 2");
    }

    @Test
    void holdThatBeginsWithTheReleaseOfAnother() {
        mustBeClean(List.of(grant(0, 10, 1, 100), releasing(50)), List.of(grant(20, 50, 2, 200), releasing(60)));
    }

    @Test
    void holdsThatOverlapUntilALeaseEnds() {
        mustComplain(
                List.of(grant(0, 10, 1, 100), lost(500)), List.of(grant(20, 99, 2, 200), releasing(150)), "both held");
    }

    @Test
    void holdThatBeginsWithTheEndOfALeaseThoughTheLossWasNoticedLater() {
        mustBeClean(List.of(grant(0, 10, 1, 100), lost(500)), List.of(grant(20, 100, 2, 200), releasing(150)));
    }

    @Test
    void holdsThatOverlapInARenewedLease() {
        mustComplain(
                List.of(grant(0, 10, 1, 100), renewed(90, 190), lost(500)),
                List.of(grant(20, 150, 2, 200), releasing(160)),
                "both held");
    }

    @Test
    void renewalThatFailedProlongsNothing() {
        mustBeClean(List.of(grant(0, 10, 1, 100), lost(500)), List.of(grant(20, 150, 2, 200), releasing(160)));
    }

    @Test
    void lossThatWasNoticedEndsAHoldBeforeItsLease() {
        mustBeClean(List.of(grant(0, 10, 1, 100), lost(40)), List.of(grant(20, 60, 2, 200), releasing(70)));
    }

    @Test
    void grantWhoseLeaseHadEndedWhenItReturnedHoldsNothing() {
        mustBeClean(List.of(grant(0, 10, 1, 100), releasing(90)), List.of(grant(5, 20, 2, 20), lost(300)));
    }

    @Test
    void holdInsideALongOneIsFoundAfterAShortOne() {
        mustComplain(
                List.of(grant(0, 10, 1, 1000), releasing(900)),
                List.of(grant(11, 800, 5, 2000), releasing(1000)),
                "both held");
    }

    @Test
    void locksOfTwoNamesDoNotExcludeEachOther() {
        mustBeClean(
                List.of(grant(0, 10, 1, 100), releasing(50)),
                List.of(new Entry(Kind.GRANT, "b", 5, 20, 1, 200), new Entry(Kind.RELEASING, "b", 60, 60, 0, 0)));
    }

    @Test
    void tokenThatFalls() {
        mustComplain(
                List.of(grant(0, 10, 7, 100), releasing(50)),
                List.of(grant(60, 70, 6, 200), releasing(80)),
                "under the token 6, although 7 had been granted before");
    }

    @Test
    void tokenThatComesTwice() {
        mustComplain(
                List.of(grant(0, 10, 7, 100), releasing(50)),
                List.of(grant(5, 55, 7, 200), releasing(80)),
                "under the token 7, although it had been granted before");
    }

    @Test
    void smallerTokenOfAGrantThatWasAskedForBeforeTheOtherReturned() {
        mustBeClean(List.of(grant(0, 10, 7, 20), lost(30)), List.of(grant(5, 55, 6, 200), releasing(80)));
    }

    @Test
    void grantWithoutAnEnd() {
        mustComplain(List.of(grant(0, 10, 1, 100)), List.of(), "granted to one, and neither released nor lost");
    }

    @Test
    void grantWithoutAnEndOfAKilledProcess() {
        History history = new History();
        history.add("one", List.of(grant(0, 10, 1, 100)), true);
        assertThat(history.violations(true)).isEmpty();
    }

    @Test
    void certainHoldOfAKilledProcessStillCounts() {
        History history = new History();
        history.add("one", List.of(grant(0, 10, 1, 100)), true);
        history.add("other", List.of(grant(5, 60, 2, 200), releasing(80)), false);
        assertThat(history.violations(true)).singleElement().asString().contains("both held");
    }

    @Test
    void waitWithoutAnEnd() {
        mustComplain(List.of(asked(5)), List.of(), "one waits for the lock 'a' for ever");
    }

    @Test
    void waitThatEndedWithoutTheLock() {
        mustBeClean(List.of(asked(5), new Entry(Kind.REFUSED, "a", 5, 50, 0, 0)), List.of());
    }

    @Test
    void lineThatAKilledProcessCouldNotFinishIsLeftOut(@TempDir Path directory) throws IOException {
        String whole = grant(0, 10, 1, 100).line();
        Path file = Files.writeString(directory.resolve("one"), whole + whole.substring(0, whole.length() - 4));
        History history = new History();
        history.add("one", file, true);

        assertThat(history.grants()).isEqualTo(1);
    }

    /** Against the comparison of each with each. */
    @Test
    void randomHistoriesAreJudgedAsByTheSimplestComparison() {
        Random random = new Random(42);
        for (int i = 0; i < 20_000; i++) {
            History history = new History();
            List<long[]> holds = new ArrayList<>();
            for (int hold = 0; hold < 4; hold++) {
                long at = random.nextInt(20);
                long until = at + random.nextInt(8);
                holds.add(new long[] {at, until});
                history.add("p" + hold, List.of(grant(0, at, hold + 1, until), lost(100)), false);
            }
            boolean overlap = holds.stream()
                    .anyMatch(one -> holds.stream()
                            .anyMatch(other -> one != other
                                    && one[0] < one[1]
                                    && other[0] < other[1]
                                    && one[0] < other[1]
                                    && other[0] < one[1]));

            assertThat(history.violations(false).isEmpty()).isEqualTo(!overlap);
        }
    }

    @Test
    void fencedFileRefusesATokenBelowItsFloorForReadingAndForWriting(@TempDir Path directory) throws IOException {
        FencedFile file = new FencedFile(directory.resolve("number"));
        assertThat(file.read(5)).hasValue(0);
        assertThat(file.write(5, 1)).isTrue();
        assertThat(file.read(6)).hasValue(1);

        assertThat(file.write(5, 2)).isFalse();
        assertThat(file.read(5)).isEmpty();
        assertThat(file.number()).isEqualTo(1);
        assertThat(file.write(6, 2)).isTrue();
        assertThat(file.number()).isEqualTo(2);
    }
}
