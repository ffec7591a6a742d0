package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.Outage;
import io.holdfast.parts.ServerGate;
import io.holdfast.servers.RedisServer;
import java.util.Optional;
import java.util.function.Consumer;

/** Redis for the kit. All its tests share one server, which ends with the JVM. */
record RedisHarness(Layout layout, ServerGate door) implements LockHarness {

    private static final RedisServer SERVER = RedisServer.start();

    RedisHarness(Layout layout) {
        this(layout, new ServerGate(SERVER.host(), SERVER.port()));
    }

    @Override
    public LockProvider open() {
        return RedisProviders.at(uri(door.port()));
    }

    @Override
    public Optional<String> uri() {
        return Optional.of(uri(SERVER.port()));
    }

    private String uri(int port) {
        return "redis://" + SERVER.host() + ":" + port + "?layout=" + layout;
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> SERVER.command("DEL", KeySpace.DEFAULT_PREFIX + name));
    }

    @Override
    public Optional<Outage> outage() {
        door.makeShuttable();
        return Optional.of(new Outage(door::shut, door::open));
    }

    @Override
    public void close() {
        door.close();
    }
}
