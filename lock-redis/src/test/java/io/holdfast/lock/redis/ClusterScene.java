package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;

import io.holdfast.lock.LockClient;
import io.holdfast.servers.RedisCluster;
import io.holdfast.servers.RedisServer;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** A cluster that the tests of a class change, and clients of it. */
@Tag("server")
abstract class ClusterScene {

    static final String PREFIX = KeySpace.DEFAULT_PREFIX;
    static final KeySpace KEYS = new KeySpace(PREFIX).inCluster();

    final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    static String uri(RedisCluster cluster, String query) {
        return "redis-cluster://" + cluster.addresses() + "?" + query;
    }

    static LockClient connect(RedisCluster cluster, String query) {
        return LockClient.connect(uri(cluster, query));
    }

    /** The names of some locks of a master. */
    static List<String> namesOn(RedisCluster cluster, RedisServer master, int count) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "stock-" + i)
                .filter(name -> cluster.master(PREFIX + name) == master)
                .limit(count)
                .toList();
    }

    static void awaitSubscriber(RedisServer node, String name) {
        soon().until(() -> ((List<?>) node.command("PUBSUB", "SHARDCHANNELS", "holdfast:#*:" + name)).size() == 1);
    }
}
