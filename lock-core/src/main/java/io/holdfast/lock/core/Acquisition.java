package io.holdfast.lock.core;

import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One acquire, from the call to its grant, its failure or its end without a lock.
 *
 * <p>It is a row of steps that never overlap: re-enter an own hold, bid at the store, withdraw. Between two steps it rests until
 * its timer, its turn among the {@link Contenders} or a signal sets it going again. Blocking and asynchronous acquires differ
 * only in the executor that runs the steps: the waiting thread itself, or the client's threads.
 */
final class Acquisition {

    private final Engine engine;
    private final Terms terms;
    private final Executor stepper;
    private final Bid bid;
    private final CompletableFuture<Optional<OwnHandle>> result = new CompletableFuture<>();
    private final ReentrantLock mutex = new ReentrantLock();
    private final Alarm alarm;

    // Guarded by the mutex.
    private boolean stepping;
    private boolean placed;
    private boolean contender;
    private boolean bidDue;
    private boolean woken;
    private boolean hasBid;
    private long nextBidAt;
    private @Nullable Refusal refusal;
    private @Nullable Ending ending;
    private @Nullable LockException failure;

    private enum Step {
        REST,
        REENTER,
        BID,
        END
    }

    private enum Ending {
        TIMED_OUT,
        ABANDONED,
        CLIENT_CLOSED,
        FAILED
    }

    Acquisition(Engine engine, Terms terms, Executor stepper) {
        this.engine = engine;
        this.terms = terms;
        this.stepper = stepper;
        this.bid = new Bid(engine, terms, this::wake);
        this.alarm = new Alarm(engine.runtime(), this::alarmRang);
    }

    /** Completes when the acquire is finished: with a handle, with empty if it ended without one, or with the failure. */
    CompletableFuture<Optional<OwnHandle>> result() {
        return result;
    }

    boolean isFinished() {
        return result.isDone();
    }

    /** Takes its place among those that wait before it returns, so that successive calls of one thread wait in their order. */
    void begin() {
        engine.acquisitions().add(this);
        proceed(() -> {
            bidDue = true;
            if (!terms.owner().mayReenter() || ownHold().isEmpty()) {
                takePlace();
            }
        });
    }

    /** Bids at once, if it is this acquire's turn. */
    void wake() {
        proceed(() -> {
            bidDue = true;
            woken = true;
        });
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
        proceed(() -> {
            if (ending == null) {
                ending = how;
                failure = why;
            }
        });
    }

    /** Notes what has happened and sets the steps going, if they rest. */
    private void proceed(Runnable note) {
        mutex.lock();
        try {
            note.run();
            if (stepping || isFinished()) {
                return;
            }
            stepping = true;
        } finally {
            mutex.unlock();
        }
        try {
            stepper.execute(this::steps);
        } catch (RejectedExecutionException noThreads) {
            finish(() -> result.completeExceptionally(engine.closedException()));
        }
    }

    private void steps() {
        try {
            for (Step step = next(); step != Step.REST; step = next()) {
                switch (step) {
                    case REENTER -> reenter();
                    case BID -> bid();
                    default -> end();
                }
            }
        } catch (RuntimeException | Error broken) {
            // Out of memory, say: without an end this acquire would block all that wait behind it for ever.
            fail(new LockStoreException("The acquire of the lock '" + terms.lockName() + "' broke off", broken));
            throw broken;
        }
    }

    private Step next() {
        mutex.lock();
        try {
            if (isFinished()) {
                return rest();
            }
            if (ending == null && engine.isClosed()) {
                ending = Ending.CLIENT_CLOSED;
            }
            if (ending != null) {
                return Step.END;
            }
            if (terms.owner().mayReenter() && ownHold().isPresent()) {
                return Step.REENTER;
            }
            return inTurn();
        } finally {
            mutex.unlock();
        }
    }

    private void takePlace() {
        if (!placed) {
            placed = true;
            contender =
                    !terms.waits() || mayOwnItElsewhere() || engine.contenders().join(terms.lockName(), this);
        }
    }

    /** An owner that holds the lock in another client re-enters at the store: it must not wait behind those who cannot. */
    private boolean mayOwnItElsewhere() {
        return terms.owner().sharing() == OwnerId.Sharing.ACROSS_CLIENTS
                && engine.provider().capabilities().reentrancy() == Reentrancy.STORE;
    }

    private Step inTurn() {
        takePlace();
        long now = engine.now();
        boolean over = terms.deadline().isOver(now);
        if (contender && (bidDue || (now - nextBidAt >= 0 && !(over && isRefusedToTheEnd())))) {
            bidDue = false;
            woken = false;
            hasBid = true;
            return Step.BID;
        }
        if (over && terms.waits()) {
            ending = Ending.TIMED_OUT;
            return Step.END;
        }
        if (contender) {
            return restUntil(nextBidAt);
        }
        return terms.deadline().kind() == Deadline.Kind.NEVER
                ? rest()
                : restUntil(terms.deadline().at());
    }

    /**
     * Whether a refusal is known that is fresh at the deadline. One of its own is good for that only where the store would have
     * sent a message of a release since.
     */
    private boolean isRefusedToTheEnd() {
        return refusal != null
                && refusal.isFreshAt(terms.deadline())
                && (!hasBid || engine.provider().capabilities().wakeUp() == WakeUp.PUSH);
    }

    private Step restUntil(long reading) {
        alarm.setFor(reading);
        return rest();
    }

    private Step rest() {
        stepping = false;
        return Step.REST;
    }

    private void alarmRang(long number) {
        proceed(() -> alarm.rang(number));
    }

    private void becomeContender(@Nullable Refusal inherited) {
        proceed(() -> {
            contender = true;
            refusal = inherited;
            bidDue = woken || !isRefusedToTheEnd();
            nextBidAt = terms.deadline().at();
        });
    }

    private Optional<Hold> ownHold() {
        return engine.holds().find(terms.holdKey());
    }

    private void reenter() {
        try {
            Optional<OwnHandle> handle = ownHold().flatMap(Hold::reenter).map(Function.identity());
            if (handle.isPresent()) {
                // Another call of the owner was granted while this one waited: its own bid must not stay in line.
                bid.withdraw();
                finish(() -> result.complete(handle));
            }
        } catch (LockException unknown) {
            bid.withdraw();
            finish(() -> result.completeExceptionally(unknown));
        }
    }

    private void bid() {
        try {
            Optional<OwnHandle> handle = bid.attempt().map(Function.identity());
            if (handle.isPresent()) {
                finish(() -> result.complete(handle));
                wakeOwner();
            } else {
                refused();
            }
        } catch (LockException unknown) {
            fail(unknown);
        }
    }

    private void refused() {
        mutex.lock();
        try {
            long now = engine.now();
            refusal = new Refusal(now);
            nextBidAt = bid.retryAt();
            if (ending == null && terms.deadline().isOver(now)) {
                ending = Ending.TIMED_OUT;
            }
        } finally {
            mutex.unlock();
        }
    }

    /** Other callers of the same owner, who wait for this hold, can share it now. */
    private void wakeOwner() {
        if (terms.owner().mayReenter()) {
            Collection<Acquisition> others = mayOwnItElsewhere()
                    ? engine.acquisitions()
                    : engine.contenders().waiting(terms.lockName());
            others.stream()
                    .filter(other -> other.terms.holdKey().equals(terms.holdKey()))
                    .forEach(Acquisition::wake);
        }
    }

    /** The contender bids for all that wait behind it, so its failure is theirs: else each would wait for a time-out in turn. */
    private void fail(LockException unknown) {
        LockException told = engine.isClosed() ? engine.closedException() : unknown;
        // A pool that gave up because this thread was interrupted says nothing of the store.
        if (terms.waits() && !engine.isClosed() && !Thread.currentThread().isInterrupted()) {
            for (Acquisition waiting : engine.contenders().waiting(terms.lockName())) {
                if (waiting != this) {
                    waiting.end(Ending.FAILED, new LockStoreException(String.valueOf(unknown.getMessage()), unknown));
                }
            }
        }
        finish(() -> result.completeExceptionally(told));
    }

    private void end() {
        bid.withdraw();
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
        Refusal last;
        mutex.lock();
        try {
            alarm.cancel();
            last = ending == Ending.TIMED_OUT ? refusal : null;
        } finally {
            mutex.unlock();
        }
        if (terms.waits()) {
            engine.contenders().leave(terms.lockName(), this).ifPresent(successor -> successor.becomeContender(last));
        }
        completion.run();
        engine.acquisitions().remove(this);
    }
}
