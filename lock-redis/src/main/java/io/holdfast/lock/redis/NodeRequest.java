package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to one node of a quorum, which may arrive there twice. What is noted of it is guarded by the monitor of its
 * {@link NodeQueue}.
 */
final class NodeRequest {

    /** What a request is for. */
    enum Kind {
        /** Asks for a grant, which only a node may give that has forgotten no lock. */
        GRANTING,
        /** Asks something that enough other nodes can answer as well. */
        ASKING,
        /** Takes back what an earlier request may have done. */
        TAKING_BACK
    }

    /** Gets the answer, on the thread that reads the replies. Returns at once. */
    interface Receiver {

        /**
         * The node answered.
         *
         * @param repeated whether an earlier one of two requests may have had another answer
         */
        void answered(@Nullable Object reply, boolean repeated);

        /**
         * The node gave no answer, or an error.
         *
         * @param mayHaveArrived false if the request was certainly not carried out
         */
        void failed(LockStoreException failure, boolean mayHaveArrived);
    }

    private static final Receiver NOBODY = new Receiver() {
        @Override
        public void answered(@Nullable Object reply, boolean repeated) {
            // Nobody waits for it.
        }

        @Override
        public void failed(LockStoreException failure, boolean mayHaveArrived) {
            // The lease ends what is left.
        }
    };

    private final Kind kind;
    private final ScriptCall call;
    private final Optional<ScriptCall> undo;
    private final Receiver receiver;
    private final PassedTime sinceMade = new PassedTime();
    private @Nullable PassedTime sinceSent;
    private int bytes;
    private boolean repeated;

    private NodeRequest(Kind kind, ScriptCall call, Optional<ScriptCall> undo, Receiver receiver) {
        this.kind = kind;
        this.call = call;
        this.undo = undo;
        this.receiver = receiver;
    }

    /** Asks for a grant; {@code undo} takes it back if no answer comes. */
    static NodeRequest granting(ScriptCall call, Optional<ScriptCall> undo, Receiver receiver) {
        return new NodeRequest(Kind.GRANTING, call, undo, receiver);
    }

    static NodeRequest asking(ScriptCall call, Receiver receiver) {
        return new NodeRequest(Kind.ASKING, call, Optional.empty(), receiver);
    }

    static NodeRequest takingBack(ScriptCall call, Receiver receiver) {
        return new NodeRequest(Kind.TAKING_BACK, call, Optional.empty(), receiver);
    }

    ScriptCall call() {
        return call;
    }

    boolean isGranting() {
        return kind == Kind.GRANTING;
    }

    boolean isTakingBack() {
        return kind == Kind.TAKING_BACK;
    }

    Receiver receiver() {
        return receiver;
    }

    /** The request that takes back what this one may have done, or was to take back; nobody waits for its answer. */
    Optional<NodeRequest> takingBack() {
        return (isTakingBack() ? Optional.of(call) : undo).map(taking -> takingBack(taking, NOBODY));
    }

    /** As {@link #takingBack(ScriptCall, Receiver)}; nobody waits for the answer. */
    static NodeRequest takingBack(ScriptCall call) {
        return takingBack(call, NOBODY);
    }

    /** Whether nobody waits for the answer. */
    boolean isNobodys() {
        return receiver == NOBODY;
    }

    void fail(LockStoreException failure) {
        receiver.failed(failure, sinceSent != null);
    }

    void sent(int size) {
        sinceSent = new PassedTime();
        bytes = size;
    }

    void again() {
        repeated = true;
    }

    boolean isRepeated() {
        return repeated;
    }

    /** Whether it was made longer ago than this. */
    boolean isWaitingFor(Duration time) {
        return !sinceMade.isLessThan(time);
    }

    /** Whether it was sent, longer ago than this. */
    boolean isOlderThan(Duration time) {
        return sinceSent != null && !sinceSent.isLessThan(time);
    }

    /** How long ago it was sent. */
    Duration sinceSent() {
        return sinceSent == null ? Duration.ZERO : sinceSent.time();
    }

    int bytes() {
        return bytes;
    }
}
