package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockStoreException;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The result of a request.
 *
 * @param code OK, the server's reason for a refusal, or the client's for a missing answer
 * @param content the answer, if the code is OK and the request has one
 * @param <T> the type of the content
 */
record RequestResult<T>(Code code, @Nullable T content) {

    boolean isOk() {
        return code == Code.OK;
    }

    /** Whether the node does not exist. */
    boolean isMissing() {
        return code == Code.NONODE;
    }

    /** Whether the session is over for this client. */
    boolean isSessionOver() {
        return code == Code.SESSIONEXPIRED;
    }

    /**
     * Whether the request may have been carried out, or may be later. Also if the session is over: the client may have given it
     * up while the server keeps it, with what this request created.
     */
    boolean isUnknown() {
        return code == Code.CONNECTIONLOSS
                || code == Code.OPERATIONTIMEOUT
                || code == Code.REQUESTTIMEOUT
                || isSessionOver();
    }

    T get() {
        if (content == null) {
            throw new IllegalStateException("There is no content, but " + code);
        }
        return content;
    }

    /** The same result with something else for its content. */
    <S> RequestResult<S> map(Function<T, S> other) {
        return new RequestResult<>(code, content == null ? null : other.apply(content));
    }

    /** The content, or the failure to get it. */
    T orThrow(String operation, String lockName) {
        if (!isOk()) {
            throw failure(operation, lockName);
        }
        return get();
    }

    /** Whether the node exists, or existed when it was deleted. Throws if that is unknown. */
    boolean wasThere(String operation, String lockName) {
        if (!isOk() && !isMissing()) {
            throw failure(operation, lockName);
        }
        return isOk();
    }

    LockStoreException failure(String operation, String lockName) {
        return failure(operation + " of lock '" + lockName + "'");
    }

    LockStoreException failure(String call) {
        KeeperException cause = KeeperException.create(code);
        return new LockStoreException("ZooKeeper: " + call + " failed: " + reason(cause), cause);
    }

    private String reason(KeeperException cause) {
        return switch (code) {
            case CONNECTIONLOSS -> "the connection was lost";
            case OPERATIONTIMEOUT, REQUESTTIMEOUT -> "timed out";
            case SESSIONEXPIRED -> "the session has expired";
            case NOAUTH -> "not permitted";
            case INVALIDACL -> "the server does not accept the access control list";
            case NOTREADONLY -> "the server is cut off from the others and only answers reads";
            case AUTHFAILED -> "the authentication failed";
            default -> String.valueOf(cause.getMessage());
        };
    }
}
