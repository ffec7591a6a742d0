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
        Bidder bidder = Bidder.once(provider, "works again");
        assertThat(bidder.granted()).isTrue();
        assertThat(bidder.held()).isTrue();
        assertThat(bidder.released()).isTrue();
    }
}
