package io.holdfast.lock;

import java.time.Duration;

/**
 * Hears what happens to the locks of a client. Every method does nothing unless it is overridden.
 *
 * <p>The calls for one listener come one after another, in the order of the events, on the client's callback threads: never on
 * a thread that renews leases or talks to the store. Events raised after the close of the client are delivered on the thread
 * that raises them. What a listener throws is logged. A listener that blocks delays only itself, unless 64 callbacks of the
 * client block at the same time.
 * At most {@value #MAX_PENDING} events wait for a slow listener; past that the newest are dropped, and the number of
 * dropped events is logged.
 */
public interface LockListener {

    /** The most events that wait for one slow listener: {@value}. */
    int MAX_PENDING = 10_000;

    /**
     * A lock was granted: by the store, or by a holder of this client that {@linkplain LockOptions#withHandOver handed it over}.
     * That holder's {@link #released} comes before. Re-entry by the same owner in the same client is not reported.
     *
     * @param event the grant
     */
    default void acquired(LockEvent event) {}

    /**
     * An acquire has to wait, or ends without the lock, because somebody else has it or comes first: told at most once for
     * each acquire.
     *
     * @param event the contended claim
     */
    default void contended(LockEvent event) {}

    /**
     * A lease was prolonged.
     *
     * @param event the claim
     */
    default void renewed(LockEvent event) {}

    /**
     * A renewal failed with an unknown outcome, or has had no answer when a third of the lease is left. The lock is held until
     * its earlier deadline. A renewal that failed is repeated; one without an answer may still succeed.
     *
     * @param event the claim
     * @param failure what went wrong
     */
    default void renewalFailed(LockEvent event, LockException failure) {}

    /**
     * Less than a third of the lease is left and no renewal has succeeded: a good moment to stop. Called at most once after each
     * grant or renewal, and never {@linkplain LockOptions#withoutRenewal() without renewal}.
     *
     * @param event the claim
     * @param remaining how long the lock is held at least, if nothing gets better
     */
    default void atRisk(LockEvent event, Duration remaining) {}

    /**
     * A lock was lost before it was released.
     *
     * @param event the claim
     * @param cause why it was lost
     */
    default void lost(LockEvent event, LossCause cause) {}

    /**
     * A lock was released by its last handle.
     *
     * @param event the claim
     */
    default void released(LockEvent event) {}
}
