package io.holdfast.examples.migration;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.core.migration.MigratingLockProvider;
import io.holdfast.lock.core.migration.Phase;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.servers.PostgreSqlServer;
import io.holdfast.servers.RedisServer;
import java.util.function.Supplier;

/**
 * From one store to another. The servers are started for the first test that needs them, and end with the JVM.
 *
 * @param from opens the old store
 * @param to opens the new store
 */
record Move(Supplier<LockProvider> from, Supplier<LockProvider> to) {

    static final Move POSTGRESQL_TO_REDIS =
            new Move(() -> provider(Servers.postgreSql()), () -> provider(Servers.redis()));
    static final Move STRING_TO_HASH = new Move(
            () -> provider(Servers.redis() + "?layout=string&prefix=string:"),
            () -> provider(Servers.redis() + "?layout=hash&prefix=hash:"));
    static final Move REDISSON_TO_REDIS = new Move(() -> provider(Servers.redisson()), () -> provider(Servers.redis()));

    private static LockProvider provider(String uri) {
        LockClient.Builder builder = LockClient.builder(uri);
        return (uri.startsWith("jdbc:") ? builder.property("createTable", "true") : builder).buildProvider();
    }

    /** The provider in one phase, for the kit. */
    LockHarness harness(Phase phase) {
        return new LockHarness() {
            @Override
            public LockProvider open() {
                return MigratingLockProvider.between(from.get(), to.get())
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
    }

    private static final class Redis {
        static final RedisServer SERVER = RedisServer.start();
    }

    private static final class PostgreSql {
        static final PostgreSqlServer SERVER = PostgreSqlServer.start();
    }
}
