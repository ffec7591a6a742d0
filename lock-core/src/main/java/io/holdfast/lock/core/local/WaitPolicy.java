package io.holdfast.lock.core.local;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockCapabilities.WakeUp;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * When a waiter asks the store, when it gives up, and until when it sleeps. A pure function of what is known: it has neither a
 * clock nor a thread.
 */
final class WaitPolicy {

    /**
     * A waiter whose time ends so soon after it became the first one does not enter the store's line. Many waiters that time out
     * shortly after each other would otherwise each enter it and leave it again.
     */
    private static final Duration SOON = Duration.ofMillis(100);

    private final boolean fifo;
    private final boolean wakesUpOwnClaimsOnly;

    /**
     * Creates the policy of a store.
     *
     * @param wakesUpNames whether wake-ups also reach a waiter that has not asked the store yet
     */
    WaitPolicy(LockCapabilities store, boolean wakesUpNames) {
        this.fifo = store.ordering() == Ordering.FIFO;
        this.wakesUpOwnClaimsOnly = store.wakeUp() == WakeUp.PUSH && !wakesUpNames;
    }

    /**
     * What a waiter that may ask the store knows.
     *
     * @param deadline when it gives up
     * @param calledAt when the acquire was called
     * @param answer the latest answer, its own or one that the waiter before it left; null if there is none
     * @param answerIsOwn whether it asked for the answer itself
     * @param wokenUp whether the lock may have become free since the answer
     * @param newerWanted whether somebody whose time is over needs a new answer
     * @param heldHere whether this client certainly holds the lock
     * @param passesOnUntil up to when this client's hold may be passed on to the waiter; empty if it cannot
     * @param releaseEndsBy when a release by this client that is under way must have ended
     */
    record Situation(
            Deadline deadline,
            long calledAt,
            @Nullable Answer answer,
            boolean answerIsOwn,
            boolean wokenUp,
            boolean newerWanted,
            boolean heldHere,
            OptionalLong passesOnUntil,
            OptionalLong releaseEndsBy) {}

    /** What to do. */
    enum Action {
        ATTEMPT,
        GIVE_UP,
        SLEEP
    }

    /**
     * What to do now.
     *
     * @param until for {@link Action#SLEEP}, the reading of the clock at which to look again
     */
    record Decision(Action action, long until) {
        private static final Decision ATTEMPT = new Decision(Action.ATTEMPT, 0);
        private static final Decision GIVE_UP = new Decision(Action.GIVE_UP, 0);
    }

    Decision next(Situation known, long now) {
        boolean over = known.deadline.isOver(now);
        Answer answer = known.answer;
        if (answer != null && known.answerIsOwn && known.deadline.isOver(answer.at())) {
            return Decision.GIVE_UP; // There is one last attempt, whatever was heard since.
        }
        if (known.releaseEndsBy.isPresent() && !over && !known.newerWanted) {
            // Asked before its own client's release has ended, the store would refuse.
            return sleepUntil(known, known.releaseEndsBy.getAsLong());
        }
        if (answer == null && !over && !known.wokenUp && !known.newerWanted && known.passesOnUntil.isPresent()) {
            // The store would say that this client has the lock.
            return sleepUntil(known, known.passesOnUntil.getAsLong());
        }
        if (answer == null || known.wokenUp || known.newerWanted || !isUsable(answer, known, now)) {
            return Decision.ATTEMPT;
        }
        boolean due = now - answer.askAgainAt() >= 0;
        if (over) {
            boolean takenAllTheTime = (known.heldHere && !due) || answer.isProofSince(known.calledAt);
            return takenAllTheTime && !known.answerIsOwn ? Decision.GIVE_UP : Decision.ATTEMPT;
        }
        return due ? Decision.ATTEMPT : sleepUntil(known, nextLook(answer, known));
    }

    /**
     * Whether a waiter can rely on an answer. A store that serves in order, or that wakes up nobody else, has to know each waiter
     * itself, unless that can give up soon on the answer it was left, or hopes for a hold of its client that may be passed on to
     * it.
     */
    private boolean isUsable(Answer answer, Situation known, long now) {
        boolean mustAsk = (fifo && known.passesOnUntil.isEmpty()) || (wakesUpOwnClaimsOnly && !answer.grantedHere());
        return known.answerIsOwn
                || !mustAsk
                || (known.deadline.isOver(now + SOON.toNanos()) && answer.isProofSince(known.calledAt));
    }

    /** A waiter that does not stand in the store's line, as it hopes for a hand-over, has to enter it when that is over. */
    private long nextLook(Answer answer, Situation known) {
        boolean hopes = fifo && !known.answerIsOwn && known.passesOnUntil.isPresent();
        return hopes && known.passesOnUntil.getAsLong() - answer.askAgainAt() < 0
                ? known.passesOnUntil.getAsLong()
                : answer.askAgainAt();
    }

    private static Decision sleepUntil(Situation known, long reading) {
        return new Decision(Action.SLEEP, known.deadline.orEarlier(reading));
    }
}
