/**
 * The backend over Redisson.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Redisson has no module descriptor.
module io.holdfast.lock.redisson {
    requires transitive io.holdfast.lock;
    requires static transitive org.jspecify;
    requires transitive redisson;

    exports io.holdfast.lock.redisson;

    provides io.holdfast.lock.spi.LockProviderFactory with
            io.holdfast.lock.redisson.RedissonLockProviderFactory;
}
