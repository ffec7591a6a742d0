package io.holdfast.wrong.text;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.ServerGate;
import io.holdfast.servers.RedisServer;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Redis with scripts of which one may be wrong. It has no URI: another process would run the right ones.
 *
 * @param backend the backend
 * @param layout of the locks
 * @param prefix of the keys
 * @param gate before the server
 */
record RedisTextHarness(ChangedBackend backend, String layout, String prefix, ServerGate gate) implements LockHarness {

    private static final String FACTORY = "io.holdfast.lock.redis.RedisLockProviderFactory";

    /** The server that all wrong scripts share. */
    private static final class Shared {
        private static final RedisServer SERVER = RedisServer.start();

        private Shared() {}
    }

    RedisTextHarness(ChangedBackend backend, String layout, String separate) {
        this(backend, layout, separate + ":", new ServerGate(Shared.SERVER.host(), Shared.SERVER.port()));
    }

    /** The server that all wrong scripts share. */
    static RedisServer server() {
        return Shared.SERVER;
    }

    @Override
    public LockProvider open() {
        String uri = "redis://" + Shared.SERVER.host() + ":" + gate.port() + "?layout=" + layout;
        return backend.open(FACTORY, uri, Map.of("prefix", prefix));
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> Shared.SERVER.command("DEL", prefix + name));
    }

    @Override
    public Faults faults() {
        return Faults.ofOutage(gate::outage);
    }

    @Override
    public void close() {
        gate.close();
    }
}
