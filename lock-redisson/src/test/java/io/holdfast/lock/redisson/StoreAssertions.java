package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The two ends of every fault: a clear failure while it lasts, and all is well again afterwards. */
final class StoreAssertions {

    private StoreAssertions() {}

    static void assertFails(ThrowingCallable call, String... parts) {
        assertThatThrownBy(call).isInstanceOf(LockStoreException.class).hasMessageContainingAll(parts);
    }

    static void assertWorks(RedissonLockProvider provider) {
        Bidder bidder = Bidder.once(provider, "works again");
        assertThat(bidder.granted()).isTrue();
        assertThat(bidder.held()).isTrue();
        assertThat(bidder.released()).isTrue();
    }
}
