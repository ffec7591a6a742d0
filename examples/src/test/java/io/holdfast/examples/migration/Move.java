package io.holdfast.examples.migration;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.core.migration.MigratingLockProvider;
import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.servers.PostgreSqlServer;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * From one store to another. The servers are started for the first test that needs them, and end with the JVM.
 *
 * @param from gives the URI of the old store
 * @param to gives the URI of the new store
 * @param hasSessions whether one of them takes its session's time-out for every lease
 */
record Move(Supplier<String> from, Supplier<String> to, boolean hasSessions) {

    static final Move REDIS_TO_ZOOKEEPER = new Move(Servers::redis, Servers::zooKeeper, true);
    static final Move POSTGRESQL_TO_REDIS = new Move(Servers::postgreSql, Servers::redis, false);
    static final Move STRING_TO_HASH = new Move(
            () -> Servers.redis() + "?layout=string&prefix=string:",
            () -> Servers.redis() + "?layout=hash&prefix=hash:",
            false);
    static final Move REDISSON_TO_REDIS = new Move(Servers::redisson, Servers::redis, false);

    MigratingLockProvider open(Phase phase) {
        return MigratingLockProvider.between(provider(from), provider(to))
                .phase(phase)
                .build();
    }

    private static LockProvider provider(Supplier<String> uri) {
        LockClient.Builder builder = LockClient.builder(uri.get());
        return (uri.get().startsWith("jdbc:") ? builder.property("createTable", "true") : builder).buildProvider();
    }

    /** The provider in one phase, for the kit. */
    LockHarness harness(Phase phase) {
        return new LockHarness() {
            @Override
            public LockProvider open() {
                return Move.this.open(phase);
            }

            /** In ZooKeeper the session's time-out takes the place of every lease, and the servers end sessions at the end of a tick. */
            @Override
            public Duration lease() {
                return hasSessions ? Duration.ofSeconds(2) : LockHarness.super.lease();
            }

            @Override
            public Duration expiryTolerance() {
                return hasSessions ? Duration.ofMillis(2_500) : LockHarness.super.expiryTolerance();
            }
        };
    }

    /** The URIs of the servers. */
    private static final class Servers {
        private static final String SESSION = "?sessionTimeout=2s";

        private Servers() {}

        static String redis() {
            return "redis://" + Redis.SERVER.host() + ":" + Redis.SERVER.port();
        }

        static String redisson() {
            return "redisson://" + Redis.SERVER.host() + ":" + Redis.SERVER.port();
        }

        static String zooKeeper() {
            return "zookeeper://" + ZooKeeper.SERVER.host() + ":" + ZooKeeper.SERVER.port() + "/" + Redis.RUN + SESSION;
        }

        static String postgreSql() {
            return PostgreSql.SERVER.url(PostgreSql.SERVER.port());
        }
    }

    private static final class Redis {
        static final RedisServer SERVER = RedisServer.start();
        static final String RUN = "move-" + UUID.randomUUID();
    }

    private static final class ZooKeeper {
        static final ZooKeeperServer SERVER = ZooKeeperServer.start();
    }

    private static final class PostgreSql {
        static final PostgreSqlServer SERVER = PostgreSqlServer.start();
    }
}
