package io.holdfast.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/** The limit in ZooKeeper: one session, a node that is created and deleted. */
final class BareZooKeeper implements Locks {

    private static final String PARENT = "/bare";
    private static final Duration SESSION = Duration.ofSeconds(30);

    /** Of a kind that takes the question whether it contains null, which the client asks. */
    private static final List<ACL> EVERYBODY = Collections.singletonList(new ACL(Perms.ALL, new Id("world", "anyone")));

    private final ZooKeeper session;

    BareZooKeeper(String address) throws IOException, InterruptedException, KeeperException {
        session = connect(address);
        try {
            String unusedPath = session.create(PARENT, new byte[0], EVERYBODY, CreateMode.PERSISTENT);
        } catch (NodeExistsException itIsThere) {
            // Another process has made it.
            return;
        }
    }

    static ZooKeeper connect(String address) throws IOException {
        return new ZooKeeper(address, Math.toIntExact(SESSION.toMillis()), event -> {});
    }

    @Override
    public Section section(String lock) {
        String path = PARENT + "/" + lock;
        byte[] data = new byte[0];
        return new Section() {
            @Override
            public OptionalLong enter() throws InterruptedException, KeeperException {
                String unusedPath = session.create(path, data, EVERYBODY, CreateMode.EPHEMERAL);
                return OptionalLong.empty();
            }

            @Override
            public void leave() throws InterruptedException, KeeperException {
                session.delete(path, -1);
            }
        };
    }

    @Override
    public void close() throws IOException {
        try {
            session.close();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IOException(stop);
        }
    }
}
