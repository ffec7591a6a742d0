/** The engine behind the lock API, and the in-memory provider. */
module io.holdfast.lock.core {
    requires transitive io.holdfast.lock;
    requires static org.jspecify;

    exports io.holdfast.lock.core.memory;

    provides io.holdfast.lock.spi.LockProviderFactory with
            io.holdfast.lock.core.memory.MemoryLockProviderFactory;
}
