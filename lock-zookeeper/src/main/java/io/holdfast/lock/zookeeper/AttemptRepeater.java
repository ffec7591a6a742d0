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
 * Makes an attempt, and repeats it if the connection or the session of a waiting claim ended during it. The client connects again
 * by itself, and begins a new session if the old one has expired; neither means that the ensemble is down.
 *
 * <p>A claim that does not wait attempts once: its caller wants one answer now, or the failure.
 */
final class AttemptRepeater {

    private final Sessions sessions;
    private final ClaimRequest request;

    AttemptRepeater(Sessions sessions, ClaimRequest request) {
        this.sessions = sessions;
        this.request = request;
    }

    /**
     * Attempts, once there is a connection.
     *
     * @param once attempts in a session
     * @throws LockStoreException if there is no connection within the connection time-out, or if the attempt fails
     */
    Attempt attempt(Function<Session, Attempt> once) {
        Elapsed total = new Elapsed();
        Elapsed sinceFailure = null;
        while (true) {
            Session session = sessions.connected(OwnNodes.ACQUIRE, request.name());
            Duration before = total.time();
            try {
                return countedFromTheRequest(once.apply(session), before);
            } catch (LockStoreException failure) {
                sinceFailure = sinceFailure == null ? new Elapsed() : sinceFailure;
                if (!mayRepeat(failure) || !sinceFailure.isLessThan(session.connectTimeout())) {
                    throw failure;
                }
            }
        }
    }

    /** The engine counts a grant from the start of the attempt; the wait for a connection came before the granted request. */
    private static Attempt countedFromTheRequest(Attempt answer, Duration before) {
        return answer instanceof Attempt.Granted granted ? granted.startedEarlier(before) : answer;
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
