package io.holdfast.lock.core;

/**
 * An owner as the store and the hold table see it.
 *
 * @param id equal for holds that may re-enter each other
 * @param sharing who else may come with the same id
 */
record OwnerId(String id, Sharing sharing) {

    enum Sharing {
        /** Nobody: nothing re-enters. */
        NOBODY,
        /** The same thread, later: it cannot wait twice at once. */
        SUCCESSIVE,
        /** Several callers at the same time. */
        CONCURRENT
    }

    boolean mayReenter() {
        return sharing != Sharing.NOBODY;
    }
}
