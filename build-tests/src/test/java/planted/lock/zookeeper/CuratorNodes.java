package planted.lock.zookeeper;

import io.holdfast.build.architecture.Violates;
import org.apache.curator.framework.CuratorFramework;

@Violates("client types are seen in the provider and its builder alone")
public record CuratorNodes(CuratorFramework curator) {}
