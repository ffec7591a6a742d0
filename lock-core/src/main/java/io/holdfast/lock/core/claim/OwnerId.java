package io.holdfast.lock.core.claim;

/**
 * An owner as the engine sees it: equal for holds of one client that may re-enter each other.
 *
 * @param sharing who else may come as the same owner
 * @param name of a logical owner; else empty
 * @param number of the thread or of the acquire that is the owner; 0 for a logical owner
 */
public record OwnerId(Sharing sharing, String name, long number) {

    /** Who else may come as the same owner. */
    public enum Sharing {
        /** Nobody: nothing re-enters. */
        NOBODY,
        /** Callers in this client: one thread, one after the other, or several at the same time. */
        ONE_CLIENT,
        /** Callers in other clients as well: the store has to know the owner, too. */
        ACROSS_CLIENTS
    }

    /** A thread of this client. */
    public static OwnerId thread(long id) {
        return new OwnerId(Sharing.ONE_CLIENT, "", id);
    }

    /** One acquire of this client. */
    public static OwnerId acquire(long number) {
        return new OwnerId(Sharing.NOBODY, "", number);
    }

    /** An owner that the application names. */
    public static OwnerId logical(String name) {
        return new OwnerId(Sharing.ACROSS_CLIENTS, name, 0);
    }

    /** Whether other clients may come as the same owner, so that the store is told it as it is. */
    public boolean isKnownToStores() {
        return sharing == Sharing.ACROSS_CLIENTS;
    }

    public boolean mayReenter() {
        return sharing != Sharing.NOBODY;
    }
}
