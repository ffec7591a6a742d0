package io.holdfast.lock.zookeeper;

import io.holdfast.servers.ZooKeeperServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** An operator with another Curator client, who reads and changes nodes behind the provider's back. */
final class Operator implements AutoCloseable {

    private static final int SESSION_MILLIS = 60_000;
    private static final int CONNECT_MILLIS = 10_000;
    private static final int CONNECTED_WITHIN_SECONDS = 30;

    final CuratorFramework curator;

    private Operator(CuratorFramework curator) {
        this.curator = curator;
    }

    static Operator of(ZooKeeperServer server) {
        return at(server.host() + ":" + server.port());
    }

    static Operator at(String connectionString) {
        return at(connectionString, builder -> builder);
    }

    static Operator at(String connectionString, UnaryOperator<CuratorFrameworkFactory.Builder> settings) {
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(connectionString)
                .sessionTimeoutMs(SESSION_MILLIS)
                .connectionTimeoutMs(CONNECT_MILLIS)
                // The end of a session is two failures: of the connection, and then of the session.
                .retryPolicy(new RetryNTimes(5, 100))
                .ensembleTracker(false);
        CuratorFramework curator = settings.apply(builder).build();
        curator.start();
        // Else a test may count the opening of the session, or time out before it.
        if (!call(() -> curator.blockUntilConnected(CONNECTED_WITHIN_SECONDS, TimeUnit.SECONDS))) {
            throw new IllegalStateException("Not connected to " + connectionString);
        }
        return new Operator(curator);
    }

    /** The nodes of the claims for a lock, in order; none if the lock has no node. */
    List<String> queue(String lock) {
        return call(() -> {
            try {
                return ClaimQueue.of(curator.getChildren().forPath(lock)).nodes();
            } catch (NoNodeException nobody) {
                return List.of();
            }
        });
    }

    boolean exists(String path) {
        return call(() -> curator.checkExists().forPath(path) != null);
    }

    Stat stat(String path) {
        return call(() -> curator.checkExists().forPath(path));
    }

    void create(CreateMode mode, String path, String text) {
        call(() -> curator.create().withMode(mode).forPath(path, text.getBytes(StandardCharsets.UTF_8)));
    }

    String text(String path) {
        return call(() -> new String(curator.getData().forPath(path), StandardCharsets.UTF_8));
    }

    void setText(String path, String text) {
        call(() -> curator.setData().forPath(path, text.getBytes(StandardCharsets.UTF_8)));
    }

    void delete(String path) {
        call(() -> curator.delete().forPath(path));
    }

    /** Takes the lock from its holder. */
    void deleteFirst(String lock) {
        // The member may lag behind the others.
        call(() -> curator.sync().forPath(lock));
        queue(lock).stream().findFirst().ifPresent(node -> delete(lock + "/" + node));
    }

    /** Has the server end a session, by the usual way: closing it on a second connection. */
    static void endSession(CuratorFramework of, ZooKeeperServer server) {
        call(() -> {
            ZooKeeper victim = of.getZookeeperClient().getZooKeeper();
            ZooKeeper twin = new ZooKeeper(
                    server.host() + ":" + server.port(),
                    CONNECT_MILLIS,
                    event -> {},
                    victim.getSessionId(),
                    victim.getSessionPasswd());
            try {
                // Answered once it is connected.
                twin.exists("/", false);
            } finally {
                twin.close(CONNECT_MILLIS);
            }
            return true;
        });
    }

    /** A call of Curator's. */
    interface Action<T> {
        T run() throws Exception;
    }

    static <T> T call(Action<T> action) {
        try {
            return action.run();
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() {
        curator.close();
    }
}
