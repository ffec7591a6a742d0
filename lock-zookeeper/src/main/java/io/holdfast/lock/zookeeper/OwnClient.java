package io.holdfast.lock.zookeeper;

import java.io.IOException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/** ZooKeeper's client, but for the close: where no session has begun there is none to end, and no server to wait for. */
@SuppressWarnings("try") // ZooKeeper's close() can be interrupted. Curator calls it.
final class OwnClient extends ZooKeeper {

    OwnClient(String servers, int sessionTimeout, Watcher watcher, boolean canBeReadOnly, ZKClientConfig config)
            throws IOException {
        super(servers, sessionTimeout, watcher, canBeReadOnly, config);
    }

    @Override
    public boolean close(int waitMillis) throws InterruptedException {
        if (getSessionId() == 0) {
            cnxn.disconnect();
        }
        return super.close(waitMillis);
    }
}
