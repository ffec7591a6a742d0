package io.holdfast.lock.core.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.core.local.WaitPolicy.Action;
import io.holdfast.lock.core.local.WaitPolicy.Decision;
import io.holdfast.lock.core.local.WaitPolicy.Situation;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a waiter does in each situation. All times are milliseconds since its call. Unless a row says otherwise, the waiter called
 * at 0 and gives up at 4,000, it is 500 now, and the store wakes the waiters of a name.
 */
class WaitPolicyTest {

    /** When the call was made: the clock overflows within the second after it. */
    private static final long CALLED = Long.MAX_VALUE - ms(300);

    private static final LockCapabilities PUSH = LockCapabilities.BASIC.withWakeUp(WakeUp.PUSH);
    private static final WaitPolicy WAKES_NAMES = new WaitPolicy(PUSH, true);
    private static final WaitPolicy WAKES_CLAIMS = new WaitPolicy(PUSH, false);
    private static final WaitPolicy SERVES_IN_ORDER = new WaitPolicy(PUSH.withOrdering(Ordering.FIFO), true);
    private static final WaitPolicy POLLED = new WaitPolicy(LockCapabilities.BASIC.withWakeUp(WakeUp.POLL), false);

    static Stream<Row> rows() {
        return Stream.of(
                row("nothing is known of the lock").attempts(),
                row("nothing is known, and the time is over").at(4_000).attempts(),
                row("one attempt only").tryOnce().attempts(),
                row("nothing is known but that a hold of this client may be passed on")
                        .passesOnUntil(800)
                        .sleepsUntil(800),
                row("a hold of this client may be passed on, but the lock may have become free")
                        .passesOnUntil(800)
                        .wokenUp()
                        .attempts(),
                row("a hold of this client may be passed on, but the time is over")
                        .passesOnUntil(4_800)
                        .at(4_000)
                        .attempts(),
                row("one attempt only, while a hold of this client may be passed on")
                        .tryOnce()
                        .passesOnUntil(800)
                        .attempts(),
                row("one attempt only, which was refused")
                        .tryOnce()
                        .refused(0, 10)
                        .at(10)
                        .givesUp(),

                // While there is time
                row("refused").refused(0, 10).askAgain(5_000).deadline(9_000).sleepsUntil(5_000),
                row("refused, and the pause is over")
                        .refused(0, 10)
                        .askAgain(500)
                        .attempts(),
                row("refused, and the deadline comes before the end of the pause")
                        .refused(0, 10)
                        .askAgain(5_000)
                        .sleepsUntil(4_000),
                row("refused, and it waits without end")
                        .unlimited()
                        .refused(0, 10)
                        .askAgain(5_000)
                        .sleepsUntil(5_000),
                row("refused, and woken up")
                        .refused(0, 10)
                        .askAgain(5_000)
                        .wokenUp()
                        .attempts(),
                row("refused, and a waiter behind it needs a newer answer")
                        .refused(0, 10)
                        .askAgain(5_000)
                        .newerWanted()
                        .attempts(),
                row("refused, by a store that serves in order")
                        .in(SERVES_IN_ORDER)
                        .refused(0, 10)
                        .askAgain(900)
                        .sleepsUntil(900),

                // The answer of the waiter before it
                row("the one before it was refused")
                        .inherited(0, 10)
                        .askAgain(900)
                        .sleepsUntil(900),
                row("the one before it was refused, before the call")
                        .inherited(-90, -80)
                        .askAgain(900)
                        .sleepsUntil(900),
                row("the one before it was refused, by a store that serves in order")
                        .in(SERVES_IN_ORDER)
                        .inherited(0, 10)
                        .askAgain(900)
                        .attempts(),
                row("the one before it was refused, by a store that wakes claims only")
                        .in(WAKES_CLAIMS)
                        .inherited(0, 10)
                        .askAgain(900)
                        .attempts(),
                row("the one before it was refused, by a store that is polled")
                        .in(POLLED)
                        .inherited(0, 10)
                        .askAgain(900)
                        .sleepsUntil(900),
                row("the one before it was granted the lock, by a store that wakes claims only")
                        .in(WAKES_CLAIMS)
                        .grantedHere(0, 10)
                        .askAgain(900)
                        .sleepsUntil(900),
                row("the one before it was granted the lock, by a store that serves in order")
                        .in(SERVES_IN_ORDER)
                        .grantedHere(0, 10)
                        .askAgain(900)
                        .attempts(),
                row("the one before it may pass the lock on, in a store that serves in order")
                        .in(SERVES_IN_ORDER)
                        .grantedHere(0, 10)
                        .askAgain(900)
                        .passesOnUntil(800)
                        .sleepsUntil(800),
                row("the one before it may pass the lock on for longer than this one sleeps")
                        .in(SERVES_IN_ORDER)
                        .grantedHere(0, 10)
                        .askAgain(900)
                        .passesOnUntil(1_000)
                        .sleepsUntil(900),
                row("the one before it may pass the lock on, but a waiter behind needs a newer answer")
                        .in(SERVES_IN_ORDER)
                        .grantedHere(0, 10)
                        .askAgain(900)
                        .passesOnUntil(800)
                        .newerWanted()
                        .attempts(),
                row("the one before it may pass the lock on, in a store that serves in no order")
                        .grantedHere(0, 10)
                        .askAgain(900)
                        .passesOnUntil(800)
                        .sleepsUntil(900),
                row("the one before it was refused, and this one gives up in more than 100 ms")
                        .in(SERVES_IN_ORDER)
                        .inherited(3_880, 3_890)
                        .askAgain(9_000)
                        .at(3_899)
                        .attempts(),
                row("the one before it was refused just before this one gives up")
                        .in(SERVES_IN_ORDER)
                        .inherited(3_940, 3_950)
                        .askAgain(9_000)
                        .at(3_960)
                        .sleepsUntil(4_000),

                // A release of this client is under way
                row("its client's release must end first").releaseEndsBy(900).sleepsUntil(900),
                row("its client's release may end after its deadline")
                        .releaseEndsBy(9_000)
                        .sleepsUntil(4_000),
                row("its client's release must end first, also if it is woken up")
                        .refused(0, 10)
                        .wokenUp()
                        .releaseEndsBy(900)
                        .sleepsUntil(900),
                row("its client's release hangs, and its time is over")
                        .releaseEndsBy(9_000)
                        .at(4_000)
                        .attempts(),
                row("its client's release hangs, and a waiter behind it needs an answer")
                        .releaseEndsBy(900)
                        .newerWanted()
                        .attempts(),

                // The time is over
                row("the last attempt was refused")
                        .refused(3_990, 4_010)
                        .at(4_010)
                        .givesUp(),
                row("the last attempt was refused, and it was woken up since")
                        .refused(3_990, 4_010)
                        .at(4_010)
                        .wokenUp()
                        .givesUp(),
                row("the last attempt was refused, and somebody needs a newer answer")
                        .refused(3_990, 4_010)
                        .at(4_010)
                        .newerWanted()
                        .givesUp(),
                row("refused long ago").refused(0, 10).askAgain(9_000).at(4_000).attempts(),
                row("refused just now")
                        .refused(3_940, 3_950)
                        .askAgain(9_000)
                        .at(4_000)
                        .attempts(),
                row("refused just now, and woken up since")
                        .refused(3_940, 3_950)
                        .askAgain(9_000)
                        .at(4_000)
                        .wokenUp()
                        .attempts(),
                row("the one before it was refused just now")
                        .inherited(3_940, 3_950)
                        .askAgain(9_000)
                        .at(4_000)
                        .givesUp(),
                row("the one before it was refused just now, by a store that is polled")
                        .in(POLLED)
                        .inherited(3_940, 3_950)
                        .askAgain(9_000)
                        .at(4_000)
                        .givesUp(),
                row("the one before it was refused just now, by a store that serves in order")
                        .in(SERVES_IN_ORDER)
                        .inherited(3_940, 3_950)
                        .askAgain(9_000)
                        .at(4_000)
                        .givesUp(),
                row("the one before it was refused just now, but asked before this call")
                        .deadline(60)
                        .inherited(-10, 5)
                        .askAgain(9_000)
                        .at(60)
                        .attempts(),
                row("the one before it was refused after this one's deadline")
                        .inherited(3_940, 4_010)
                        .askAgain(9_000)
                        .at(4_010)
                        .givesUp(),
                row("the one before it was refused after this one's deadline, and it was woken up since")
                        .inherited(3_940, 4_010)
                        .askAgain(9_000)
                        .at(4_010)
                        .wokenUp()
                        .attempts(),

                // The time is over, and this client holds the lock
                row("its client was granted the lock during the call")
                        .grantedHere(0, 10)
                        .askAgain(3_000)
                        .at(4_000)
                        .givesUp(),
                row("its client holds the lock since before the call")
                        .grantedHere(-20, -10)
                        .askAgain(5_000)
                        .at(4_000)
                        .heldHere()
                        .givesUp(),
                row("its client holds the lock since before the call, and the pause is over")
                        .grantedHere(-20, -10)
                        .askAgain(3_000)
                        .at(4_000)
                        .heldHere()
                        .attempts(),
                row("its client held the lock before the call")
                        .grantedHere(-20, -10)
                        .askAgain(5_000)
                        .at(4_000)
                        .attempts(),
                row("its client holds the lock, but it was refused itself before")
                        .refused(0, 10)
                        .askAgain(5_000)
                        .at(4_000)
                        .heldHere()
                        .attempts());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void decisionFollowsFromTheSituation(Row row) {
        assertThat(row.decision()).isEqualTo(row.expected);
    }

    private static long ms(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }

    private static Row row(String situation) {
        return new Row(situation);
    }

    /** One row of the table: a situation, and what the waiter has to do. */
    private static final class Row {

        private final String situation;
        private WaitPolicy policy = WAKES_NAMES;
        private Deadline deadline = new Deadline(Deadline.Kind.AT_TIME, CALLED + ms(4_000));
        private @Nullable Answer answer;
        private boolean answerIsOwn;
        private boolean wokenUp;
        private boolean newerWanted;
        private boolean heldHere;
        private OptionalLong passesOnUntil = OptionalLong.empty();
        private OptionalLong releaseEndsBy = OptionalLong.empty();
        private long now = CALLED + ms(500);
        private Decision expected = new Decision(Action.ATTEMPT, 0);

        Row(String situation) {
            this.situation = situation;
        }

        Row in(WaitPolicy store) {
            policy = store;
            return this;
        }

        Row at(long millis) {
            now = CALLED + ms(millis);
            return this;
        }

        Row deadline(long millis) {
            deadline = new Deadline(Deadline.Kind.AT_TIME, CALLED + ms(millis));
            return this;
        }

        Row tryOnce() {
            deadline = Deadline.AT_ONCE;
            return this;
        }

        Row unlimited() {
            deadline = Deadline.NEVER;
            return this;
        }

        /** The store refused an attempt of the waiter itself. */
        Row refused(long askedAt, long at) {
            answerIsOwn = true;
            return inherited(askedAt, at);
        }

        /** The store refused an attempt of the waiter before this one. */
        Row inherited(long askedAt, long at) {
            answer = Answer.refused(CALLED + ms(askedAt), CALLED + ms(at), CALLED + ms(at + 1));
            return this;
        }

        /** The store granted the lock to the waiter before this one. */
        Row grantedHere(long askedAt, long at) {
            answer = Answer.grantedHere(CALLED + ms(askedAt), CALLED + ms(at), CALLED + ms(at + 1));
            return this;
        }

        Row askAgain(long millis) {
            Answer known = Objects.requireNonNull(answer);
            answer = new Answer(known.askedAt(), known.at(), CALLED + ms(millis), known.grantedHere());
            return this;
        }

        Row wokenUp() {
            wokenUp = true;
            return this;
        }

        Row newerWanted() {
            newerWanted = true;
            return this;
        }

        Row heldHere() {
            heldHere = true;
            return this;
        }

        Row passesOnUntil(long millis) {
            passesOnUntil = OptionalLong.of(CALLED + ms(millis));
            return this;
        }

        Row releaseEndsBy(long millis) {
            releaseEndsBy = OptionalLong.of(CALLED + ms(millis));
            return this;
        }

        Row attempts() {
            return this;
        }

        Row givesUp() {
            expected = new Decision(Action.GIVE_UP, 0);
            return this;
        }

        Row sleepsUntil(long millis) {
            expected = new Decision(Action.SLEEP, CALLED + ms(millis));
            return this;
        }

        Decision decision() {
            return policy.next(
                    new Situation(
                            deadline,
                            CALLED,
                            answer,
                            answerIsOwn,
                            wokenUp,
                            newerWanted,
                            heldHere,
                            passesOnUntil,
                            releaseEndsBy),
                    now);
        }

        @Override
        public String toString() {
            return situation;
        }
    }
}
