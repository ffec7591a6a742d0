package io.holdfast.examples.migration;

import io.holdfast.servers.PostgreSqlServer;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.ZooKeeperServer;

/** The URIs of servers that are started for the first test that needs them, and end with the JVM. */
final class Stores {
    private Stores() {}

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
        return "zookeeper://127.0.0.1:" + zooKeeperPort();
    }

    static int zooKeeperPort() {
        return ZooKeeper.SERVER.port();
    }

    private static final class Redis {
        static final RedisServer SERVER = RedisServer.start();
    }

    private static final class PostgreSql {
        // Its data need not outlive the machine, and no call waits for a busy disk.
        static final PostgreSqlServer SERVER = PostgreSqlServer.start("fsync=off");
    }

    private static final class ZooKeeper {
        static final ZooKeeperServer SERVER = ZooKeeperServer.start();
    }
}
