package io.holdfast.lock.core;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockCapabilities.WakeUp;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * When an {@link Acquisition} bids: what it knows of the lock, and the moment at which it wants to know more. It has neither a
 * clock nor a thread. Guarded by the acquisition's mutex.
 */
final class Turn {

    private final long began;
    private final Deadline deadline;
    private final LockCapabilities store;
    private boolean contender;
    private boolean asked;
    private long askedAt;
    private boolean answerWanted;
    private boolean signalled;
    private @Nullable Refusal refusal;
    private boolean inherited;

    /**
     * Creates the turn of an acquire that has not come yet.
     *
     * @param began the reading of the clock when the acquire was called: what the store was asked before proves nothing for it
     */
    Turn(long began, Deadline deadline, LockCapabilities store) {
        this.began = began;
        this.deadline = deadline;
        this.store = store;
    }

    enum Action {
        BID,
        GIVE_UP,
        REST
    }

    /** It is the acquire's turn to ask the store, and it knows nothing yet. */
    void begins() {
        contender = true;
    }

    boolean hasBegun() {
        return contender;
    }

    /**
     * It is the acquire's turn, and the contender before it has left what it knew. Where waiting clients get their turn in
     * order, that is good for those only whose time is up just as well: the others have to take their place in the store's line.
     *
     * @return whether the acquire relies on it; else it is going to ask for itself
     */
    boolean beginsWith(Refusal left) {
        begins();
        boolean relies =
                store.ordering() == Ordering.NONE || (left instanceof Refusal.ByStore answer && isLastWord(answer));
        if (relies) {
            refusal = left;
            inherited = true;
        }
        return relies;
    }

    /** The lock may be free. */
    void signal() {
        signalled = true;
    }

    /** A timed-out waiter needs an answer to a request sent after {@code reading}. */
    void wantAnswerSince(long reading) {
        answerWanted |= !asked || askedAt - reading < 0;
    }

    /** Whether there is no time left to wait for a better moment to ask the store. */
    boolean isUrgent(long now) {
        return answerWanted || deadline.isOver(now);
    }

    /** The acquire has bid, and was refused. */
    Refusal refused(long at, long retryAt) {
        inherited = false;
        Refusal answer = new Refusal.ByStore(askedAt, at, retryAt);
        refusal = answer;
        return answer;
    }

    /** What is known of the lock; null if nothing is, or if it may have become free since. */
    @Nullable
    Refusal standingRefusal() {
        return signalled || answerWanted ? null : refusal;
    }

    Action next(long now) {
        Action action = decide(now);
        if (action == Action.BID) {
            signalled = false;
            answerWanted = false;
            refusal = null;
            asked = true;
            askedAt = now;
        }
        return action;
    }

    private Action decide(long now) {
        boolean over = deadline.isOver(now);
        if (!contender) {
            return over ? Action.GIVE_UP : Action.REST;
        }
        if (!inherited && refusal instanceof Refusal.ByStore last && deadline.isOver(last.at())) {
            // Whatever was heard since: there is one last attempt.
            return Action.GIVE_UP;
        }
        Refusal known = standingRefusal();
        if (known == null) {
            return Action.BID;
        }
        if (over) {
            return isFinal(known, now) ? Action.GIVE_UP : Action.BID;
        }
        return now - known.askAt(now) >= 0 ? Action.BID : Action.REST;
    }

    /** When to look again, if nothing is heard before; empty if only a signal or the turn can change anything. */
    OptionalLong restsUntil(long now) {
        Refusal known = standingRefusal();
        if (contender && known != null) {
            return OptionalLong.of(deadline.orEarlier(known.askAt(now)));
        }
        return deadline.kind() == Deadline.Kind.NEVER ? OptionalLong.empty() : OptionalLong.of(deadline.at());
    }

    private boolean isFinal(Refusal known, long now) {
        if (known instanceof Refusal.ByStore answer) {
            // An own answer from before the deadline is good only where the store would have sent word of a release
            // since.
            return isLastWord(answer) && (inherited || store.wakeUp() == WakeUp.PUSH);
        }
        return known.isProofSince(began, now) && now - known.askAt(now) < 0;
    }

    private boolean isLastWord(Refusal.ByStore answer) {
        return answer.standsAt(deadline) && answer.isProofSince(began, answer.at());
    }
}
