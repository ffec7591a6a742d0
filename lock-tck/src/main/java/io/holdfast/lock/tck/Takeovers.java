package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Locks whose leases end one after the other. One thread acts in the moment in which each ends, and another one takes each over.
 * An act that checks in one step and changes in another meets the next holder in between.
 *
 * <p>Of the acts, every third comes some milliseconds before the end, for steps that are far apart. The others come as near to
 * the end as it is known: the store has counted the lease from some moment of the call that was granted.
 */
final class Takeovers {

    private static final int LOCKS = 150;
    private static final long APART = 1_500_000;

    /** How long before the end of its lease a holder acts. On a busy machine it is late. */
    private static final List<Integer> EARLY_MILLIS = List.of(16, 8, 4, 2, 1, 0);

    /** How long before the end of a lease the next holder begins to attempt. */
    private static final long HEAD_START = 200_000;

    private final Kit kit;
    private final LockProvider holding;
    private final LockProvider waiting;

    Takeovers(Kit kit) {
        this.kit = kit;
        this.holding = kit.provider();
        this.waiting = kit.provider();
    }

    /** What is done when the lease of a holder ends. */
    interface Act {
        Object by(DrivenClaim late);
    }

    /**
     * A lock that has changed hands.
     *
     * @param late the holder before
     * @param answer what the store answered it
     * @param next the holder now
     * @param takeover when it took over
     */
    record Change(DrivenClaim late, Object answer, DrivenClaim next, Takeover takeover) {}

    /** Acts whenever a lease ends, while another claim takes over. */
    List<Change> whenTheLeasesEnd(Act act) {
        List<Lock> locks = new ArrayList<>();
        long begin = Pace.now();
        for (int i = 0; i < LOCKS && Pace.since(begin).compareTo(kit.lease().dividedBy(2)) < 0; i++) {
            until(begin + i * APART);
            locks.add(new Lock(i));
        }
        List<Lock> inOrderOfActs = new ArrayList<>(locks);
        inOrderOfActs.sort(Comparator.comparingLong(lock -> lock.actsAt - begin));
        Call<?> acting = Call.running(() -> inOrderOfActs.forEach(lock -> lock.act(act)));
        Call<?> taking = Call.running(() -> takeOver(locks));
        acting.result();
        taking.result();
        return locks.stream().map(Lock::change).toList();
    }

    /** Attempts for each lock when its lease ends, without a pause, and afterwards for those that were renewed meanwhile. */
    private void takeOver(List<Lock> locks) {
        List<Lock> open = new ArrayList<>();
        for (int i = 0; i < locks.size(); i++) {
            Lock lock = locks.get(i);
            boolean last = i == locks.size() - 1;
            until(lock.endsAt - HEAD_START);
            long giveUp = last ? lock.endsAt + HEAD_START : locks.get(i + 1).endsAt - HEAD_START;
            boolean taken = lock.isTaken();
            while (!taken && Pace.now() - giveUp < 0) {
                taken = lock.isTaken();
            }
            if (!taken) {
                open.add(lock);
            }
        }
        // Twice: an act may have prolonged the lease.
        Pace.Limit limit = new Pace.Limit(kit.longestLife().multipliedBy(2));
        while (!open.isEmpty()) {
            open.removeIf(Lock::isTaken);
            if (limit.isOver() && !open.isEmpty()) {
                throw new AssertionError("the lock must be had, because no lease is left, within " + limit);
            }
            Pace.pass(Duration.ofMillis(1));
        }
    }

    private static void until(long moment) {
        long left = moment - Pace.now();
        if (left > HEAD_START * 2) {
            LockSupport.parkNanos(left - HEAD_START * 2);
        }
        while (Pace.now() - moment < 0) {
            Thread.onSpinWait();
        }
    }

    /** One lock, its holder, and the claim that will have it next. */
    private final class Lock {

        private final DrivenClaim late;
        private final DrivenClaim next;
        private final long endsAt;
        private final long actsAt;
        private @Nullable Object answer;
        private long watchedUntil;
        private long takenAt;

        Lock(int number) {
            // A name that the kit does not inspect at the end: so many would take longer than the rule itself.
            this.late = kit.claim(holding, "tck-" + UUID.randomUUID()).makeGranted();
            long call = Pace.now() - late.calledAt();
            this.endsAt = late.calledAt() + kit.lease().toNanos();
            this.actsAt = number % 3 == 0
                    ? endsAt
                            - Duration.ofMillis(EARLY_MILLIS.get(number / 3 % EARLY_MILLIS.size()))
                                    .toNanos()
                    : endsAt + ThreadLocalRandom.current().nextLong(-call, call);
            this.next = kit.claim(waiting, late.name()).lasting().make();
            this.watchedUntil = late.calledAt();
        }

        /** A store may be too busy with the other claim to answer; then the exception is the answer. */
        void act(Act act) {
            until(actsAt);
            try {
                answer = act.by(late);
            } catch (LockStoreException unknown) {
                answer = unknown;
            }
        }

        boolean isTaken() {
            try {
                if (!next.isGranted()) {
                    watchedUntil = next.calledAt();
                    return false;
                }
            } catch (LockStoreException unknown) {
                return false;
            }
            takenAt = Pace.now();
            return true;
        }

        Change change() {
            Object given = answer == null ? "" : answer;
            return new Change(late, given, next, new Takeover(watchedUntil, takenAt));
        }
    }
}
