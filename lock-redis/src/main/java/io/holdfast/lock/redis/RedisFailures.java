package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Describes Jedis' exceptions in one sentence: which operation failed, where, and why. */
final class RedisFailures {

    /** The words of one of our scripts, around which Redis puts the script and the line. */
    private static final Pattern OWN_WORDS =
            Pattern.compile("HOLDFAST (.*?)( script: \\p{XDigit}+, on @user_script.*)?$");

    private final String address;
    private final String pool;
    private final Transport transport;
    private volatile boolean understood;

    /**
     * Creates it.
     *
     * @param address the server
     * @param pool what to say when the pool is exhausted
     * @param transport how the server is connected to
     */
    RedisFailures(String address, String pool, Transport transport) {
        this.address = address;
        this.pool = pool;
        this.transport = transport;
    }

    /** How a server is connected to, and what to check until its first answer. */
    enum Transport {
        PLAIN("; if the server speaks TLS on this port, use rediss://"),
        TLS("; if the server speaks no TLS on this port, use redis://"),
        GIVEN("");

        private final String check;

        Transport(String check) {
            this.check = check;
        }
    }

    /** The server has answered, so the scheme is right. */
    void understood() {
        understood = true;
    }

    LockStoreException of(String what, JedisException failure) {
        return new LockStoreException("Redis at " + address + ": " + what + " failed: " + reason(failure), failure);
    }

    LockStoreException closed(String what) {
        return new LockStoreException("Redis at " + address + ": " + what + " failed: the provider is closed");
    }

    private String reason(JedisException failure) {
        if (failure instanceof JedisDataException) {
            // Begins with the server's error kind: NOAUTH, READONLY, OOM, LOADING, MISCONF, WRONGTYPE, NOPERM and so
            // on.
            return "the server answered " + words(failure);
        }
        if (interrupted(failure)) {
            return "no connection was free: " + pool + " (interrupted while waiting for one)";
        }
        Optional<NoSuchElementException> exhausted = causedBy(NoSuchElementException.class, failure);
        if (exhausted.isPresent()) {
            return "no connection was free: " + pool + " (" + exhausted.get().getMessage() + ")";
        }
        return connectionFailure(failure);
    }

    private String connectionFailure(JedisException failure) {
        Optional<SocketTimeoutException> late = causedBy(SocketTimeoutException.class, failure);
        if (late.isPresent()) {
            return "timed out (" + late.get().getMessage() + ")" + (transport == Transport.TLS ? hint() : "");
        }
        Optional<UnknownHostException> unknown = causedBy(UnknownHostException.class, failure);
        if (unknown.isPresent()) {
            return "the host is unknown (" + unknown.get().getMessage() + ")";
        }
        Optional<SSLException> tls = causedBy(SSLException.class, failure);
        if (tls.isPresent()) {
            // A handshake fails only if both sides speak TLS.
            return "TLS failed (" + tls.get().getMessage() + ")"
                    + (tls.get() instanceof SSLHandshakeException ? "" : hint());
        }
        Optional<GeneralSecurityException> keys = causedBy(GeneralSecurityException.class, failure);
        if (keys.isPresent()) {
            // A key store that was changed after the settings were read.
            return "TLS failed (" + keys.get().getMessage() + ")";
        }
        Optional<ConnectException> refused = causedBy(ConnectException.class, failure);
        if (refused.isPresent()) {
            return "cannot connect (" + refused.get().getMessage() + ")";
        }
        if (String.valueOf(failure.getMessage()).startsWith("Unknown reply")) {
            return "what answered does not speak the protocol of Redis (" + failure.getMessage() + ")" + hint();
        }
        if (failure instanceof JedisConnectionException) {
            return "the connection was lost (" + failure.getMessage() + ")" + hint();
        }
        return failure.toString();
    }

    private String hint() {
        return understood ? "" : transport.check;
    }

    private static String words(JedisException refusal) {
        String answer = String.valueOf(refusal.getMessage());
        String words = unauthenticated(refusal) ? "NOAUTH (" + answer + ")" : answer;
        if (words.startsWith("NOAUTH")) {
            return words + "; set the parameter 'password', or that of the given client";
        }
        Matcher own = OWN_WORDS.matcher(words);
        String shown = own.find() ? own.group(1) : words;
        return words.contains("NOPERM")
                ? shown + "; \"Permissions\" in docs/backends/redis.md has all that a lock needs"
                : shown;
    }

    /** Whether the server refused a request before it ran any script, so that nothing was done. */
    static boolean isRefusal(LockStoreException failure) {
        return failure.getCause() instanceof JedisDataException refusal
                && (refusal instanceof JedisAccessControlException || unauthenticated(refusal));
    }

    /** A server that wants a password refuses a command of more than ten words before it reads the command. */
    private static boolean unauthenticated(JedisException refusal) {
        return String.valueOf(refusal.getMessage()).contains("unauthenticated");
    }

    /** Whether a connection that could be borrowed broke while it was used. */
    static boolean brokeInUse(LockStoreException failure) {
        return failure.getCause() instanceof BrokenInUse;
    }

    /** A connection that could be borrowed broke while it was used. */
    static final class BrokenInUse extends JedisConnectionException {
        private static final long serialVersionUID = 1L;

        BrokenInUse(JedisException failure) {
            super(failure.getMessage(), failure);
        }
    }

    /** Whether the connection was closed. Unlike a time-out, this probably applies to all open connections. */
    static boolean connectionLost(JedisException failure) {
        return failure instanceof JedisConnectionException && !timedOut(failure);
    }

    /** Whether an interrupt ended the wait for a connection and was swallowed. */
    static boolean interrupted(JedisException failure) {
        return causedBy(InterruptedException.class, failure).isPresent();
    }

    static boolean timedOut(JedisException failure) {
        return causedBy(SocketTimeoutException.class, failure).isPresent();
    }

    private static <T extends Throwable> Optional<T> causedBy(Class<T> kind, Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (kind.isInstance(each)) {
                return Optional.of(kind.cast(each));
            }
            // Jedis tries all addresses of a host and adds their failures as suppressed.
            for (Throwable suppressed : each.getSuppressed()) {
                if (kind.isInstance(suppressed)) {
                    return Optional.of(kind.cast(suppressed));
                }
            }
        }
        return Optional.empty();
    }
}
