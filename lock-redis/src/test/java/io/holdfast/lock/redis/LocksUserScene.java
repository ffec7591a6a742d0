package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.LocksUser;
import io.holdfast.parts.RedisServerScene;
import org.junit.jupiter.api.BeforeEach;

/** A server, and a user who has the rights of the backend's page, or some of them. */
abstract class LocksUserScene extends RedisServerScene {

    LocksUser locks;

    @BeforeEach
    void readThePage() {
        locks = LocksUser.of("redis.md", server);
    }

    RedisLockProvider asLocks(Layout layout) {
        return RedisProviders.at(
                "redis://locks:secret@127.0.0.1:" + server.port() + "/" + LocksUser.DATABASE + "?layout=" + layout);
    }
}
