package io.holdfast.lock.spi;

import io.holdfast.lock.LossCause;

/**
 * What a provider reports to the engine about one claim between its calls. Any thread may call it, also a thread of the store
 * client, also while a method of the claim runs; the calls return at once and throw nothing. Call it without a lock that a method
 * of a claim may wait for. Not meant to be implemented by vendors.
 */
public interface ClaimSignals {

    /** A hint: the lock may be free, attempt again now. One too many costs an attempt; one too few costs waiting time. */
    void mayBeFree();

    /** A fact: the granted claim may end sooner than was promised. The engine renews it now, if it renews it at all. */
    default void mayEndSooner() {}

    /**
     * A fact: the granted claim is gone. Not to be called for an earlier grant of a claim that has attempted again since.
     *
     * @param cause why
     */
    void lost(LossCause cause);
}
