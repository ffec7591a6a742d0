package io.holdfast.lock.redis;

import io.holdfast.lock.LockClient;
import io.holdfast.servers.RedisSentinels;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** A new master with its replicas and sentinels for each test. */
@Tag("server")
abstract class SentinelScene {

    static final Duration BOUND = Duration.ofSeconds(30);

    RedisSentinels sentinels;

    @BeforeEach
    void startSentinels() {
        sentinels = RedisSentinels.start();
    }

    @AfterEach
    void stopSentinels() {
        sentinels.close();
    }

    String uri(String query) {
        return uri(RedisSentinels.MASTER, query);
    }

    String uri(String master, String query) {
        return "redis-sentinel://" + sentinels.addresses() + "/" + master + "?" + query;
    }

    LockClient connect(String query) {
        return LockClient.connect(uri(query));
    }
}
