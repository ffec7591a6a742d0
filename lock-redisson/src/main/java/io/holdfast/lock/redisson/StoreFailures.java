package io.holdfast.lock.redisson;

import io.holdfast.lock.LockStoreException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.redisson.RedissonShutdownException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.WriteRedisConnectionException;

/**
 * Says in one sentence what Redisson's exceptions mean: which operation failed, where, and for what kind of reason. Theirs, which
 * stay as the cause, go on with the command and all its parameters.
 *
 * @param where the store, as it is called in errors
 */
record StoreFailures(String where) {

    /** What Redisson appends to the words of the server: Netty's channel; the parameters of a command, a script's text among them. */
    private static final Pattern APPENDED = Pattern.compile("(\\. channel: |, params: ).*");

    LockStoreException of(String what, Throwable failure) {
        return new LockStoreException(where + ": " + what + " failed: " + reason(failure), failure);
    }

    LockStoreException closed(String what) {
        return new LockStoreException(where + ": " + what + " failed: the provider is closed");
    }

    private static String reason(Throwable failure) {
        Optional<SSLException> tls = causedBy(SSLException.class, failure);
        if (tls.isPresent()) {
            return "TLS failed (" + tls.get().getMessage() + ")";
        }
        Optional<RedisException> redissons = deepest(failure);
        if (redissons.isEmpty()) {
            boolean late = failure instanceof TimeoutException || failure instanceof CancellationException;
            return late ? "timed out" : failure.toString();
        }
        RedisException told = redissons.get();
        if (told instanceof RedissonShutdownException) {
            return "the Redisson client is shut down";
        }
        if (told instanceof RedisTimeoutException) {
            return "timed out (" + firstWords(told) + ")";
        }
        if (told instanceof RedisConnectionException || told instanceof WriteRedisConnectionException) {
            return "cannot connect (" + firstWords(told) + ")";
        }
        return "the server answered " + firstWords(told);
    }

    /** Redisson wraps what the server answered while it connected. */
    private static Optional<RedisException> deepest(Throwable failure) {
        RedisException deepest = null;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof RedisException redissons) {
                deepest = redissons;
            }
        }
        return Optional.ofNullable(deepest);
    }

    private static String firstWords(Throwable failure) {
        // Of a script Redisson repeats the text, over many lines, and its parameters.
        String words = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        return APPENDED.matcher(words).replaceFirst("");
    }

    static <T extends Throwable> Optional<T> causedBy(Class<T> kind, Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (kind.isInstance(each)) {
                return Optional.of(kind.cast(each));
            }
        }
        return Optional.empty();
    }
}
