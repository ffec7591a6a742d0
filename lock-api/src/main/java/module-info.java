/**
 * Distributed locks behind one small API: what applications use ({@link io.holdfast.lock}) and what the vendor of a lock
 * store implements ({@link io.holdfast.lock.spi}).
 */
module io.holdfast.lock {
    requires static transitive org.jspecify;

    exports io.holdfast.lock;
    exports io.holdfast.lock.spi;

    uses io.holdfast.lock.spi.LockEngine;
    uses io.holdfast.lock.spi.LockProviderFactory;
}
