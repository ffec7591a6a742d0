package io.holdfast.lock.core.local;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.core.hold.Grant;
import io.holdfast.lock.core.hold.Hold;
import io.holdfast.lock.core.hold.HoldHandle;
import io.holdfast.lock.core.hold.Services;
import io.holdfast.lock.core.local.WaitPolicy.Action;
import io.holdfast.lock.core.local.WaitPolicy.Decision;
import io.holdfast.lock.core.local.WaitPolicy.Situation;
import io.holdfast.lock.core.local.Waiter.End;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.spi.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One lock in this client: its waiters, its holds, and what the store answered last. It is to a distributed lock what
 * {@link java.util.concurrent.locks.AbstractQueuedSynchronizer} is to a lock of the JDK.
 *
 * <p>An acquire enters by {@link #acquire}: it shares its owner's hold, or takes its place in the {@link WaitQueue}. The first in
 * the queue asks the store, as often as the {@link WaitPolicy} says, by {@link StoreSteps#attempt}; the answer comes back as
 * {@link #granted}, {@link #refused} or {@link #failed}. A thousand waiting threads cost the store what one costs.
 *
 * <p>One mutex guards everything. Each event changes the state under the mutex and notes effects, which run after the mutex is
 * free: no call to the store and no code of the application runs under it.
 */
final class LocalLock implements Hold.Home, Waiter.Events {

    private final LocalLocks locks;
    private final Services services;
    private final String name;
    private final ReentrantLock mutex = new ReentrantLock();

    // All below is guarded by the mutex.
    private final LocalHolds holds = new LocalHolds();

    /** Most locks that are held have no waiters: they share a queue that stays empty. */
    private WaitQueue waiters = WaitQueue.EMPTY;

    private List<Runnable> effects = List.of();
    /** The first of the queue has ended, so that the next one is to decide: in a loop, as thousands may end at once. */
    private boolean hasNewFirst;

    private boolean dropped;

    LocalLock(LocalLocks locks, Services services, String name) {
        this.locks = locks;
        this.services = services;
        this.name = name;
    }

    @Override
    public ReentrantLock mutex() {
        return mutex;
    }

    /** Runs an event under the mutex, and its effects afterwards. */
    private void handle(Runnable event) {
        List<Runnable> toRun;
        mutex.lock();
        try {
            event.run();
            while (hasNewFirst) {
                hasNewFirst = false;
                settleOverdue();
                decideFirst();
            }
            if (waiters.isEmpty()) {
                waiters = WaitQueue.EMPTY;
                if (holds.isEmpty() && !dropped) {
                    dropped = true;
                    note(() -> locks.drop(this));
                }
            }
            toRun = effects;
            effects = List.of();
        } finally {
            mutex.unlock();
        }
        // What breaks in one effect must not keep the others from happening: they are about other waiters.
        toRun.forEach(EngineRuntime::run);
    }

    /** Notes what to do when the mutex is free. */
    private void note(Runnable effect) {
        if (effects.isEmpty()) {
            effects = new ArrayList<>();
        }
        effects.add(effect);
    }

    /** The queue to add a waiter to. */
    private WaitQueue queue() {
        if (waiters == WaitQueue.EMPTY) {
            waiters = new WaitQueue();
        }
        return waiters;
    }

    String name() {
        return name;
    }

    /** Begins an acquire. Returns false if this lock was dropped, as nobody used it, and another one has taken its place. */
    boolean acquire(Waiter waiter) {
        boolean[] accepted = new boolean[1];
        handle(() -> {
            if (dropped) {
                return;
            }
            accepted[0] = true;
            enter(waiter);
        });
        return accepted[0];
    }

    private void enter(Waiter waiter) {
        waiter.foundOthers = !waiters.isEmpty() || !holds.isEmpty();
        Hold own = holds.toShareWith(waiter.owner());
        if (own == null || locks.isClosed()) {
            takePlace(waiter);
        } else {
            queue().addPastQueue(waiter);
            waiter.stepping = true;
            note(() -> locks.steps().reenter(this, waiter, own));
        }
    }

    /** The hold of the same owner was shared, or had ended. */
    void reentered(Waiter waiter, Hold own, Optional<HoldHandle> handle) {
        handleAnswer(waiter, () -> {
            if (handle.isPresent()) {
                finish(waiter, End.with(handle.get()));
            } else {
                // Its owner may have been granted the lock again meanwhile.
                holds.remove(own);
                waiters.remove(waiter);
                enter(waiter);
            }
        });
    }

    private void takePlace(Waiter waiter) {
        // An owner that holds the lock in another client re-enters at the store, past those who cannot.
        if (!waiter.request().waits() || locks.storeCountsHoldsOf(waiter.owner())) {
            queue().addPastQueue(waiter);
        } else {
            queue().add(waiter);
        }
        if (!waiters.asksStore(waiter)) {
            noteContended(waiter);
            waiter.setAlarmForDeadline();
        }
        decide(waiter);
    }

    /** Somebody else has the lock: listeners are told once for each acquire. */
    private void noteContended(Waiter waiter) {
        if (!waiter.contended) {
            waiter.contended = true;
            note(waiter::tellContended);
        }
    }

    @Override
    public void abandon(Waiter waiter) {
        handle(() -> endWith(waiter, End.ABANDONED));
    }

    @Override
    public void timerRang(Waiter waiter) {
        handle(() -> {
            if (!waiter.finished && !waiters.asksStore(waiter)) {
                queue().addOverdue(waiter);
                settle(waiter, holds.isHeldAt(services.now()));
            }
            decide(waiter);
        });
    }

    @Override
    public void wakeUp(Waiter waiter) {
        handle(() -> wake(waiter));
    }

    /**
     * The lock may be free: everybody who asks the store asks again. While this client holds the lock, the message is about a
     * release before that, and the end of the hold wakes them.
     */
    void wakeUp() {
        handle(() -> {
            if (!holds.isHeldAt(services.now())) {
                waiters.askers().forEach(this::wake);
            }
        });
    }

    private void wake(Waiter waiter) {
        waiter.lastAnswer.wakeUp();
        decide(waiter);
    }

    /** Begins the next step of a waiter, if it may ask the store and no step of it is under way. */
    private void decide(Waiter waiter) {
        if (waiter.stepping || waiter.finished) {
            return;
        }
        if (locks.isClosed()) {
            endWith(waiter, End.with(locks.closedException()));
        } else if (waiter.endsWith != null) {
            endWith(waiter, waiter.endsWith);
        } else if (waiters.asksStore(waiter)) {
            long now = services.now();
            Decision decision = locks.policy().next(situation(waiter, now), now);
            switch (decision.action()) {
                case ATTEMPT -> {
                    waiter.stepping = true;
                    note(() -> locks.steps().attempt(this, waiter));
                }
                case GIVE_UP -> endWith(waiter, waiter.request().waits() ? End.TIMED_OUT : End.REFUSED);
                case SLEEP -> {
                    if (holds.isHeldAt(now)) {
                        noteContended(waiter);
                    }
                    waiter.alarm.set(decision.until());
                }
            }
        }
    }

    private Situation situation(Waiter waiter, long now) {
        LastAnswer last = waiter.lastAnswer;
        return new Situation(
                waiter.request().deadline(),
                waiter.calledAt(),
                last.answer(),
                last.isOwn(),
                last.isWokenUp(),
                last.isNewerWanted(),
                holds.isHeldAt(now),
                passesOnUntil(waiter, now),
                holds.releaseEndsBy(now));
    }

    /** Up to when the hold of this client may be passed on to a waiter; empty if it cannot. */
    private OptionalLong passesOnUntil(Waiter waiter, long now) {
        Hold only = holds.only();
        return only == null || !waiter.suits(only) ? OptionalLong.empty() : only.canBePassedOnUntil(now);
    }

    /**
     * Confirms an attempt that is about to be sent: it may have had to wait for a thread. Returns false if there is a reason
     * against it by now.
     */
    boolean beginAttempt(Waiter waiter) {
        boolean[] begins = new boolean[1];
        handle(() -> {
            long now = services.now();
            begins[0] = waiter.endsWith == null
                    && !locks.isClosed()
                    && locks.policy().next(situation(waiter, now), now).action() == Action.ATTEMPT;
            if (begins[0]) {
                waiter.lastAnswer.ask(now);
            } else {
                waiter.stepping = false;
                decide(waiter);
            }
        });
        return begins[0];
    }

    /** A step of a waiter has ended. */
    private void handleAnswer(Waiter waiter, Runnable event) {
        handle(() -> {
            waiter.stepping = false;
            event.run();
        });
    }

    /** The store answered that somebody else has the lock. */
    void refused(Waiter waiter, Attempt.Contended contended, boolean willBeWoken) {
        handleAnswer(waiter, () -> {
            long now = services.now();
            boolean grantFollows = willBeWoken && locks.wakeUps().tellsNextClaim();
            waiter.lastAnswer.refused(now, now + waiter.pauses().nextNanos(contended, willBeWoken), grantFollows);
            noteContended(waiter);
            Hold own = holds.toShareWith(waiter.owner());
            if (own != null) {
                share(waiter, own);
            }
            settleOverdue();
            decide(waiter);
        });
    }

    /** The store granted the lock. */
    void granted(Waiter waiter, Grant grant) {
        Hold fresh = new Hold(services, this, waiter.owner(), waiter.request().options(), grant);
        handleAnswer(waiter, () -> {
            Hold older = holds.of(fresh.owner());
            // The store counts both, and they have one token, unless the older one was lost.
            boolean bothCount = older != null && locks.storeCountsHoldsOf(fresh.owner()) && !fresh.isFencedAfter(older);
            Optional<HoldHandle> shared =
                    older != null && bothCount ? HoldHandle.another(older, waiter.thread()) : Optional.empty();
            if (locks.isClosed()) {
                note(fresh::releaseInBackground);
                finish(waiter, End.with(locks.closedException()));
            } else if (shared.isPresent()) {
                note(fresh::releaseInBackground);
                finish(waiter, End.with(shared.get()));
            } else {
                if (older != null) {
                    // If the store counts both, the older one is over here, but the store may have its claim still.
                    // Else the store has given that up: it grants a lock to one claim at a time.
                    note(bothCount ? older::expire : () -> older.lose(LossCause.TAKEN_OVER));
                }
                adopt(waiter, fresh);
            }
        });
    }

    private void adopt(Waiter waiter, Hold fresh) {
        note(() -> {
            fresh.begin();
            waiter.signals().granted(fresh);
        });
        long now = services.now();
        waiter.lastAnswer.granted(now, now + locks.longestPause());
        finishWith(waiter, fresh);
    }

    private void finishWith(Waiter waiter, Hold fresh) {
        holds.add(fresh);
        HoldHandle handle = HoldHandle.first(fresh, waiter.thread());
        note(() -> services.events().log().granted(fresh::event, waiter::waited, fresh::remaining));
        finish(waiter, End.with(handle));
        waiters.ofOwner(waiter.owner()).forEach(other -> share(other, fresh));
    }

    /** Lets a waiter share a hold of the same owner, unless a step of the waiter is under way. */
    private void share(Waiter waiter, Hold own) {
        if (!waiter.stepping) {
            HoldHandle.another(own, waiter.thread()).ifPresent(handle -> {
                note(() -> services.events().log().granted(own::event, waiter::waited, own::remaining));
                endWith(waiter, End.with(handle));
            });
        }
    }

    /**
     * A step of a waiter failed. The first in the queue asks for all behind it, so a failure of the store is theirs, too: each
     * would otherwise wait for a time-out in turn.
     */
    void failed(Waiter waiter, LockException failure, boolean ofTheStore) {
        handleAnswer(waiter, () -> {
            if (locks.isClosed()) {
                finish(waiter, End.with(locks.closedException()));
                return;
            }
            // The failed attempt may have used up a wake-up, so the next waiter asks.
            waiter.lastAnswer.wakeUp();
            List<Waiter> others = ofTheStore && waiter == waiters.first() ? waiters.queued() : List.of();
            others.forEach(waiters::remove);
            finish(waiter, End.with(failure));
            for (Waiter other : others) {
                if (other != waiter) {
                    finish(other, End.with(new LockStoreException(String.valueOf(failure.getMessage()), failure)));
                }
            }
        });
    }

    /** Ends a waiter: at once, or as soon as its step is over; a claim that it has at the store is withdrawn before. */
    private void endWith(Waiter waiter, End end) {
        if (waiter.finished) {
            return;
        }
        if (waiter.stepping) {
            waiter.endsWith = waiter.endsWith == null ? end : waiter.endsWith;
        } else if (waiter.claim == null) {
            finish(waiter, end);
        } else {
            waiter.stepping = true;
            note(() -> locks.steps().withdraw(this, waiter, end));
        }
    }

    /** A waiter that ends has nothing left at the store. */
    void withdrawn(Waiter waiter, End end) {
        handleAnswer(waiter, () -> finish(waiter, end));
    }

    private void finish(Waiter waiter, End end) {
        boolean first = waiter == waiters.first();
        waiter.finished = true;
        waiter.alarm.cancel();
        waiters.remove(waiter);
        note(() -> waiter.complete(end));
        Waiter next = waiters.first();
        if (first && next != null) {
            hasNewFirst = true;
            passAnswerOn(waiter, next);
        }
        note(() -> locks.wakeUps().unregister(name, waiter));
    }

    /** The next in the queue asks the store from now on. It begins with what the one before it knew. */
    private void passAnswerOn(Waiter before, Waiter next) {
        if (next.lastAnswer.inherit(before.lastAnswer)) {
            note(() -> registerForWakeUps(next));
        }
    }

    private void decideFirst() {
        Waiter first = waiters.first();
        if (first != null) {
            decide(first);
        }
    }

    private void registerForWakeUps(Waiter waiter) {
        boolean unused = locks.wakeUps().register(name, waiter);
        handle(() -> {
            if (waiter.finished) {
                // It has ended meanwhile.
                note(() -> locks.wakeUps().unregister(name, waiter));
            }
        });
    }

    private void settleOverdue() {
        List<Waiter> overdue = waiters.overdue();
        if (!overdue.isEmpty()) {
            boolean heldHere = holds.isHeldAt(services.now());
            overdue.forEach(waiter -> settle(waiter, heldHere));
        }
    }

    /**
     * Ends a waiter behind the first whose time is over, if it is known that the lock was taken during its call. Else it ends
     * with the next answer to the first: one request serves all of them.
     */
    private void settle(Waiter overdue, boolean heldHere) {
        Waiter first = waiters.first();
        if (first == null || first == overdue) {
            return; // It asks the store itself now.
        }
        if (heldHere || first.lastAnswer.isProofSince(overdue.calledAt())) {
            endWith(overdue, End.TIMED_OUT);
        } else {
            first.lastAnswer.wantSince(overdue.calledAt());
            decide(first);
        }
    }

    /**
     * How many hand-overs a grant to a waiter should allow: none unless others of this client want the lock, too. They wait
     * behind it, or were there before it: two threads that take turns come again while the other one holds the lock.
     */
    int handOversFor(Waiter waiter) {
        mutex.lock();
        try {
            return waiter.foundOthers || waiters.hasBehind(waiter)
                    ? waiter.request().options().handOver()
                    : 0;
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public boolean passesOn(Hold hold) {
        Waiter next = waiters.first();
        long now = services.now();
        if (next == null
                || locks.isClosed()
                || !holds.isOnly(hold)
                || !hold.canBePassedOnAt(now)
                || !next.canTakeOver(hold, now)) {
            return false;
        }
        holds.remove(hold);
        Hold fresh = hold.passOn(next.owner(), next.request().options(), now);
        note(hold::tellPassedOn);
        SerialClaim unneeded = next.claim;
        if (unneeded != null) {
            next.claim = null;
            note(() -> locks.steps().leave(unneeded));
        }
        note(fresh::begin);
        next.lastAnswer.passedOn(now, now + locks.longestPause());
        finishWith(next, fresh);
        return true;
    }

    @Override
    public boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    @Override
    public void passedOn() {
        handle(() -> {});
    }

    @Override
    public void releasing(Hold hold) {
        holds.beginRelease(hold);
    }

    @Override
    public void releaseEnded(Hold hold) {
        handle(() -> {
            CompletableFuture<Void> ended = holds.endRelease(hold);
            if (ended != null) {
                note(() -> ended.complete(null));
            }
            waiters.askers().forEach(this::decide);
        });
    }

    @Override
    public void gaveBack(Hold hold) {
        boolean[] replaced = new boolean[1];
        handle(() -> {
            holds.remove(hold);
            replaced[0] = dropped;
            if (!holds.isHeldAt(services.now())) {
                waiters.askers().stream()
                        .filter(waiter -> !hearsOfGrant(waiter))
                        .forEach(this::wake);
            }
        });
        if (replaced[0]) {
            // A release that was repeated: those who wait now have another object.
            locks.wakeUp(name);
        }
    }

    /** Whether the store tells a waiter when it is its turn: one that asks now will either be granted the lock or be told. */
    private boolean hearsOfGrant(Waiter waiter) {
        return waiter.stepping ? locks.wakeUps().tellsNextClaim() : waiter.lastAnswer.isFollowedByGrant();
    }

    @Override
    public void mayBeFree(Hold hold) {
        handle(() -> holds.remove(hold));
        locks.wakeUp(name);
    }

    /** Ends every wait and every hold. Returns what is still under way. */
    List<CompletableFuture<?>> close() {
        List<CompletableFuture<?>> underWay = new ArrayList<>();
        handle(() -> {
            holds.all().forEach(hold -> note(() -> hold.lose(LossCause.CLIENT_CLOSED)));
            underWay.addAll(holds.releases());
            for (Waiter waiter : waiters.all()) {
                // Its caller gets the outcome; here it only has to end.
                underWay.add(waiter.result().handle((handle, failure) -> true));
                endWith(waiter, End.with(locks.closedException()));
            }
        });
        return underWay;
    }
}
