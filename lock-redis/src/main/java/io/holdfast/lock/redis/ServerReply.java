package io.holdfast.lock.redis;

import io.holdfast.lock.spi.StoreTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A server's reply to a script.
 *
 * @param value {@code Long}, {@code byte[]}, a list of these, or null
 * @param server stands for the server
 * @param sent when the request was sent
 */
record ServerReply(@Nullable Object value, Object server, PassedTime sent) {

    /** As if it were another value. */
    ServerReply saying(Object other) {
        return new ServerReply(other, server, sent);
    }

    /** A part of a reply that is a list, as if it were the reply to a script of its own. */
    ServerReply part(int index) {
        return new ServerReply(((List<?>) Objects.requireNonNull(value)).get(index), server, sent);
    }

    /**
     * What the server's clock said; empty for a reply that does not tell.
     *
     * @param begun when the call began
     */
    Optional<StoreTime> time(PassedTime begun) {
        return LockScripts.time(value).map(time -> new StoreTime(server, time, begun.until(sent)));
    }
}
