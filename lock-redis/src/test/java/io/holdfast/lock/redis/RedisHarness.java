package io.holdfast.lock.redis;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.ServerFaults;
import io.holdfast.parts.JarVersion;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RespConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import redis.clients.jedis.UnifiedJedis;

/** Redis for the kit. All its tests share one server, which ends with the JVM, but those that stop or kill theirs. */
record RedisHarness(Layout layout, ServerFaults faults, LockOptions options) implements LockHarness {

    private static final RedisServer SERVER = RedisServer.start();

    private static final Duration TIME_OUT = Duration.ofSeconds(10);

    RedisHarness(Layout layout) {
        this(layout, LockOptions.DEFAULTS);
    }

    RedisHarness(Layout layout, LockOptions options) {
        this(
                layout,
                new ServerFaults(SERVER.host(), SERVER.port())
                        .losingReplies(request -> true)
                        .stallingConnections()
                        // Every command is in the kernel's hands before its reply; "everysec" may
                        // put that off while it syncs.
                        .withServer(() -> RedisServer.start("--appendonly", "yes", "--appendfsync", "no"))
                        .losingData()
                        .refusingChanges(RedisServer.NO_REPLICAS, RedisServer.READ_ONLY)
                        .without("sessionEnd", "the store has no sessions"),
                options);
    }

    @Override
    public LockProvider open() {
        return RedisProviders.at(uri(faults.port()));
    }

    @Override
    public Optional<String> uri() {
        return Optional.of(uri(faults.serverPort()));
    }

    private String uri(int port) {
        return "redis://" + SERVER.host() + ":" + port + "?layout=" + layout;
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> {
            try (RespConnection operator = RespConnection.open(SERVER.host(), faults.serverPort(), TIME_OUT)) {
                operator.command("DEL", KeySpace.DEFAULT_PREFIX + name);
            }
        });
    }

    @Override
    public List<String> versions() {
        return List.of("Redis " + SERVER.version(), "Jedis " + JarVersion.of(UnifiedJedis.class));
    }

    @Override
    public void close() {
        faults.close();
    }
}
