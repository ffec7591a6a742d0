package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.servers.RedisServer;
import java.util.Optional;
import java.util.function.Consumer;

/** What the kit needs to know of Redis. All its tests share one server, which ends with the JVM. */
record RedisHarness(Layout layout) implements LockHarness {

    private static final RedisServer SERVER = RedisServer.start();

    @Override
    public LockProvider open() {
        return Providers.at(uri().orElseThrow());
    }

    @Override
    public Optional<String> uri() {
        return Optional.of("redis://" + SERVER.host() + ":" + SERVER.port() + "?layout=" + layout);
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> SERVER.command("DEL", KeySpace.DEFAULT_PREFIX + name));
    }
}
