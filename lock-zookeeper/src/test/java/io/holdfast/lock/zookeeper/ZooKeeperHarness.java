package io.holdfast.lock.zookeeper;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.Outage;
import io.holdfast.parts.MortalProvider;
import io.holdfast.parts.MortalProvider.Death;
import io.holdfast.servers.TcpProxy;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** What the kit needs to know of ZooKeeper. The providers of one test are connected to different servers. */
record ZooKeeperHarness(Site site, Death death, List<TcpProxy> doors) implements LockHarness {

    ZooKeeperHarness(Site site, Death death) {
        this(site, death, new CopyOnWriteArrayList<>());
    }

    @Override
    public LockProvider open() {
        ZooKeeperServer server = site.next();
        TcpProxy proxy = TcpProxy.to(server.host(), server.port());
        doors.add(proxy);
        return new MortalProvider(ZooKeeperProviders.at(uri("127.0.0.1:" + proxy.port())), proxy, lease(), death);
    }

    /** The time-out of the session, which takes the place of every lease. */
    @Override
    public Duration lease() {
        return Duration.ofSeconds(2);
    }

    /** A server ends a session at the end of a tick, which is 2 seconds by default; the rest is for a busy server. */
    @Override
    public Duration expiryTolerance() {
        return Duration.ofMillis(2_500);
    }

    @Override
    public Optional<String> uri() {
        return Optional.of(uri(site.connectionString()));
    }

    private String uri(String servers) {
        return "zookeeper://" + servers + "/tck?sessionTimeout=" + lease().toMillis() + "ms";
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> site.operator().deleteFirst(new LockPaths("/tck").lock(name)));
    }

    @Override
    public Optional<Outage> outage() {
        return Optional.of(new Outage(
                () -> doors.forEach(door -> {
                    door.refuse();
                    door.reset();
                }),
                () -> doors.forEach(TcpProxy::accept)));
    }
}
