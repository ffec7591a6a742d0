package io.holdfast.lock.redis;

import io.holdfast.lock.spi.StoreTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A server's reply to a script.
 *
 * @param value {@code Long}, {@code byte[]}, a list of these, or null
 * @param server stands for the server
 */
record ServerReply(@Nullable Object value, Object server) {

    /** What the server's clock said; empty for a reply that does not tell. */
    Optional<StoreTime> time() {
        return LockScripts.time(value).map(time -> new StoreTime(server, time));
    }
}
