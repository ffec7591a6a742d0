package io.holdfast.lock.core.hold;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.core.runtime.Nanos;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** The handle of one acquire: a share of a {@link Hold}. */
public final class HoldHandle implements LockHandle, OwnHandle {

    private final Hold hold;
    private final HoldShare share;

    private HoldHandle(Hold hold, String thread, long since) {
        this.hold = hold;
        this.share = new HoldShare(this, thread, since);
    }

    /** The handle of the acquire that was granted, by a thread of that name. Called with the mutex of the hold. */
    public static HoldHandle first(Hold hold, String thread) {
        HoldHandle handle = new HoldHandle(hold, thread, hold.since());
        hold.addFirst(handle.share);
        return handle;
    }

    /**
     * Another handle, of an acquire by a thread of that name, without asking the store; empty if the lock is not held any more.
     */
    public static Optional<HoldHandle> another(Hold hold, String thread) {
        HoldHandle handle = new HoldHandle(hold, thread, hold.now());
        return hold.add(handle.share) ? Optional.of(handle) : Optional.empty();
    }

    /** Another handle for the same owner. The store may be asked to prolong the lease first. */
    public static Optional<HoldHandle> reentering(Hold hold, String thread) {
        hold.prolongForReentry();
        return another(hold, thread);
    }

    @Override
    public void discard() {
        try {
            Hold.Outcome unused = releaseShare();
        } catch (LockException unknown) {
            // Nobody is there to be told; the store is being asked again.
            return;
        }
    }

    private Hold.Outcome releaseShare() {
        try {
            return hold.release(share);
        } finally {
            // A handle is not dropped while it is being released.
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public String name() {
        return hold.lockName();
    }

    @Override
    public FencingToken fencingToken() {
        return hold.fencingToken()
                .orElseThrow(() -> new UnsupportedCapabilityException(
                        "The lock '" + name() + "' has no fencing token: its store declares fencing NONE"));
    }

    @Override
    public boolean isHeld() {
        return !share.isReleased() && hold.isHeld();
    }

    @Override
    public Duration remaining() {
        return isHeld() ? hold.remaining() : Duration.ZERO;
    }

    @Override
    public void requireRemaining(Duration atLeast) {
        Objects.requireNonNull(atLeast, "atLeast");
        if (share.isReleased()) {
            throw new LockException("This hold of the lock '" + name() + "' was released");
        }
        if (!hold.isHeld()) {
            hold.expire();
            throw lostException();
        }
        Duration left = hold.remaining();
        if (left.compareTo(atLeast) < 0) {
            throw new LockException("The lock '" + name() + "' is certainly held for " + left.toMillis()
                    + " ms only, not for " + Duration.ofNanos(Nanos.of(atLeast)).toMillis() + " ms");
        }
    }

    @Override
    public CompletionStage<LossCause> lost() {
        return hold.lost(share);
    }

    @Override
    public boolean renew() {
        return !share.isReleased() && hold.renew();
    }

    @Override
    public boolean release() {
        return releaseShare() == Hold.Outcome.RELEASED;
    }

    @Override
    public void close() {
        if (!share.isReleased() && releaseShare() == Hold.Outcome.LOST) {
            throw lostException();
        }
    }

    private LockLostException lostException() {
        LossCause cause = hold.lossCause();
        return new LockLostException(
                "The lock '" + name() + "' was lost (" + cause + ") before it was released", cause);
    }

    @Override
    public String toString() {
        return "LockHandle[" + name() + ", " + (isHeld() ? "held" : "not held") + "]";
    }
}
