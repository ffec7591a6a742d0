package io.holdfast.lock.tck;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Faults;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the kit needs from the vendor of a backend: providers on one store, and hooks that depend on the store. The kit makes and
 * closes one for each try of a test, so making one must be cheap: start the store itself once for the class. Called by several
 * threads.
 *
 * <p>The lock names of the kit are new in each run, so the store may be shared with other tests and need not be emptied. One
 * rule, of a {@linkplain #isDisposable() disposable} store, takes each of its few names only when nobody else has it.
 */
public interface LockHarness extends AutoCloseable {

    /**
     * Opens a new provider, as another client in another process would: one more instance on the same store, sharing nothing
     * with the instances opened before that processes cannot share. The kit closes it.
     *
     * @return the provider
     */
    LockProvider open();

    /**
     * The lease that the kit works with; where the provider declares lease control {@code SESSION}, the time-out of its sessions.
     * Most rules about time wait for one, so it should be short, but long compared with one operation of the store.
     *
     * <p>A test that is repeated, as it was inconclusive, works with up to four times this lease, unless sessions take the place
     * of leases.
     *
     * @return the lease; 600 ms unless overridden, 200 ms at the least
     */
    default Duration lease() {
        return Duration.ofMillis(600);
    }

    /**
     * The options of the locks of the kit's clients, but for the lease time, which the kit sets.
     *
     * @return the options; {@link LockOptions#DEFAULTS} unless overridden, for example to test with another bound of the
     *     hand-over
     */
    default LockOptions options() {
        return LockOptions.DEFAULTS;
    }

    /**
     * How much later than its lease the record of a dead holder may go: the store's own delay, and room for a busy server.
     *
     * @return the tolerance, which the backend's page states too; 500 ms unless overridden
     */
    default Duration expiryTolerance() {
        return Duration.ofMillis(500);
    }

    /**
     * The hook that removes the record of a lock behind the provider's back, as an operator would with the store's own tools.
     * It leaves everything else in the store alone.
     *
     * @return removes the record of the lock of a name, and returns when that is done; empty if there is no such way: the
     *     rules that need it are then skipped
     */
    default Optional<Consumer<String>> remover() {
        return Optional.empty();
    }

    /**
     * The hook for another process: the store's URI for {@link io.holdfast.lock.LockClient#connect}.
     *
     * @return the URI, which reaches the same store from a new JVM with this JVM's class path; empty if there is none: the
     *     rules that need it are then skipped
     */
    default Optional<String> uri() {
        return Optional.empty();
    }

    /**
     * The hooks for faults of the store and of the way to it.
     *
     * @return the faults that this harness can cause; unless overridden there are none: the rules that need one are then skipped
     */
    default Faults faults() {
        return Faults.none();
    }

    /**
     * Whether the store is there for the tests alone. Some rules raise its tokens for good, above any number that the locks of an
     * application could come to, and one locks names such as {@code .} and {@code null}, which an application may use.
     *
     * @return true unless overridden; if not, these rules are skipped
     */
    default boolean isDisposable() {
        return true;
    }

    /**
     * What the provider is tested with, for the report. Asked once for each class, while a provider is open.
     *
     * @return the store and the libraries that speak to it, each with its version, such as {@code Redis 7.0.15}; none unless
     *     overridden
     */
    default List<String> versions() {
        return List.of();
    }

    /**
     * Whether one request to one server decides an attempt. Where several servers vote, two copies of a claim that attempt at the
     * same moment are two candidates, and no network makes such copies: it copies the request to one of the servers.
     *
     * @return true unless overridden; if not, the rule of two such copies is skipped
     */
    default boolean decidesByOneRequest() {
        return true;
    }

    /** Closes what the harness itself has opened, not the providers. Does nothing unless overridden. */
    @Override
    default void close() {}
}
