/**
 * The backend over Redisson.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Redisson has no module descriptor.
module io.holdfast.lock.redisson {
    requires transitive io.holdfast.lock;
    requires static transitive org.jspecify;
    requires transitive redisson;
    requires io.netty.common;
    // What Redisson needs to start. It has no descriptor to require them itself, and nobody else
    // on a module path would.
    requires io.netty.resolver.dns;
    requires org.slf4j;
    requires org.yaml.snakeyaml;

    exports io.holdfast.lock.redisson;

    provides io.holdfast.lock.spi.LockProviderFactory with
            io.holdfast.lock.redisson.RedissonLockProviderFactory;
}
