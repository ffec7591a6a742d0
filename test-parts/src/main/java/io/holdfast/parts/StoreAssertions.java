package io.holdfast.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The two ends of every fault: a clear failure while it lasts, and all is well again afterwards. */
public final class StoreAssertions {

    private StoreAssertions() {}

    /**
     * Asserts that a call fails, as calls of a store in trouble do.
     *
     * @param call the call
     * @param parts what the message says
     */
    public static void assertFails(ThrowingCallable call, String... parts) {
        assertThatThrownBy(call).isInstanceOf(LockStoreException.class).hasMessageContainingAll(parts);
    }

    /**
     * Asserts that a lock can be taken, renewed and released.
     *
     * @param provider the provider
     */
    public static void assertWorks(LockProvider provider) {
        TestClaim bidder = TestClaim.once(provider, "works again");
        assertThat(bidder.granted()).isTrue();
        assertThat(bidder.held()).isTrue();
        assertThat(bidder.released()).isTrue();
    }

    /**
     * Waits until a lock is granted, and asserts that it can be released. After a fault what was open before it may fail once.
     *
     * @param provider the provider
     * @param name the name of the lock
     */
    public static void assertWorksAgain(LockProvider provider, String name) {
        TestClaim next = TestClaim.once(provider, name);
        Waits.answered().until(next::granted);
        assertThat(next.released()).isTrue();
    }

    /**
     * Asserts that somebody who waits for a lock is woken by its release, and gets it.
     *
     * @param provider the provider, which tells of releases
     * @param holder who has the lock
     * @param name the name of the lock
     */
    public static void assertReleaseWakes(LockProvider provider, TestClaim holder, String name) {
        TestClaim waiter = TestClaim.waiting(provider, name);
        assertThat(waiter.granted()).isFalse();
        Waits.soon().until(() -> waiter.mayBeFree.get() >= 1);
        int before = waiter.mayBeFree.get();
        assertThat(holder.released()).isTrue();
        Waits.soon().until(() -> waiter.mayBeFree.get() > before);
        assertThat(waiter.granted()).isTrue();
        assertThat(waiter.released()).isTrue();
    }
}
