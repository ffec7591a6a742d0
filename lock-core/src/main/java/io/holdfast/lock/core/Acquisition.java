package io.holdfast.lock.core;

import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One acquire, from the call to its grant, its failure or its end without a lock.
 *
 * <p>Its steps are: re-enter an own hold, bid at the store, end. Between them it rests until its timer, its turn among the
 * {@link Contenders} or a signal sets it going again. Blocking and asynchronous acquires differ only in the executor that
 * runs the steps: the waiting thread itself, or the client's threads.
 */
final class Acquisition extends SerialSteps {

    private static final Duration NEXT_TRY = Duration.ofMillis(100);

    private final Engine engine;
    private final Terms terms;
    private final Bid bid;
    private final CompletableFuture<Optional<OwnHandle>> result = new CompletableFuture<>();
    private final Alarm alarm;
    private final long began;
    private final Turn turn;

    /** Touched in steps only. */
    private @Nullable OwnHandle granted;

    /** The latest that is known of the lock, for those behind. */
    private volatile @Nullable Refusal latest;

    // Written under the mutex.
    private boolean placed;
    private boolean queued;
    private boolean contended;
    private boolean leaving;
    private @Nullable Ending ending;
    private @Nullable LockException failure;

    /** The contender that was asked for an answer, once this acquire's time was over. */
    private @Nullable Acquisition asked;

    /** Where the store's signals come from: the own bid or, until that is made, the one that the contender before has left. */
    private Bid listening;

    private enum Ending {
        TIMED_OUT,
        ABANDONED,
        CLIENT_CLOSED,
        FAILED
    }

    Acquisition(Engine engine, Terms terms, Executor stepper) {
        super(stepper);
        this.engine = engine;
        this.terms = terms;
        this.bid = new Bid(engine, terms, this::wake);
        this.listening = bid;
        this.alarm = new Alarm(engine.runtime(), this::alarmRang);
        this.began = engine.now();
        this.turn = new Turn(began, terms.deadline(), engine.provider().capabilities());
    }

    /** Completes when the acquire is finished: with a handle, with empty if it ended without one, or with the failure. */
    CompletableFuture<Optional<OwnHandle>> result() {
        return result;
    }

    @Override
    boolean isFinished() {
        return result.isDone();
    }

    /** Takes its place among those that wait before it returns, so that successive calls of one thread wait in their order. */
    void begin() {
        engine.acquisitions().add(this);
        goOn(() -> {
            if (!terms.owner().mayReenter() || ownHold().isEmpty()) {
                takePlace();
            }
        });
    }

    /** Looks again at once: the lock may be free, or the owner may have got it. */
    void wake() {
        goOn(turn::signal);
    }

    /** Looks again whether there is something to do now, with nothing new known of the lock. */
    void lookAgain() {
        goOn(() -> {});
    }

    /** Ends the wait. A hold that was granted before is in the result. */
    void abandon() {
        end(Ending.ABANDONED, null);
    }

    /** Ends the wait because the client is closed. */
    void endByClose() {
        end(Ending.CLIENT_CLOSED, null);
    }

    private void end(Ending how, @Nullable LockException why) {
        goOn(() -> {
            if (ending == null) {
                ending = how;
                failure = why;
            }
        });
    }

    /** Notes what has happened and sets the steps going, if they rest. */
    private void goOn(Runnable note) {
        try {
            proceed(note);
        } catch (RejectedExecutionException noThreads) {
            finish(() -> result.completeExceptionally(engine.closedException()));
        } catch (Error broken) {
            // Whoever has signalled will not do so again.
            engine.runtime().scheduler().schedule(this::lookAgain, NEXT_TRY.toNanos());
            throw broken;
        }
    }

    @Override
    void brokeOff(Throwable broken) {
        // Out of memory, say: without an end this acquire would block all that wait behind it for ever.
        OwnHandle unused = isFinished() ? null : granted;
        fail(new LockStoreException("The acquire of the lock '" + terms.lockName() + "' broke off", broken));
        if (unused != null) {
            unused.discard();
        }
    }

    @Override
    @Nullable
    Runnable nextStep() {
        if (ending == null && engine.isClosed()) {
            ending = Ending.CLIENT_CLOSED;
        }
        if (ending != null) {
            return this::end;
        }
        return terms.owner().mayReenter() && ownHold().isPresent() ? this::reenter : stepInTurn();
    }

    private @Nullable Runnable stepInTurn() {
        takePlace();
        long now = engine.now();
        if (queued && turn.hasBegun() && !turn.isUrgent(now)) {
            OptionalLong leaseEnd = engine.endOfLeaseBeingReleased(terms.lockName(), now);
            if (leaseEnd.isPresent()) {
                // The end of the release sets this acquire going: asked before, the store would refuse.
                alarm.setFor(terms.deadline().orEarlier(leaseEnd.getAsLong()));
                return null;
            }
        }
        return switch (turn.next(now)) {
            case BID -> this::bid;
            case GIVE_UP -> turn.hasBegun() ? giveUp() : giveUpBehind(now);
            case REST -> {
                turn.restsUntil(now).ifPresent(alarm::setFor);
                yield null;
            }
        };
    }

    private Runnable giveUp() {
        ending = Ending.TIMED_OUT;
        return this::end;
    }

    /**
     * Gives up if the contender knows that the lock was taken during this call. Otherwise the contender asks the store: one
     * answer serves all whose time is over.
     */
    private @Nullable Runnable giveUpBehind(long now) {
        Acquisition contender = engine.contenders().first(terms.lockName()).orElse(this);
        if (contender == this) {
            // It is about to become the contender, and goes on then.
            return null;
        }
        Refusal known = contender.latest;
        if (known != null && known.isProofSince(began, now)) {
            return giveUp();
        }
        if (contender == asked) {
            return null;
        }
        asked = contender;
        return () -> contender.goOn(() -> contender.turn.wantAnswerSince(began));
    }

    /** Those whose time is over look whether they can give up now. */
    private void wakeOverdue() {
        others().stream()
                .filter(waiting -> waiting.terms.deadline().isOver(engine.now()))
                .forEach(Acquisition::lookAgain);
    }

    /** Who waits for the same lock. */
    private List<Acquisition> others() {
        List<Acquisition> waiting = engine.contenders().waiting(terms.lockName());
        waiting.remove(this);
        return waiting;
    }

    private void alarmRang(long number) {
        goOn(() -> alarm.rang(number));
    }

    private void takePlace() {
        if (placed) {
            return;
        }
        placed = true;
        // An owner that holds the lock in another client re-enters at the store, past those who cannot.
        queued = terms.waits() && !engine.storeCountsFor(terms.owner());
        if (!queued || engine.contenders().join(terms.lockName(), this)) {
            turn.begins();
        } else {
            noteContended();
        }
    }

    private void noteContended() {
        if (!contended) {
            contended = true;
            LockEvent event = event();
            if (terms.waits()) {
                engine.events().log().waiting(event);
            }
            engine.events().emit(listener -> listener.contended(event));
        }
    }

    private LockEvent event() {
        return new LockEvent(terms.lockName(), bid.owner(), Optional.empty());
    }

    private Optional<Hold> ownHold() {
        return engine.holds().find(terms.holdKey());
    }

    private void reenter() {
        try {
            Optional<Hold> own = ownHold();
            Optional<OwnHandle> handle = own.flatMap(Hold::reenter).map(Function.identity());
            if (handle.isPresent()) {
                own.ifPresent(this::tellReentry);
                finish(() -> result.complete(handle));
            }
        } catch (LockException unknown) {
            tellEnd(unknown);
            finish(() -> result.completeExceptionally(unknown));
        }
    }

    /** Only the end of a wait: a nested acquire that waited for nothing is no event. */
    private void tellReentry(Hold own) {
        if (contended) {
            engine.events().log().granted(own.event(), waited(), own.remaining());
        }
    }

    private void bid() {
        try {
            Optional<OwnHandle> handle = bid.attempt().map(Function.identity());
            granted = handle.orElse(null);
            if (handle.isPresent()) {
                wakeOwner();
                finish(() -> result.complete(handle));
            } else {
                refused();
            }
        } catch (LockException unknown) {
            fail(unknown);
        }
    }

    private void refused() {
        Bid before = listening;
        mutex.lock();
        try {
            latest = turn.refused(engine.now(), bid.retryAt());
            listening = bid;
            noteContended();
        } finally {
            mutex.unlock();
        }
        if (before != bid) {
            before.abandon();
        }
        wakeOverdue();
    }

    /** Other callers of the same owner, who wait for this hold, can share it now. */
    private void wakeOwner() {
        if (terms.owner().mayReenter()) {
            Collection<Acquisition> others = engine.storeCountsFor(terms.owner())
                    ? engine.acquisitions()
                    : engine.contenders().waiting(terms.lockName());
            others.stream()
                    .filter(other -> other.terms.holdKey().equals(terms.holdKey()))
                    .forEach(Acquisition::wake);
        }
    }

    /**
     * The contender bids for all that wait behind it, so a failure of the store is theirs: else each would wait for a time-out in
     * turn.
     */
    private void fail(LockException unknown) {
        LockException told = engine.isClosed() ? engine.closedException() : unknown;
        tellEnd(told);
        // A pool that gave up because this thread was interrupted says nothing of the store.
        boolean ofTheStore = unknown instanceof LockStoreException
                && !bid.wasGrantedTooLate()
                && !Thread.currentThread().isInterrupted();
        if (terms.waits() && ofTheStore && !engine.isClosed()) {
            for (Acquisition waiting : others()) {
                waiting.end(Ending.FAILED, new LockStoreException(String.valueOf(unknown.getMessage()), unknown));
            }
        }
        finish(() -> result.completeExceptionally(told));
    }

    private void tellEnd(@Nullable LockException why) {
        String reason = why == null ? endingInWords() : String.valueOf(why.getMessage());
        engine.events().log().endedWithoutLock(event(), waited(), reason);
    }

    private String endingInWords() {
        return ending == Ending.TIMED_OUT && !terms.waits()
                ? "somebody else has it, or comes first"
                : String.valueOf(ending);
    }

    private Duration waited() {
        return Duration.ofNanos(engine.now() - began);
    }

    private void end() {
        tellEnd(failure);
        finish(() -> {
            if (ending == Ending.CLIENT_CLOSED) {
                result.completeExceptionally(engine.closedException());
            } else if (failure != null) {
                result.completeExceptionally(failure);
            } else {
                result.complete(Optional.empty());
            }
        });
    }

    private void finish(Runnable completion) {
        Refusal left = leave();
        boolean handsOn = left instanceof Refusal.ByStore
                && engine.provider().capabilities().ordering() == Ordering.NONE;
        if (!handsOn) {
            withdraw();
            completion.run();
        }
        Optional<Acquisition> successor =
                terms.waits() ? engine.contenders().leave(terms.lockName(), this) : Optional.empty();
        boolean takenOver = successor.isPresent() && successor.get().succeed(left, handsOn ? listening : null);
        if (handsOn) {
            if (!takenOver) {
                withdraw();
            }
            completion.run();
        }
        engine.acquisitions().remove(this);
    }

    /** Stops waiting; returns what is known of the lock, for whoever waits on. */
    private @Nullable Refusal leave() {
        mutex.lock();
        try {
            leaving = true;
            alarm.cancel();
            Optional<Hold> own = ownHold();
            if (own.isPresent()) {
                Duration longest =
                        RetryPauses.longest(engine.provider().capabilities().wakeUp());
                return new Refusal.ByOwnHold(own.get(), engine.now() + longest.toNanos());
            }
            return ending == Ending.TIMED_OUT || ending == Ending.ABANDONED ? turn.standingRefusal() : null;
        } finally {
            mutex.unlock();
        }
    }

    private void withdraw() {
        if (listening != bid) {
            listening.abandon();
        }
        bid.withdraw();
    }

    /**
     * Becomes the contender.
     *
     * @param left what the contender before it knew of the lock
     * @param predecessors that one's bid, if it was left standing so that the store's signals go on
     * @return whether that bid was taken over
     */
    private boolean succeed(@Nullable Refusal left, @Nullable Bid predecessors) {
        boolean[] takesOver = new boolean[1];
        latest = left;
        goOn(() -> {
            if (left == null || !turn.beginsWith(left)) {
                turn.begins();
            } else if (predecessors != null && !leaving) {
                takesOver[0] = true;
                listening = predecessors;
                if (predecessors.listenFor(this::wake)) {
                    turn.signal();
                }
            }
        });
        wakeOverdue();
        return takesOver[0];
    }
}
