package io.holdfast.lock.redisson;

import static io.holdfast.parts.Waits.soon;

import io.holdfast.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * A real Redis Cluster of masters without replicas. They do not declare each other dead within a test, so a node that is
 * killed or paused keeps its slots.
 *
 * @param nodes the masters; each owns the same number of slots; the last {@link #UNOWNED} have no owner
 */
record RedissonCluster(List<RedisServer> nodes) implements AutoCloseable {

    /** Slots that no node has. */
    static final int UNOWNED = 384;

    private static final int SLOTS = 16_384;
    private static final String BUS = "--cluster-port";

    static RedissonCluster of(int masters) {
        RedissonCluster cluster = new RedissonCluster(
                IntStream.range(0, masters).mapToObj(i -> startNode()).toList());
        int each = (SLOTS - UNOWNED) / masters;
        for (int i = 0; i < masters; i++) {
            RedisServer node = cluster.nodes.get(i);
            node.command("CLUSTER", "ADDSLOTSRANGE", Integer.toString(i * each), Integer.toString((i + 1) * each - 1));
            node.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        RedisServer first = cluster.nodes.get(0);
        cluster.nodes.stream()
                .skip(1)
                .forEach(node -> first.command(
                        "CLUSTER",
                        "MEET",
                        node.host(),
                        Integer.toString(node.port()),
                        Integer.toString(node.port(BUS))));
        cluster.nodes.forEach(node -> soon().until(() ->
                node.command("CLUSTER", "INFO").toString().contains("cluster_slots_ok:" + masters * each)));
        cluster.nodes.forEach(node ->
                soon().until(() -> node.command("CLUSTER", "INFO").toString().contains("cluster_state:ok")));
        return cluster;
    }

    private static RedisServer startNode() {
        return RedisServer.start(
                "--cluster-enabled",
                "yes",
                "--cluster-announce-ip",
                "127.0.0.1",
                BUS,
                RedisServer.FREE_PORT,
                "--cluster-require-full-coverage",
                "no",
                "--cluster-node-timeout",
                "600000");
    }

    /** A client that knows the nodes as they were when it connected. */
    RedissonClient client() {
        Config config = new Config();
        config.useClusterServers()
                .addNodeAddress(nodes.stream()
                        .map(node -> "redis://" + node.host() + ":" + node.port())
                        .toArray(String[]::new))
                .setCheckSlotsCoverage(false)
                .setScanInterval(3_600_000)
                .setMasterConnectionMinimumIdleSize(1);
        return Redisson.create(config);
    }

    /** Names of locks whose slots a node owns. */
    Stream<String> namesOn(int node) {
        int each = (SLOTS - UNOWNED) / nodes.size();
        return names(node * each, (node + 1) * each);
    }

    /** Names of locks that no node is responsible for. */
    Stream<String> namesOnNone() {
        return names(SLOTS - UNOWNED, SLOTS);
    }

    private Stream<String> names(int from, int to) {
        return IntStream.iterate(0, i -> i + 1).mapToObj(i -> "lock-" + i).filter(name -> {
            int slot = slot(name);
            return slot >= from && slot < to;
        });
    }

    int slot(String name) {
        return Math.toIntExact((Long) nodes.get(0).command("CLUSTER", "KEYSLOT", name));
    }

    /** Moves a slot with all its keys, as an operator does who adds a node. */
    void move(int slot, int from, int to) {
        RedisServer source = nodes.get(from);
        RedisServer target = nodes.get(to);
        String number = Integer.toString(slot);
        String targetId = (String) target.command("CLUSTER", "MYID");
        target.command("CLUSTER", "SETSLOT", number, "IMPORTING", (String) source.command("CLUSTER", "MYID"));
        source.command("CLUSTER", "SETSLOT", number, "MIGRATING", targetId);
        List<String> migrate = new ArrayList<>(
                List.of("MIGRATE", target.host(), Integer.toString(target.port()), "", "0", "5000", "KEYS"));
        ((List<?>) source.command("CLUSTER", "GETKEYSINSLOT", number, "100")).forEach(key -> migrate.add((String) key));
        source.command(migrate.toArray(String[]::new));
        target.command("CLUSTER", "SETSLOT", number, "NODE", targetId);
        source.command("CLUSTER", "SETSLOT", number, "NODE", targetId);
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }
}
