package io.holdfast.examples.demo;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A kind of lock store that the demo can run on: one small class for each. */
interface DemoBackend {

    /** All of them; the first is the default. Each has a line in {@code help.txt}. */
    List<DemoBackend> ALL = List.of(
            new RedisBackend("redis", "redis", "hash"),
            new RedisBackend("redis-string", "redis", "string"),
            new RedisSentinelBackend(),
            new RedisClusterBackend(),
            new RedlockBackend(),
            new RedisBackend("redisson", "redisson", "lock"),
            new ZooKeeperBackend(),
            new DatabaseBackend("jdbc-h2", DemoDatabases::h2, UnaryOperator.identity()),
            new DatabaseBackend("jdbc-postgresql", DemoDatabases::postgreSql, UnaryOperator.identity()),
            new DatabaseBackend("jdbc-mariadb", DemoDatabases::mariaDb, UnaryOperator.identity()),
            new DatabaseBackend("jpa", DemoDatabases::h2, DemoDatabases::byJpa),
            new MemoryBackend());

    /** The name on the command line. */
    String name();

    /** Where clients of this store can run. */
    Stage stage();

    /** Starts a store, fresh and empty. */
    Store start();

    /** A lock store that runs. */
    interface Store extends AutoCloseable {

        /** The URI for {@link io.holdfast.lock.LockClient#connect}. */
        String uri();

        /** What it is and where, for people. */
        String description();

        /** What happens to it half-way through the sale; nothing unless overridden. */
        default Optional<Mishap> mishap() {
            return Optional.empty();
        }

        /** Stops it. */
        @Override
        void close();
    }
}
