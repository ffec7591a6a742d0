package io.holdfast.lock.redis;

import io.holdfast.lock.spi.ReleaseFeed;

/** A feed of releases with threads and connections, which {@link #close} ends. */
interface RedisFeed extends ReleaseFeed, AutoCloseable {

    @Override
    void close();
}
