package io.holdfast.lock.redisson;

import io.holdfast.lock.LockStoreException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.redisson.RedissonShutdownException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisResponseTimeoutException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.WriteRedisConnectionException;

/**
 * Describes Redisson's exceptions in one sentence: which operation failed, where, and why. The originals, which stay as the
 * cause, also have the command and all its parameters.
 *
 * @param where the name of the store in errors
 * @param check what to check if a connection was opened but the protocol failed
 */
record RedissonFailures(String where, String check) {

    /** What Redisson appends to the words of the server: Netty's channel; the parameters of a command, with the script. */
    private static final Pattern APPENDED = Pattern.compile("(\\. channel: |, params: ).*");

    /** The same for a server that has answered, so that the scheme is right. */
    RedissonFailures understood() {
        return new RedissonFailures(where, "");
    }

    LockStoreException of(String what, Throwable failure) {
        String message = where + ": " + what + " failed: " + reason(failure);
        return new LockStoreException(
                message, showsPassword(failure) ? new RedisConnectionException(message) : failure);
    }

    LockStoreException closed(String what) {
        return new LockStoreException(where + ": " + what + " failed: the provider is closed");
    }

    /** Whether the call was certainly not sent, as Redisson had no connection for it. */
    static boolean isUnsent(LockStoreException failure) {
        Throwable cause = failure.getCause();
        return isConnecting(cause) || (cause instanceof RedisTimeoutException && lacksConnection(cause));
    }

    /** Whether the server has answered, by an error. */
    static boolean isAnswer(LockStoreException failure) {
        return deepest(failure).filter(RedissonFailures::isAnswer).isPresent();
    }

    private static boolean isAnswer(RedisException known) {
        boolean ofTheClient = known instanceof RedissonShutdownException
                || known instanceof RedisTimeoutException
                || known instanceof RedisConnectionException
                || known instanceof RedisNodeNotFoundException;
        // Other exceptions are wrapped.
        return !ofTheClient && known.getCause() == null;
    }

    /** Whether the server does not know the digest of a script, so that nothing was run. */
    static boolean isUnknownScript(Throwable failure) {
        return causedBy(RedisException.class, failure)
                .filter(refusal -> String.valueOf(refusal.getMessage()).startsWith("NOSCRIPT"))
                .isPresent();
    }

    private static boolean isConnecting(@Nullable Throwable failure) {
        return failure instanceof RedisConnectionException && !(failure instanceof WriteRedisConnectionException);
    }

    private String reason(Throwable failure) {
        Optional<IOException> network = causedBy(IOException.class, failure);
        if (network.isPresent()) {
            return reasonOfNetwork(network.get(), isConnecting(failure));
        }
        Optional<RedisException> redissons = deepest(failure);
        return redissons.isPresent() ? reasonOfRedisson(redissons.get(), failure) : reasonOfOthers(failure);
    }

    private String reasonOfNetwork(IOException failure, boolean connecting) {
        // Netty gives no message.
        String words = failure instanceof ClosedChannelException ? "it was closed" : firstWords(failure);
        if (failure instanceof SSLException) {
            return "TLS failed (" + words + ")";
        }
        boolean closed = failure instanceof ClosedChannelException;
        return (connecting ? "cannot connect (" : "the connection failed (") + words + ")"
                + (connecting && closed ? check : "");
    }

    private String reasonOfRedisson(RedisException known, Throwable failure) {
        if (known instanceof RedissonShutdownException) {
            return "the Redisson client is shut down";
        }
        if (known instanceof RedisResponseTimeoutException) {
            return "timed out (no answer of the server)";
        }
        if (known instanceof RedisTimeoutException) {
            return lacksConnection(known)
                    ? "timed out (no connection: the server cannot be reached, or all connections are in use)"
                    : "timed out (" + firstWords(known) + ")";
        }
        boolean late = causedBy(TimeoutException.class, failure).isPresent();
        if (known instanceof RedisConnectionException || known instanceof RedisNodeNotFoundException) {
            return "cannot connect (" + (late ? "timed out)" + check : firstWords(known) + ")");
        }
        // Other exceptions are wrapped.
        return known.getCause() == null ? reasonOfServer(firstWords(known)) : reasonOfOthers(known.getCause());
    }

    private static String reasonOfServer(String answer) {
        boolean forbidden = answer.startsWith("NOPERM") || answer.contains("user executing the script can't");
        String command = LockScript.commandIn(answer).map(name -> name + "; ").orElse("");
        return "the server answered " + answer
                + (answer.startsWith("NOAUTH") ? "; set the parameter 'password', or that of the given client" : "")
                + (forbidden
                        ? " (" + command + "what its user needs is listed in docs/backends/redisson.md, 'Permissions')"
                        : "");
    }

    private static String reasonOfOthers(Throwable failure) {
        boolean late = failure instanceof TimeoutException || failure instanceof CancellationException;
        return late ? "timed out" : failure.toString();
    }

    /** By its message, as it has no class. */
    private static boolean lacksConnection(Throwable failure) {
        return String.valueOf(failure.getMessage()).startsWith("Unable to acquire connection");
    }

    /** Old versions show the command that logs in, with all its parameters. */
    private static boolean showsPassword(Throwable failure) {
        return causes(failure)
                .anyMatch(each -> String.valueOf(each.getMessage()).contains("(AUTH), params=["));
    }

    /** Redisson wraps the server's answers to the connect. */
    private static Optional<RedisException> deepest(Throwable failure) {
        return causes(failure)
                .filter(RedisException.class::isInstance)
                .map(RedisException.class::cast)
                .reduce((outer, inner) -> inner);
    }

    private static String firstWords(Throwable failure) {
        // Redisson appends the script, over many lines, and its parameters.
        String words = Optional.ofNullable(failure.getMessage())
                .flatMap(message -> message.lines().findFirst())
                .orElse(failure.getClass().getSimpleName());
        return APPENDED.matcher(words).replaceFirst("");
    }

    static <T extends Throwable> Optional<T> causedBy(Class<T> kind, Throwable failure) {
        return causes(failure).filter(kind::isInstance).map(kind::cast).findFirst();
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }
}
