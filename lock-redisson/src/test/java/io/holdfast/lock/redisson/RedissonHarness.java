package io.holdfast.lock.redisson;

import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.Outage;
import io.holdfast.parts.ServerGate;
import io.holdfast.servers.RedisServer;
import java.util.Optional;
import java.util.function.Consumer;

/** Redisson for the kit. All its tests share one server, which ends with the JVM. */
record RedissonHarness(Layout layout, ServerGate door) implements LockHarness {

    private static final RedisServer SERVER = RedisServer.start();

    RedissonHarness(Layout layout) {
        this(layout, new ServerGate(SERVER.host(), SERVER.port()));
    }

    @Override
    public LockProvider open() {
        return RedissonProviders.at(uri(door.port()));
    }

    @Override
    public Optional<String> uri() {
        return Optional.of(uri(SERVER.port()));
    }

    private String uri(int port) {
        return "redisson://" + SERVER.host() + ":" + port + "?layout=" + layout;
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> SERVER.command("DEL", name));
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
