package io.holdfast.lock.spi;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.UnsupportedCapabilityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One lock store. Thread-safe. Implemented by the vendors of backends; the compatibility kit ({@code lock-tck}) tells whether
 * an implementation is right.
 */
public interface LockProvider extends AutoCloseable {

    /**
     * What the store can do. Constant for the life of the provider; no I/O.
     *
     * @return the capabilities
     */
    LockCapabilities capabilities();

    /**
     * Makes a claim. No I/O: the store hears of it at the first {@link Claim#attempt()}.
     *
     * @param request what is claimed, by whom
     * @param signals where the provider reports what it learns about the claim between calls
     * @return the claim
     * @throws io.holdfast.lock.LockConfigurationException if the store cannot hold a lock of that name
     */
    Claim newClaim(ClaimRequest request, ClaimSignals signals);

    /**
     * Who holds a lock now. A claim whose lease has ended holds nothing. {@code LockClient.ping()} calls this, too: a provider
     * throws if the store does not answer.
     *
     * @param name the name of the lock
     * @return the holder; empty if nobody holds it
     * @throws io.holdfast.lock.LockConfigurationException if the store cannot hold a lock of that name
     * @throws LockStoreException if the store fails
     */
    Optional<LockHolder> holder(String name);

    /**
     * A number that no token exceeds which the store has given so far, whatever the name; not below one to which the tokens were
     * raised. For a move to another store.
     *
     * <p>This implementation cannot tell.
     *
     * @return the number; 0, or another number below all tokens to come, if it has given none
     * @throws UnsupportedCapabilityException if the store has no tokens, or cannot tell
     * @throws LockStoreException if the store fails
     */
    default long highestToken() {
        throw new UnsupportedCapabilityException("This provider cannot tell the highest fencing token of its store");
    }

    /**
     * Makes each grant from now on have a token above a number, whatever the name, for all clients, and for as long as its tokens
     * grow by the declared {@link LockCapabilities.Fencing}: a store that loses what it raises with its data declares no more
     * than {@code CLOCKED}. Tokens that are above it anyway go on as they were, so doing it again changes nothing. Tokens that an
     * earlier grant got in stock ({@link Claim#attemptFor(int)}) stay its own. For a move from another store, and for a store
     * that was restored from a backup.
     *
     * <p>This implementation cannot.
     *
     * @param above the number
     * @throws UnsupportedCapabilityException if the store has no tokens, or its tokens cannot be raised
     * @throws io.holdfast.lock.LockConfigurationException if the store's tokens cannot be so large; nothing was changed
     * @throws LockStoreException if the outcome is unknown; it may be repeated
     */
    default void raiseTokens(long above) {
        throw new UnsupportedCapabilityException(
                "This provider cannot raise the fencing tokens of its store above " + above);
    }

    /**
     * As {@link #raiseTokens(long)}, but at least for the later grants of one name, where that is cheaper: for a store whose
     * tokens come from several counters.
     *
     * @param name the name of the lock
     * @param above the number
     * @throws UnsupportedCapabilityException if the store has no tokens, or its tokens cannot be raised
     * @throws io.holdfast.lock.LockConfigurationException if the store's tokens cannot be so large; nothing was changed
     * @throws LockStoreException if the outcome is unknown; it may be repeated
     */
    default void raiseTokens(String name, long above) {
        Objects.requireNonNull(name, "name");
        raiseTokens(above);
    }

    /**
     * How many claims one {@link #renewAll} carries at most. Constant for the life of the provider; no I/O.
     *
     * @return at least 1, which this implementation returns
     */
    default int renewalBatch() {
        return 1;
    }

    /**
     * Which claims may be renewed by one call. A store of several servers answers with the server that a claim is at: the engine
     * renews each group by its own calls, so that a server that hangs delays no renewal at another. Called by any thread, also
     * while the claim is in use; no I/O.
     *
     * <p>This implementation has one group.
     *
     * @param claim a granted claim of this provider
     * @return the same value, by {@code equals}, for the claims of one group
     */
    default Object renewalGroup(Claim claim) {
        Objects.requireNonNull(claim, "claim");
        return "";
    }

    /**
     * Renews several claims, in as few round trips as the store allows. The engine passes at most
     * {@link #renewalBatch()} claims, all made by this provider and granted, and mostly of one {@link #renewalGroup}.
     *
     * <p>This implementation renews one by one.
     *
     * @param claims the claims
     * @return one result for each claim, in the same order; a claim whose outcome is unknown has {@link Renewal.Unknown}
     * @throws LockStoreException if the outcome of all of them is unknown
     */
    default List<Renewal> renewAll(List<Claim> claims) {
        Objects.requireNonNull(claims, "claims");
        List<Renewal> results = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            try {
                results.add(claim.renew());
            } catch (LockStoreException unknown) {
                results.add(new Renewal.Unknown(unknown));
            }
        }
        return results;
    }

    /**
     * The store's messages of releases. Each client calls this once, before it makes its first claim; {@link #close()} ends every
     * feed. No I/O.
     *
     * <p>This implementation has none: waiters poll, or the claims signal {@link ClaimSignals#mayBeFree()} themselves.
     *
     * @param listener where the feed reports
     * @return the feed; empty if the store has no such messages
     */
    default Optional<ReleaseFeed> releases(ReleaseFeed.Listener listener) {
        Objects.requireNonNull(listener, "listener");
        return Optional.empty();
    }

    /**
     * Closes the provider and all that it opened itself: connections, threads, subscriptions. It never closes a client that
     * the application gave it. The engine has released all claims before; those of which the store did not answer end with their
     * leases. Closing again does nothing. Afterwards every call that would ask the store throws a {@link LockStoreException},
     * those of its claims too.
     *
     * @throws LockStoreException if something could not be closed
     */
    @Override
    void close();
}
