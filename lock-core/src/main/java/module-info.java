/** The engine behind {@link io.holdfast.lock.LockClient}, and the in-memory provider. */
module io.holdfast.lock.core {
    requires transitive io.holdfast.lock;
    requires static org.jspecify;

    exports io.holdfast.lock.core.memory;
    exports io.holdfast.lock.core.migration;

    provides io.holdfast.lock.engine.LockEngine with
            io.holdfast.lock.core.client.CoreLockEngine;
    provides io.holdfast.lock.spi.LockProviderFactory with
            io.holdfast.lock.core.memory.MemoryLockProviderFactory,
            io.holdfast.lock.core.migration.MigratingLockProviderFactory;
}
