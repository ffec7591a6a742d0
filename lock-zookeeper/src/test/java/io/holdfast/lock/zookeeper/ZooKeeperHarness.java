package io.holdfast.lock.zookeeper;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.zookeeper.MortalProvider.Death;
import io.holdfast.servers.TcpProxy;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** What the kit needs to know of ZooKeeper. All its tests share one server, which ends with the JVM. */
record ZooKeeperHarness(Death death) implements LockHarness {

    private static final ZooKeeperServer SERVER = ZooKeeperServer.start();
    private static final Operator OPERATOR = Operator.of(SERVER);

    @Override
    public LockProvider open() {
        TcpProxy proxy = TcpProxy.to(SERVER.host(), SERVER.port());
        return new MortalProvider(Providers.at(uri(proxy.port())), proxy, lease(), death);
    }

    /** The time-out of the session, which takes the place of every lease. */
    @Override
    public Duration lease() {
        return Duration.ofSeconds(2);
    }

    @Override
    public Optional<String> uri() {
        return Optional.of(uri(SERVER.port()));
    }

    private String uri(int port) {
        return "zookeeper://127.0.0.1:" + port + "/tck?sessionTimeout=" + lease().toMillis() + "ms";
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> OPERATOR.deleteFirst(new LockPaths("/tck").lock(name)));
    }
}
