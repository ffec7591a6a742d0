package io.holdfast.examples.demo;

import io.holdfast.servers.RedisCluster;
import java.util.Optional;

/** A Redis cluster of the demo's own, of which the master that has the lock is killed. */
final class RedisClusterBackend implements DemoBackend {

    @Override
    public String name() {
        return "redis-cluster";
    }

    @Override
    public Stage stage() {
        return new ProcessStage();
    }

    @Override
    public Store start() {
        RedisCluster cluster = RedisCluster.start("--cluster-node-timeout", "1000");
        return new RunningStore(
                "redis-cluster://" + cluster.addresses() + "?timeout=500ms",
                "a Redis cluster of three masters with a replica each on " + cluster.addresses(),
                cluster::close,
                Optional.of(new Mishap(
                        "the master of the lock is killed (SIGKILL); its replica takes over when the other masters have missed it for a second",
                        () -> cluster.master("holdfast:" + Scene.LOCK_NAME).kill(),
                        Mishap.Harm.LOCKS_MAY_BE_LOST)));
    }
}
