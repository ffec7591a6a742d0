package io.holdfast.lock.redisson;

import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.servers.RedisServer;
import java.util.Optional;
import java.util.function.Consumer;

/** What the kit needs to know of Redisson. All its tests share one server, which ends with the JVM. */
record RedissonHarness(Layout layout) implements LockHarness {

    private static final RedisServer SERVER = RedisServer.start();

    @Override
    public LockProvider open() {
        return Providers.at(uri().orElseThrow());
    }

    @Override
    public Optional<String> uri() {
        return Optional.of("redisson://" + SERVER.host() + ":" + SERVER.port() + "?layout=" + layout);
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> SERVER.command("DEL", name));
    }
}
