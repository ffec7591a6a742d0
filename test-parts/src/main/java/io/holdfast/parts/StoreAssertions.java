package io.holdfast.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertions for tests of faults: calls fail clearly during a fault and work after it. */
public final class StoreAssertions {

    private StoreAssertions() {}

    /**
     * Asserts that a call fails with a {@link LockStoreException}.
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
        TestClaim claim = TestClaim.once(provider, "works again");
        assertThat(claim.granted()).isTrue();
        assertThat(claim.held()).isTrue();
        assertThat(claim.released()).isTrue();
    }

    /**
     * Waits until a lock is granted, and asserts that it can be released. The first call after a fault may fail: it may use a
     * connection from before.
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
     * Asserts that a release wakes a waiting claim, which then gets the lock.
     *
     * @param provider the provider, which has wake-up PUSH
     * @param holder the claim that holds the lock
     * @param name the name of the lock
     */
    public static void assertReleaseWakes(LockProvider provider, TestClaim holder, String name) {
        TestClaim waiter = TestClaim.waiting(provider, name);
        // A subscription that failed is made again by the next attempt.
        Waits.answered().until(() -> {
            assertThat(waiter.granted()).isFalse();
            return waiter.isHeard();
        });
        int before = waiter.mayBeFree.get();
        assertThat(holder.released()).isTrue();
        Waits.soon().until(() -> waiter.mayBeFree.get() > before);
        assertThat(waiter.granted()).isTrue();
        assertThat(waiter.released()).isTrue();
    }
}
