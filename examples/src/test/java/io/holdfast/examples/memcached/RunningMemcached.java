package io.holdfast.examples.memcached;

import io.holdfast.lock.spi.ServerAddress;
import java.util.Optional;

/** A memcached server of the tests, on this machine. */
interface RunningMemcached extends AutoCloseable {

    int port();

    /** What is tested with, for the report of the kit. */
    String version();

    @Override
    void close();

    /** Its address, as a provider takes it. */
    default ServerAddress address() {
        return new ServerAddress(Optional.empty(), Optional.empty(), "127.0.0.1", port());
    }
}
