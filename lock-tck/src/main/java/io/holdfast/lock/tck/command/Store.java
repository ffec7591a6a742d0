package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The store under test.
 *
 * @param uri of its provider, perhaps with a password
 * @param properties parameters that are not in the URI
 * @param disposable whether it is there for the tests alone, or may be an application's
 * @param isInThisProcess whether only this process reaches it
 */
record Store(String uri, Map<String, String> properties, boolean disposable, boolean isInThisProcess) {

    /** Longer than most providers wait for a connection. */
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);

    /** The store that was named on the command line. */
    static Store of(Options options) {
        boolean inMemory = options.uri().startsWith("memory:") || options.uri().startsWith("jdbc:h2:mem:");
        return new Store(options.uri(), options.properties(), options.disposable(), options.inProcess() || inMemory);
    }

    /** Opens a provider. */
    LockProvider open() {
        return open(uri);
    }

    /** Opens a provider by another way. */
    LockProvider open(String other) {
        LockClient.Builder builder = LockClient.builder(other);
        properties.forEach(builder::property);
        return builder.buildProvider();
    }

    /** The URI for other processes, which have no properties; empty if they do not reach the store by it. */
    Optional<String> uriForProcesses() {
        return isInThisProcess || !properties.isEmpty() ? Optional.empty() : Optional.of(uri);
    }

    /** The same store with one more parameter in the URI. */
    Store with(String parameter, String value) {
        String parameters = (uri.indexOf('?') < 0 ? "?" : "&") + parameter + "=" + value;
        return new Store(uri + parameters, properties, disposable, isInThisProcess);
    }

    /** Why it does not answer now; empty if it does, or if that cannot be told. */
    Optional<String> outage() {
        FutureTask<Optional<LockHolder>> question = BackgroundCaller.inBackground(() -> {
            try (LockProvider provider = open()) {
                return provider.holder(TrialLocks.newName());
            }
        });
        try {
            Optional<LockHolder> unused = question.get(ANSWERS_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (ExecutionException failed) {
            return failed.getCause() instanceof LockStoreException away
                    ? Optional.of(String.valueOf(away.getMessage()))
                    : Optional.empty();
        } catch (TimeoutException hangs) {
            // As a provider may that is to blame itself.
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            throw BackgroundCaller.stopped(interrupted);
        }
    }

    boolean names(String parameter) {
        return uri.contains(parameter + "=") || properties.containsKey(parameter);
    }

    /** Hides what may be a password. */
    @Override
    public String toString() {
        return Address.shown(uri);
    }
}
