package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import java.time.Duration;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the bid of one attempt, and makes it again when the connection or the session ended under the bid of a claim that waits. The
 * client connects again by itself, and begins a new session if the old one has expired; neither means that the ensemble is down.
 *
 * <p>A claim that does not wait bids once: its caller wants one answer now, and learns that there is none.
 */
final class AttemptRepeater {

    private final Sessions sessions;
    private final ClaimRequest request;

    AttemptRepeater(Sessions sessions, ClaimRequest request) {
        this.sessions = sessions;
        this.request = request;
    }

    /**
     * NodeCreation, once there is a connection.
     *
     * @param bid bids in a session
     * @throws LockStoreException if there is no connection within the connection time-out, or if the bid fails
     */
    Attempt bid(Function<Session, Attempt> bid) {
        Elapsed attempt = new Elapsed();
        Elapsed trouble = null;
        while (true) {
            Session session = sessions.connected(OwnNodes.ACQUIRE, request.name());
            Duration before = attempt.time();
            try {
                return countedFromTheBid(bid.apply(session), before);
            } catch (LockStoreException failure) {
                trouble = trouble == null ? new Elapsed() : trouble;
                if (!mayRepeat(failure) || !trouble.isLessThan(session.connectTimeout())) {
                    throw failure;
                }
            }
        }
    }

    /** The engine counts a grant from the start of the attempt. The wait for a connection came before the granted bid was sent. */
    private static Attempt countedFromTheBid(Attempt answer, Duration before) {
        return answer instanceof Attempt.Granted granted
                ? new Attempt.Granted(granted.fencingToken(), granted.validFor().plus(before))
                : answer;
    }

    private boolean mayRepeat(LockStoreException failure) {
        return request.intent() == Intent.WAIT && isEndOfConnection(failure.getCause());
    }

    private static boolean isEndOfConnection(@Nullable Throwable cause) {
        return cause instanceof KeeperException failure
                && switch (failure.code()) {
                    case CONNECTIONLOSS, SESSIONEXPIRED, SESSIONMOVED -> true;
                    default -> false;
                };
    }
}
