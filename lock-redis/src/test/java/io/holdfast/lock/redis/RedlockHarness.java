package io.holdfast.lock.redis;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.ServerGate;
import io.holdfast.parts.JarVersion;
import io.holdfast.parts.Providers;
import io.holdfast.servers.RedisNodes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import redis.clients.jedis.UnifiedJedis;

/**
 * Redlock on five servers for the kit. All its tests share the servers, which end with the JVM and are not restarted before. They
 * write nothing to the disk, which would be the time of most tests; the user may not read that, so the parameter is believed.
 */
record RedlockHarness(List<ServerGate> gates) implements LockHarness {

    private static final RedisNodes NODES = RedisNodes.start(5);

    static {
        NODES.all()
                .forEach(server ->
                        server.command("ACL", "SETUSER", "kit", "on", ">secret", "~*", "&*", "+@all", "-config"));
    }

    RedlockHarness() {
        this(NODES.all().stream()
                .map(server -> new ServerGate(server.host(), server.port()))
                .toList());
    }

    @Override
    public LockProvider open() {
        return Providers.open(
                new RedlockLockProviderFactory(),
                uri(gates.stream()
                        .map(gate -> NODES.get(0).host() + ":" + gate.port())
                        .collect(Collectors.joining(","))),
                Map.of());
    }

    @Override
    public boolean decidesByOneRequest() {
        return false;
    }

    @Override
    public Optional<String> uri() {
        return Optional.of(uri(NODES.addresses()));
    }

    private static String uri(String addresses) {
        return "redlock://kit:secret@" + addresses + "?persistence=always";
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name ->
                NODES.all().forEach(server -> server.command("DEL", KeySpace.DEFAULT_PREFIX + name)));
    }

    @Override
    public Faults faults() {
        return SeveralServers.faults(() -> gates);
    }

    @Override
    public List<String> versions() {
        return List.of("Redis " + NODES.get(0).version(), "Jedis " + JarVersion.of(UnifiedJedis.class));
    }

    @Override
    public void close() {
        gates.forEach(ServerGate::close);
    }
}
