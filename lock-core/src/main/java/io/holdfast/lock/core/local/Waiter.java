package io.holdfast.lock.core.local;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.core.hold.Hold;
import io.holdfast.lock.core.hold.HoldHandle;
import io.holdfast.lock.core.hold.Services;
import io.holdfast.lock.core.runtime.Alarm;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One acquire, from the call to its end, as its {@link LocalLock} sees it. All that may change is guarded by the mutex of that
 * lock or, while a step is under way, belongs to the step.
 */
public final class Waiter {

    private final Services services;
    private final LockRequest request;
    private final Executor steps;
    private final CompletableFuture<Optional<HoldHandle>> result = new CompletableFuture<>();
    private final ClaimRequest claimRequest;
    private final Signals signals;
    private final RetryPauses pauses = new RetryPauses();
    private final long calledAt;
    private final Events events;
    final Alarm alarm;

    /** Whether a step of it is under way, or about to be: nothing else is begun until that has ended. */
    boolean stepping;

    boolean finished;

    /** How it ends once its step is over; null while it goes on. */
    @Nullable
    End endsWith;

    /** Its claim at the store; null before the first attempt, and once the claim belongs to a hold or to the reaper. */
    @Nullable
    SerialClaim claim;

    final LastAnswer lastAnswer = new LastAnswer();

    /** Whether listeners were told that somebody else has the lock. */
    boolean contended;

    /** Whether others of this client had the lock or waited for it when this one came. */
    boolean foundOthers;

    Waiter(Services services, Events events, LockRequest request, Executor steps) {
        this.services = services;
        this.events = events;
        this.request = request;
        this.steps = steps;
        this.calledAt = services.now();
        this.alarm = new Alarm(services.runtime(), events.mutex(), () -> events.timerRang(this));
        this.signals = new Signals(() -> events.wakeUp(this));
        String claimId = services.identity().nextClaimId(request.owner());
        this.claimRequest = new ClaimRequest(
                request.lockName(),
                claimId,
                services.identity().toldToStore(request.owner(), claimId),
                request.options().leaseTime(),
                request.deadline().intent(),
                services.identity().claimant());
    }

    /** What happens to a waiter, told to its {@link LocalLock}. */
    interface Events {

        /** Guards the waiter's state. */
        ReentrantLock mutex();

        /** Its timer rang. */
        void timerRang(Waiter waiter);

        /** The store signalled to its claim that the lock may be free. */
        void wakeUp(Waiter waiter);

        /** Its caller does not wait any more. */
        void abandon(Waiter waiter);
    }

    /**
     * The end of an acquire.
     *
     * @param handle the handle; null if there is none
     * @param failure the failure; null if there is none
     * @param reason why it ended without a lock and without a failure, for the log
     */
    record End(@Nullable HoldHandle handle, @Nullable LockException failure, String reason) {
        static final End TIMED_OUT = new End(null, null, "TIMED_OUT");
        static final End REFUSED = new End(null, null, "somebody else has it, or comes first");
        static final End ABANDONED = new End(null, null, "ABANDONED");

        static End with(HoldHandle handle) {
            return new End(handle, null, "");
        }

        static End with(LockException failure) {
            return new End(null, failure, String.valueOf(failure.getMessage()));
        }
    }

    LockRequest request() {
        return request;
    }

    /**
     * Whether this waiter can be given the claim of a hold: the store knows a claim by its lease time, and a logical owner by its
     * name. A lease that is not renewed has to last for the whole lease time, and of this one a part is used up.
     */
    boolean suits(Hold hold) {
        LockOptions options = request.options();
        return options.isRenewed()
                && options.leaseTime().equals(hold.leaseTime())
                && !request.owner().isKnownToStores()
                && !hold.owner().isKnownToStores();
    }

    /** Whether this waiter can be given the claim of a hold now. What a step of it is about to find out is not forestalled. */
    boolean canTakeOver(Hold hold, long now) {
        return !stepping && !finished && endsWith == null && !request.deadline().isOver(now) && suits(hold);
    }

    OwnerId owner() {
        return request.owner();
    }

    /** The name of the thread that called. */
    String thread() {
        return claimRequest.claimant().thread();
    }

    long calledAt() {
        return calledAt;
    }

    Signals signals() {
        return signals;
    }

    RetryPauses pauses() {
        return pauses;
    }

    /** Completes when the acquire has ended: with a handle, with empty if it ended without one, or with the failure. */
    public CompletableFuture<Optional<HoldHandle>> result() {
        return result;
    }

    /** Ends the wait. A handle that was granted before is in the result. */
    public void abandon() {
        events.abandon(this);
    }

    /** Runs a step: on the waiting thread itself, or on a thread of the client's if nobody waits. */
    void run(Runnable step) {
        steps.execute(step);
    }

    /** The claim for the next attempt; the first one is made here. */
    SerialClaim claimForAttempt() {
        signals.attemptBegins();
        SerialClaim current = claim;
        if (current == null) {
            Claim made = services.storeCalls()
                    .run("claim", request.lockName(), () -> services.provider().newClaim(claimRequest, signals));
            current = new SerialClaim(services.storeCalls(), claimRequest, made);
            claim = current;
        }
        return current;
    }

    void setAlarmForDeadline() {
        if (request.deadline().kind() == Deadline.Kind.AT_TIME) {
            alarm.set(request.deadline().at());
        }
    }

    /** Tells listeners and the log that somebody else has the lock. */
    void tellContended() {
        if (request.waits()) {
            services.events().log().waiting(this::event);
        }
        services.events().emit(listener -> listener.contended(event()));
    }

    Duration waited() {
        return Duration.ofNanos(services.now() - calledAt);
    }

    private LockEvent event() {
        return new LockEvent(request.lockName(), claimRequest.ownerId(), Optional.empty());
    }

    void complete(End end) {
        if (end.handle() == null) {
            services.events().log().endedWithoutLock(this::event, this::waited, end.reason());
        }
        if (end.failure() == null) {
            result.complete(Optional.ofNullable(end.handle()));
        } else {
            result.completeExceptionally(end.failure());
        }
    }
}
