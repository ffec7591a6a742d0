package io.holdfast.examples.migration;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.core.migration.MigratingLockProvider;
import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.servers.PostgreSqlServer;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.ZooKeeperServer;
import java.util.function.Supplier;

/**
 * From one store to another. The servers are started for the first test that needs them, and end with the JVM.
 *
 * @param from the URI of the old store
 * @param to the URI of the new store
 */
record Move(Supplier<String> from, Supplier<String> to) {

    static final Move REDIS_TO_ZOOKEEPER = new Move(() -> Servers.redis() + "?prefix=fleet:", Servers::zooKeeper);
    static final Move POSTGRESQL_TO_REDIS = new Move(Servers::postgreSql, Servers::redis);

    /** On a server of its own: the clients of the kit would be seen as part of the fleet. */
    static final Move FLEET_POSTGRESQL_TO_REDIS = new Move(
            () -> FleetPostgreSql.SERVER.url(FleetPostgreSql.SERVER.port()),
            () -> Servers.redis() + "?prefix=fleet-of-postgresql:");

    static final Move REDISSON_TO_REDIS = new Move(Servers::redisson, Servers::redis);

    /** Names of its own for each phase: a client in the first phase and one in the last must not meet. */
    static Move stringToHash(Phase phase) {
        return new Move(
                () -> Servers.redis() + "?layout=string&prefix=string-" + phase + ":",
                () -> Servers.redis() + "?layout=hash&prefix=hash-" + phase + ":");
    }

    /** Keys of its own: the clients of the kit are no part of a fleet. */
    static String redisForTheKit() {
        return Servers.redis() + "?prefix=kit-to-zookeeper:";
    }

    static int zooKeeperPort() {
        return ZooKeeper.SERVER.port();
    }

    String fromUri() {
        return from.get();
    }

    String toUri() {
        return to.get();
    }

    private static LockProvider provider(String uri) {
        LockClient.Builder builder = LockClient.builder(uri);
        return (uri.startsWith("jdbc:") ? builder.property("createTable", "true") : builder).buildProvider();
    }

    /** The provider in one phase, for the kit. */
    LockHarness harness(Phase phase) {
        return new LockHarness() {
            @Override
            public LockProvider open() {
                return MigratingLockProvider.between(provider(fromUri()), provider(toUri()))
                        .phase(phase)
                        .build();
            }
        };
    }

    /** The URIs of the servers. */
    private static final class Servers {
        private Servers() {}

        static String redis() {
            return "redis://" + Redis.SERVER.host() + ":" + Redis.SERVER.port();
        }

        static String redisson() {
            return "redisson://" + Redis.SERVER.host() + ":" + Redis.SERVER.port();
        }

        static String postgreSql() {
            return PostgreSql.SERVER.url(PostgreSql.SERVER.port());
        }

        static String zooKeeper() {
            return "zookeeper://" + ZooKeeper.SERVER.host() + ":" + ZooKeeper.SERVER.port() + "?sessionTimeout=5s";
        }
    }

    private static final class Redis {
        static final RedisServer SERVER = RedisServer.start();
    }

    private static final class PostgreSql {
        static final PostgreSqlServer SERVER = PostgreSqlServer.start();
    }

    private static final class FleetPostgreSql {
        static final PostgreSqlServer SERVER = PostgreSqlServer.start();
    }

    private static final class ZooKeeper {
        static final ZooKeeperServer SERVER = ZooKeeperServer.start();
    }
}
