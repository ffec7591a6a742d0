package io.holdfast.bench;

import io.holdfast.servers.ZooKeeperServer;
import java.io.IOException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;

/** A ZooKeeper server. */
final class MeasuredZooKeeper implements MeasuredStore {

    private static final String SYSTEM = "zookeeper";

    private final ZooKeeperServer server = ZooKeeperServer.start();
    private final ZooKeeper cleaner = BareZooKeeper.connect(address());

    MeasuredZooKeeper() throws IOException {}

    @Override
    public String address() {
        return server.host() + ":" + server.port();
    }

    @Override
    public String version() {
        return "ZooKeeper " + Versions.onClassPath("zookeeper");
    }

    @Override
    public void clear() throws InterruptedException, KeeperException {
        for (String child : cleaner.getChildren("/", false)) {
            if (!child.equals(SYSTEM)) {
                ZKUtil.deleteRecursive(cleaner, "/" + child);
            }
        }
    }

    @Override
    public long locks() throws InterruptedException, KeeperException {
        return cleaner.getAllChildrenNumber("/");
    }

    @Override
    public StoreCost cost() {
        return new StoreCost(Double.NaN, Double.NaN, server.requests(), Double.NaN);
    }

    @Override
    public void close() throws IOException {
        try {
            cleaner.close();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        server.close();
    }
}
