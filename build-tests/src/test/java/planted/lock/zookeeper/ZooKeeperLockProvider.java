package planted.lock.zookeeper;

import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.data.Stat;

/** Obeys: the provider is where the client's types are seen, those of both libraries. */
public record ZooKeeperLockProvider(CuratorFramework curator, Stat stat) {}
