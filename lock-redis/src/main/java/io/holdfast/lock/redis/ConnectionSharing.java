package io.holdfast.lock.redis;

import java.time.Duration;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/**
 * When calls share a connection of a pool.
 *
 * @param most so many connections at the same time are used by calls that may be shared; further calls wait for one of them
 * @param longestWait how long a call waits until it is sent
 */
record ConnectionSharing(int most, Duration longestWait) {

    /** Each call has its connection: the pool of a given client says what waits, and for how long. */
    static final ConnectionSharing NONE = new ConnectionSharing(Integer.MAX_VALUE, Duration.ZERO);

    /** In a pool of the provider. One connection is left to renewals, if there are two. */
    static ConnectionSharing in(GenericObjectPoolConfig<?> pool) {
        return new ConnectionSharing(Math.max(1, pool.getMaxTotal() - 1), pool.getMaxWaitDuration());
    }
}
