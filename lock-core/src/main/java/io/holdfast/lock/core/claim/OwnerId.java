package io.holdfast.lock.core.claim;

/**
 * An owner as the engine and the store see it.
 *
 * @param id equal for holds that may re-enter each other
 * @param sharing who else may come with the same id
 */
public record OwnerId(String id, Sharing sharing) {

    /** Who else may come with the same id. */
    public enum Sharing {
        /** Nobody: nothing re-enters. */
        NOBODY,
        /** Callers in this client: one thread, one after the other, or several at the same time. */
        ONE_CLIENT,
        /** Callers in other clients as well: the store has to know the owner, too. */
        ACROSS_CLIENTS
    }

    /**
     * The owner in requests to the store. Where only this client can re-enter, each claim has a different one: after a loss the
     * next acquire is then a fresh claim with a fresh token, also if the store still has the record of the lost one.
     */
    public String toldToStore(String claimId) {
        return isKnownToStores() ? id : id + "/" + claimId.substring(claimId.lastIndexOf('-') + 1);
    }

    /** Whether other clients may come with the same id, so that the store is told it as it is. */
    public boolean isKnownToStores() {
        return sharing == Sharing.ACROSS_CLIENTS;
    }

    public boolean mayReenter() {
        return sharing != Sharing.NOBODY;
    }
}
