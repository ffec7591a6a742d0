package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.MasterFailures.NoMasterNamed;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Describes Jedis' exceptions in one sentence: which operation failed, where, and why. */
final class RedisFailures {

    /** The words of one of our scripts, around which Redis puts the script and the line. */
    private static final Pattern OWN_WORDS =
            Pattern.compile("HOLDFAST (.*?)( script: \\p{XDigit}+, on @user_script.*)?$");

    /** What a script says that does not catch the refusal, of a command or of a key, in Redis 7. */
    private static final String DENIED_IN_SCRIPT = "The user executing the script can't";

    private final String address;
    private final String pool;
    private final Transport transport;
    private final ClientUse use;
    private volatile boolean understood;

    /**
     * Creates it.
     *
     * @param address the server
     * @param pool what to say when the pool is exhausted
     * @param transport how the server is connected to
     * @param use what for
     */
    RedisFailures(String address, String pool, Transport transport, ClientUse use) {
        this.address = address;
        this.pool = pool;
        this.transport = transport;
        this.use = use;
    }

    /** For locks. */
    RedisFailures(String address, String pool, Transport transport) {
        this(address, pool, transport, ClientUse.LOCKS);
    }

    /** For the servers of a URI. */
    static RedisFailures of(RedisAddress address, int poolSize, Duration poolWait) {
        return new RedisFailures(
                address.toString(),
                "poolSize is " + poolSize + " and poolWait " + poolWait.toMillis() + " ms; raise one of them",
                Transport.of(address));
    }

    /** For the servers of a given client. */
    static RedisFailures ofGiven(String servers, int poolSize, ClientUse use) {
        return new RedisFailures(servers, "the given client's pool has " + poolSize, Transport.GIVEN, use);
    }

    /**
     * How a server is connected to.
     *
     * @param tls whether by TLS
     * @param check what to check until its first answer
     */
    record Transport(boolean tls, String check) {

        static final Transport GIVEN = new Transport(false, "");

        static Transport of(RedisAddress address) {
            return address.tls()
                    ? new Transport(
                            true,
                            "; if the server speaks no TLS on this port, use "
                                    + address.topology().scheme() + "://")
                    : new Transport(
                            false,
                            "; if the server speaks TLS on this port, use "
                                    + address.topology().tlsScheme() + "://");
        }
    }

    /** The server has answered, so the scheme is right. */
    void understood() {
        understood = true;
    }

    LockStoreException of(String what, Throwable failure) {
        return new LockStoreException("Redis at " + address + ": " + what + " failed: " + reason(failure), failure);
    }

    /** As one of several that are told together, which say once what failed. */
    LockStoreException ofNode(Throwable failure) {
        return new LockStoreException(address + ": " + reason(failure), failure);
    }

    LockStoreException closed(String what) {
        return new LockStoreException("Redis at " + address + ": " + what + " failed: the provider is closed");
    }

    String reason(Throwable failure) {
        if (failure instanceof OwnReason || failure instanceof NoMasterNamed) {
            return String.valueOf(failure.getMessage());
        }
        if (failure instanceof JedisDataException) {
            // Begins with the kind of the error: NOAUTH, READONLY, OOM, LOADING and others.
            return "the server answered " + words(failure);
        }
        return causes(failure)
                .map(this::knownReason)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseGet(failure::toString);
    }

    private Optional<String> knownReason(Throwable cause) {
        String words = " (" + cause.getMessage() + ")";
        if (cause instanceof JedisDataException refusal) {
            return Optional.of("the server answered " + words(refusal));
        }
        if (cause instanceof InterruptedException) {
            return Optional.of("no connection was free: " + pool + " (interrupted while waiting for one)");
        }
        if (cause instanceof NoSuchElementException) {
            return Optional.of("no connection was free: " + pool + words);
        }
        if (cause instanceof SocketTimeoutException) {
            return Optional.of("timed out" + words + (transport.tls() ? hint() : ""));
        }
        if (cause instanceof UnknownHostException) {
            return Optional.of("the host is unknown" + words);
        }
        if (cause instanceof SSLHandshakeException || cause instanceof GeneralSecurityException) {
            // A handshake fails only if both sides speak TLS; and a key store may change after it was checked.
            return Optional.of("TLS failed" + words);
        }
        if (cause instanceof SSLException) {
            return Optional.of("TLS failed" + words + hint());
        }
        if (cause instanceof ConnectException) {
            return Optional.of("cannot connect" + words);
        }
        if (words.startsWith(" (Unknown reply")) {
            return Optional.of("what answered does not speak the protocol of Redis" + words + hint());
        }
        return cause instanceof JedisConnectionException
                ? Optional.of("the connection was lost" + words + hint())
                : Optional.empty();
    }

    private String hint() {
        return understood ? "" : transport.check();
    }

    private String words(Throwable refusal) {
        String answer = String.valueOf(refusal.getMessage());
        String words = unauthenticated(refusal) ? "NOAUTH (" + answer + ")" : answer;
        if (words.startsWith("NOAUTH")) {
            return words
                    + "; set the parameter 'password' (of sentinels: 'sentinelPassword'), or that of the given client";
        }
        if (refusal instanceof JedisRedirectionException || words.startsWith("CROSSSLOT")) {
            return words + "; the server belongs to a cluster: use redis-cluster:// or a client for clusters";
        }
        Matcher own = OWN_WORDS.matcher(words);
        String shown = own.find() ? own.group(1) : words;
        return words.contains("NOPERM") || words.contains(DENIED_IN_SCRIPT) ? shown + "; " + use.rights() : shown;
    }

    /** Whether the server refused a request before it ran any script, so that nothing was done. */
    static boolean isRefusal(LockStoreException failure) {
        return failure.getCause() instanceof JedisDataException refusal
                && (refusal instanceof JedisAccessControlException || unauthenticated(refusal));
    }

    /** A server that wants a password refuses a command of more than ten words before it reads the command. */
    private static boolean unauthenticated(Throwable refusal) {
        return String.valueOf(refusal.getMessage()).contains("unauthenticated");
    }

    /** Whether a script has keys of which only some have moved with their slot so far. */
    static boolean isTryAgain(LockStoreException failure) {
        return failure.getCause() instanceof JedisDataException answer
                && String.valueOf(answer.getMessage()).startsWith("TRYAGAIN");
    }

    /** Whether a server is too old for a command. */
    static boolean isUnknownCommand(JedisDataException answer) {
        return String.valueOf(answer.getMessage()).startsWith("ERR unknown command");
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

    /** A failure that we found; its message is the reason. */
    static final class OwnReason extends JedisException {
        private static final long serialVersionUID = 1L;

        OwnReason(String message) {
            super(message);
        }
    }

    /** Whether the connection was closed. Unlike a time-out, this probably applies to all open connections. */
    static boolean connectionLost(JedisException failure) {
        return failure instanceof JedisConnectionException && !timedOut(failure);
    }

    /** Whether an interrupt ended the wait for a connection and was swallowed. */
    static boolean interrupted(JedisException failure) {
        return causedBy(InterruptedException.class, failure);
    }

    static boolean timedOut(JedisException failure) {
        return causedBy(SocketTimeoutException.class, failure);
    }

    private static boolean causedBy(Class<? extends Throwable> kind, JedisException failure) {
        return causes(failure).anyMatch(kind::isInstance);
    }

    /** A failure and its causes, the deepest first. Jedis tries all addresses of a host and adds their failures as suppressed. */
    private static Stream<Throwable> causes(Throwable failure) {
        Deque<Throwable> causes = new ArrayDeque<>();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            causes.push(each);
            Arrays.stream(each.getSuppressed()).forEach(causes::push);
        }
        return causes.stream();
    }
}
