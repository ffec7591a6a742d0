package io.holdfast.lock.redis;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.ServerGate;
import io.holdfast.parts.JarVersion;
import io.holdfast.servers.RedisSentinels;
import io.holdfast.servers.RedisServer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import redis.clients.jedis.UnifiedJedis;

/** A master, its replicas and sentinels for the kit. All its tests share them; they end with the JVM. */
final class SentinelHarness implements LockHarness {

    private static final RedisSentinels SENTINELS = start();

    /** Shorter than by default, as after an outage of the kit no other server takes over. */
    private static final String FAIL_OVER = "failover=1s";

    private final RedisServer master = SENTINELS.master();
    private final ServerGate gate = new ServerGate(master.host(), master.port());
    private String name = RedisSentinels.MASTER;

    /** The kit has no use for a fail-over, and a busy machine may keep the master waiting for a second. */
    private static RedisSentinels start() {
        RedisSentinels started = RedisSentinels.start();
        started.sentinels()
                .forEach(sentinel ->
                        sentinel.command("SENTINEL", "SET", RedisSentinels.MASTER, "down-after-milliseconds", "60000"));
        return started;
    }

    @Override
    public LockProvider open() {
        return RedisProviders.at(uri(name));
    }

    @Override
    public Optional<String> uri() {
        return Optional.of(uri(RedisSentinels.MASTER));
    }

    private static String uri(String master) {
        return SentinelScene.uri(SENTINELS.addresses(), master, FAIL_OVER);
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(key -> master.command("DEL", KeySpace.DEFAULT_PREFIX + key));
    }

    /** The sentinels know the gate as a master of another name, and never agree that it is down. */
    @Override
    public Faults faults() {
        return SeveralServers.faults(this::openGate);
    }

    private List<ServerGate> openGate() {
        if (!name.equals(RedisSentinels.MASTER)) {
            return List.of(gate);
        }
        name = "gate-" + gate.proxy().port();
        SENTINELS
                .sentinels()
                .forEach(sentinel -> sentinel.command(
                        "SENTINEL", "MONITOR", name, master.host(), Integer.toString(gate.port()), "9"));
        return List.of(gate);
    }

    @Override
    public List<String> versions() {
        return List.of("Redis " + master.version(), "Jedis " + JarVersion.of(UnifiedJedis.class));
    }

    @Override
    public void close() {
        if (!name.equals(RedisSentinels.MASTER)) {
            SENTINELS.sentinels().forEach(sentinel -> sentinel.command("SENTINEL", "REMOVE", name));
        }
        gate.close();
    }
}
