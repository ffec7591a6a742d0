package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Two threads that each make one call at the same moment, round after round. Both spin for the moment, so their calls begin
 * within a microsecond if each has a core. In two of three rounds one call begins later, by up to the time that such a call
 * takes: so the gap between a step that checks and one that changes is met wherever it lies in a call, on a fast store and on a
 * slow one.
 *
 * <p>A round counts if both calls were under way at the same time. On a busy machine, or with few cores, many are not, so it is
 * played until enough count or the time is over. If the check and the change of a wrong provider are a share g of a call apart, a
 * round that counts meets that gap with a chance of about g/3, as the later call begins anywhere within the earlier one. For g =
 * 1/100 all of 2,000 rounds miss it once in 800 runs, and 500 rounds once in 5.
 */
final class Duel {

    private static final Duration TIME = Duration.ofMillis(900);
    private static final int ENOUGH = 2_000;

    /**
     * How long a thread spins for the other one before it leaves its core to others: longer than a time slice. On a busy machine
     * a thread that leaves sooner runs only while the other one does not.
     */
    private static final long PATIENCE = Duration.ofMillis(10).toNanos();

    /** How long it spins for the next round, which the other one prepares by calls of a store: it needs no core meanwhile. */
    private static final long PATIENCE_BETWEEN_ROUNDS = 20_000;

    /** Long enough for the other thread to read the moment. */
    private static final long LEAD = 2_000;

    private final Kit kit;
    private String name;
    /** How long a call takes about, in nanoseconds. */
    private double usual = 1_000;

    private volatile int armed;
    private volatile int ready;
    private volatile int started;
    private volatile int done;
    private volatile boolean over;
    private volatile long moment;
    private volatile @Nullable Act act;
    private volatile Timed answer = new Timed("", 0, 0);

    Duel(Kit kit) {
        this.kit = kit;
        this.name = kit.newName();
    }

    /** One call. */
    interface Act {
        Object call();
    }

    /** What is checked when both calls have returned. */
    interface Check {
        void on(Object first, Object second);
    }

    /**
     * One round.
     *
     * @param first the call of one thread
     * @param second the call of the other
     * @param check checks what both answered, and leaves the lock free
     */
    record Round(Act first, Act second, Check check) {}

    /** Makes the rounds. */
    interface Rounds {
        Round next(String name, int number);
    }

    /**
     * Plays rounds for a bounded time.
     *
     * @param rounds makes each round for a lock that is free, mostly the same
     */
    void play(Rounds rounds) {
        Call<Boolean> rival = Call.start(this::answerEachRound);
        long begin = Pace.now();
        int met = 0;
        try {
            for (int number = 1; met < ENOUGH && Pace.since(begin).compareTo(TIME) < 0; number++) {
                met += play(rounds.next(name, number), number) ? 1 : 0;
            }
        } finally {
            over = true;
        }
        rival.result();
    }

    /** Plays one round. Returns whether both calls were under way at the same time. */
    private boolean play(Round round, int number) {
        act = round.second();
        armed = number;
        await(() -> ready == number);
        long offset = number % 3 == 0
                ? 0
                : (long) (usual * ThreadLocalRandom.current().nextDouble(-1, 1));
        long begin = Pace.now() + LEAD;
        moment = begin + Math.max(0, -offset);
        started = number;
        Timed first = answerAt(begin + Math.max(0, offset), round.first());
        usual += (first.endedAt - first.beganAt - usual) / 8;
        await(() -> done == number);
        Timed second = answer;
        if (first.rethrown() || second.rethrown()) {
            // The store was too busy with one call to answer the other. Nobody knows what the lock is like now.
            name = kit.newName();
            return false;
        }
        round.check().on(first.answer, second.answer);
        return first.beganAt - second.endedAt < 0 && second.beganAt - first.endedAt < 0;
    }

    private boolean answerEachRound() {
        for (int number = 1; !over; number++) {
            int mine = number;
            await(() -> armed == mine || over, PATIENCE_BETWEEN_ROUNDS);
            Act call = act;
            ready = mine;
            await(() -> started == mine || over);
            if (!over && call != null) {
                answer = answerAt(moment, call);
                done = mine;
            }
        }
        return true;
    }

    /** A failure is an answer, too: thrown on the wrong thread it would leave the other one waiting. */
    private static Timed answerAt(long moment, Act act) {
        await(() -> Pace.now() - moment >= 0);
        long beganAt = Pace.now();
        Object answer;
        try {
            answer = act.call();
        } catch (RuntimeException | AssertionError failure) {
            answer = failure;
        }
        return new Timed(answer, beganAt, Pace.now());
    }

    private static void await(BooleanSupplier condition) {
        await(condition, PATIENCE);
    }

    private static void await(BooleanSupplier condition, long patience) {
        long begin = Pace.now();
        while (!condition.getAsBoolean()) {
            if (Pace.now() - begin < patience) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(1);
            }
        }
    }

    /** What a call answered, and when it was under way. */
    private record Timed(Object answer, long beganAt, long endedAt) {

        /** Throws what the call threw. Returns true instead if its outcome is unknown. */
        boolean rethrown() {
            if (answer instanceof LockStoreException) {
                return true;
            }
            if (answer instanceof RuntimeException failure) {
                throw failure;
            }
            if (answer instanceof AssertionError failure) {
                throw failure;
            }
            return false;
        }
    }
}
