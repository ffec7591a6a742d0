package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;

import io.holdfast.lock.LockClient;
import io.holdfast.servers.RedisSentinels;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.List;
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

    /** For a test that has no use for a fail-over: a busy machine may keep the master waiting for a second. */
    void keepMaster() {
        sentinels
                .sentinels()
                .forEach(sentinel ->
                        sentinel.command("SENTINEL", "SET", RedisSentinels.MASTER, "down-after-milliseconds", "60000"));
    }

    String uri(String query) {
        return uri(sentinels.addresses(), RedisSentinels.MASTER, query);
    }

    static String uri(String addresses, String master, String query) {
        return "redis-sentinel://" + addresses + "/" + master + "?" + query;
    }

    LockClient connect(String query) {
        return LockClient.connect(uri(query));
    }

    RedisLockProvider provider(String query) {
        return RedisProviders.at(uri(query));
    }

    static void awaitSubscribers(RedisServer server, String name, long expected, Duration within) {
        soon().atMost(within).until(() -> Subscribers.of(server, name) == expected);
    }

    /** Waits until all replicas have a key. */
    void awaitReplicated(String key) {
        sentinels
                .servers()
                .forEach(server ->
                        soon().until(() -> server.command("EXISTS", key).equals(1L)));
    }

    /** The addresses of clients, not of other servers or sentinels. */
    static List<String> connections(RedisServer server) {
        return server.command("CLIENT", "LIST")
                .toString()
                .lines()
                .filter(line -> line.contains("name=holdfast"))
                .map(line -> line.split(" ", 3)[1])
                .toList();
    }

    /** Those of Jedis that listen to the sentinels of this test. */
    List<Thread> listeners() {
        List<String> ends = sentinels.sentinels().stream()
                .map(sentinel -> ":" + sentinel.port() + "]")
                .toList();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> ends.stream().anyMatch(thread.getName()::endsWith))
                .toList();
    }
}
