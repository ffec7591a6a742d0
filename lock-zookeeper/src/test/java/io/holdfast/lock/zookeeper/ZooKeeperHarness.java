package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.MortalProvider;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import io.holdfast.lock.tck.faults.StoreServer;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.JarVersion;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** What the kit needs to know of ZooKeeper. The providers of one test are connected to different servers. */
final class ZooKeeperHarness implements LockHarness {

    private final Site shared;
    private final Death death;
    private final LockOptions options;
    private final List<TcpProxy> doors = new CopyOnWriteArrayList<>();
    private @Nullable StoreServer own;
    private boolean needsOwn;
    private volatile boolean full;

    ZooKeeperHarness(Site site, Death death) {
        this(site, death, LockOptions.DEFAULTS);
    }

    ZooKeeperHarness(Site site, Death death, LockOptions options) {
        this.shared = site;
        this.death = death;
        this.options = options;
    }

    @Override
    public LockOptions options() {
        return options;
    }

    @Override
    public LockProvider open() {
        StoreServer server = needsOwn ? own() : shared.next();
        TcpProxy proxy = TcpProxy.to(server.host(), server.port());
        if (full) {
            proxy.refuse();
        }
        doors.add(proxy);
        return new MortalProvider(ZooKeeperProviders.at(uri("127.0.0.1:" + proxy.port())), proxy, lease(), death);
    }

    /** A server that a test may stop and kill. */
    private synchronized StoreServer own() {
        StoreServer started = own;
        if (started == null) {
            started = ZooKeeperServer.start();
            own = started;
        }
        return started;
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
        return Optional.of(uri(needsOwn ? own().host() + ":" + own().port() : shared.connectionString()));
    }

    private String uri(String servers) {
        return "zookeeper://" + servers + "/tck?sessionTimeout=" + lease().toMillis() + "ms";
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> shared.operator().deleteFirst(new LockPaths("/tck").lock(name)));
    }

    @Override
    public Faults faults() {
        return new SessionFaults();
    }

    @Override
    public List<String> versions() {
        return List.of(
                "ZooKeeper " + JarVersion.of(ZooKeeper.class), "Curator " + JarVersion.of(CuratorFramework.class));
    }

    @Override
    public synchronized void close() {
        if (own != null) {
            own.close();
        }
    }

    /** The faults of ZooKeeper. */
    private final class SessionFaults implements Faults {

        @Override
        public Optional<String> absence(String fault) {
            return Optional.ofNullable(
                    switch (fault) {
                        case "lostReplies", "lostReply" ->
                            "a session does not outlive the loss of a reply for as long as the rule may take";
                        case "stalledConnection" -> "a provider has one connection, so none of several can hang";
                        case "dataLoss" ->
                            "strict tokens grow across what the store survives, and not across a loss of its data";
                        case "errorReplies" ->
                            "a server takes all changes of a session that it has; without rights no session creates"
                                    + " its nodes at all";
                        case "clockStep" -> "no wall clock of a server ends a session";
                        default -> null;
                    });
        }

        private Fault toAllDoors(Consumer<TcpProxy> begin, Consumer<TcpProxy> end) {
            return new Fault(() -> doors.forEach(begin), () -> doors.forEach(end));
        }

        private Optional<Fault> toServer(Consumer<StoreServer> begin, Consumer<StoreServer> end) {
            needsOwn = true;
            return Optional.of(new Fault(() -> begin.accept(own()), () -> end.accept(own())));
        }

        @Override
        public Optional<Fault> outage() {
            return Optional.of(toAllDoors(
                    door -> {
                        door.refuse();
                        door.reset();
                    },
                    TcpProxy::accept));
        }

        @Override
        public Optional<Function<Duration, Fault>> slowNetwork() {
            return Optional.of(delay ->
                    toAllDoors(door -> door.delay(Direction.REPLIES, delay), door -> door.pass(Direction.REPLIES)));
        }

        @Override
        public Optional<Fault> exhaustion() {
            Fault doorsShut = toAllDoors(TcpProxy::refuse, TcpProxy::accept);
            return Optional.of(new Fault(
                    () -> {
                        full = true;
                        doorsShut.begin().run();
                    },
                    () -> {
                        full = false;
                        doorsShut.end().run();
                    }));
        }

        @Override
        public Optional<Fault> pause() {
            return toServer(StoreServer::pause, StoreServer::resume);
        }

        @Override
        public Optional<Fault> crash() {
            return toServer(StoreServer::kill, StoreServer::restart);
        }

        @Override
        public Optional<Consumer<LockProvider>> sessionEnd() {
            return Faults.ofSessionEnd(lease().plus(expiryTolerance())).sessionEnd();
        }
    }
}
