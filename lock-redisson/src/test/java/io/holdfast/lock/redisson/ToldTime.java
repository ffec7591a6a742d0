package io.holdfast.lock.redisson;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.spi.StoreTime;
import java.util.Optional;

/** What grants and renewals tell of the store's clock. */
final class ToldTime {

    private ToldTime() {}

    static Optional<StoreTime> of(Attempt granted) {
        return ((Attempt.Granted) granted).storeTime();
    }

    static Optional<StoreTime> of(Renewal held) {
        return ((Renewal.Held) held).storeTime();
    }
}
