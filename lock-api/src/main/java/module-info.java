/**
 * Distributed locks behind one small API: what applications use ({@link io.holdfast.lock}) and what the vendor of a lock
 * store implements ({@link io.holdfast.lock.spi}).
 */
@SuppressWarnings("module") // The engine is built after its API.
module io.holdfast.lock {
    requires static transitive org.jspecify;

    exports io.holdfast.lock;
    exports io.holdfast.lock.spi;
    exports io.holdfast.lock.engine to
            io.holdfast.lock.core;

    uses io.holdfast.lock.engine.LockEngine;
    uses io.holdfast.lock.spi.LockProviderFactory;
}
