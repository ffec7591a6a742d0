package io.holdfast.containers;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.MortalProvider;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import io.holdfast.lock.tck.faults.TcpProxy;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

/** ZooKeeper for the kit. All tests share one server. */
record ContainerZooKeeperHarness(Death death) implements LockHarness {

    /** A tick of 100 ms instead of 2 s: the shortest session that a server allows lasts two. */
    static final ContainerServer SERVER = new ContainerServer(
            "containers.zookeeper",
            2181,
            container -> container
                    .withEnv("ZOO_TICK_TIME", "100")
                    .withEnv("ZOO_MAX_CLIENT_CNXNS", "0")
                    .withEnv("ZOO_CFG_EXTRA", "maxSessionTimeout=600000"),
            address -> Backends.open("zookeeper://" + address, Map.of()));

    private static final String BASE = "/tck";
    private static final String NODE = "lock-";

    @Override
    public LockProvider open() {
        TcpProxy proxy = TcpProxy.to(SERVER.host(), SERVER.port());
        return new MortalProvider(Backends.open(uri("127.0.0.1:" + proxy.port()), Map.of()), proxy, lease(), death);
    }

    /** The session's time-out, which replaces every lease. A client gives up its connection after two thirds of it. */
    @Override
    public Duration lease() {
        return Duration.ofSeconds(3);
    }

    /** A server ends a session at the end of a tick, which is 2 seconds by default; the rest is for a busy server. */
    @Override
    public Duration expiryTolerance() {
        return Duration.ofMillis(2_500);
    }

    @Override
    public Optional<String> uri() {
        return Optional.of(uri(SERVER.address()));
    }

    private String uri(String address) {
        return "zookeeper://" + address + BASE + "?sessionTimeout=" + lease().toMillis() + "ms";
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(this::deleteFirst);
    }

    /** The kit's names need no encoding in a path. */
    private void deleteFirst(String name) {
        String lock = BASE + "/" + name;
        try (CuratorFramework operator = CuratorFrameworkFactory.newClient(SERVER.address(), new RetryOneTime(10))) {
            operator.start();
            if (operator.checkExists().forPath(lock) != null) {
                Optional<String> first = operator.getChildren().forPath(lock).stream()
                        .min(Comparator.comparing(node -> node.substring(node.lastIndexOf(NODE))));
                if (first.isPresent()) {
                    operator.delete().forPath(lock + "/" + first.get());
                }
            }
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }
}
