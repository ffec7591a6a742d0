package io.holdfast.lock.redis;

import io.holdfast.servers.RedisServer;
import java.util.List;

/** Counts the clients that are subscribed to the messages of a lock, in either layout. */
final class Subscribers {

    private Subscribers() {}

    static long of(RedisServer server, String name) {
        List<?> channels = (List<?>) server.command("PUBSUB", "CHANNELS", "holdfast:#*:" + name);
        return channels.stream()
                .mapToLong(channel -> (Long) ((List<?>) server.command("PUBSUB", "NUMSUB", (String) channel)).get(1))
                .sum();
    }
}
