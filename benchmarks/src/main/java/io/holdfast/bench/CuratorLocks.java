package io.holdfast.bench;

import java.util.OptionalLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;

/** Curator's {@code InterProcessMutex}, an object for each thread. */
final class CuratorLocks implements Locks {

    private static final int RETRY_MILLIS = 1_000;

    private final CuratorFramework client;

    CuratorLocks(String address) {
        client = CuratorFrameworkFactory.newClient(address, new RetryOneTime(RETRY_MILLIS));
        client.start();
    }

    @Override
    public Section section(String name) {
        InterProcessMutex mutex = new InterProcessMutex(client, "/curator/" + name);
        return new Section() {
            @Override
            public OptionalLong enter() throws Exception {
                mutex.acquire();
                return OptionalLong.empty();
            }

            @Override
            public void leave() throws Exception {
                mutex.release();
            }
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
