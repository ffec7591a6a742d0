package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** The failures of a time without a master: which they are, and which may pass when there is one. */
final class MasterFailures {

    /** Before 7.0 Redis puts other words around what a command inside a script is refused with. */
    private static final Pattern NOT_MASTER = Pattern.compile("(^|: -)(READONLY|MASTERDOWN)\\b");

    private static final Pattern PASSING =
            Pattern.compile("(^|: -)(READONLY|MASTERDOWN|LOADING|NOREPLICAS|CLUSTERDOWN|TRYAGAIN)\\b");

    private MasterFailures() {}

    /** Whether the server refused as it is no master, but a replica, or one whose master is gone. */
    static boolean isNotMaster(JedisException failure) {
        return failure instanceof JedisDataException && refusedAs(NOT_MASTER, failure);
    }

    private static boolean refusedAs(Pattern kinds, JedisException refusal) {
        return kinds.matcher(String.valueOf(refusal.getMessage())).find();
    }

    /** Throws the first reply by which the server refuses as it is no master. */
    static void requireOfMaster(List<?> replies) {
        for (Object reply : replies) {
            if (reply instanceof JedisDataException refused && isNotMaster(refused)) {
                throw refused;
            }
        }
    }

    /** Throws what a replica answers unless the server says of itself that it is a master. */
    static void requireMaster(@Nullable Object hello) {
        if (hello instanceof JedisDataException refused) {
            throw refused;
        }
        Object role = BuilderFactory.ENCODED_OBJECT_MAP.build(hello).get("role");
        if (!"master".equals(role)) {
            throw new JedisDataException("READONLY: it is no master but a " + role);
        }
    }

    /**
     * Whether a request may succeed once another server is master, the same one is ready, or a slot has moved. A node that hangs
     * also keeps the connections of its pool.
     */
    static boolean mayPass(LockStoreException failure) {
        Throwable cause = failure.getCause();
        if (cause instanceof JedisDataException refusal) {
            return refusal instanceof JedisRedirectionException || refusedAs(PASSING, refusal);
        }
        if (cause instanceof NoMasterNamed unnamed) {
            return unnamed.mayPass();
        }
        return cause instanceof JedisConnectionException
                || (cause instanceof JedisException && cause.getCause() instanceof NoSuchElementException);
    }

    /** No sentinel names a master, so there is nothing to connect to. The message says why. */
    static final class NoMasterNamed extends JedisException {
        private static final long serialVersionUID = 1L;

        NoMasterNamed(String message, List<JedisException> failures) {
            super(message);
            failures.forEach(this::addSuppressed);
        }

        /** Whether a sentinel could not be asked; what they all answered stays as it is. */
        private boolean mayPass() {
            return Arrays.stream(getSuppressed()).anyMatch(JedisConnectionException.class::isInstance);
        }
    }
}
