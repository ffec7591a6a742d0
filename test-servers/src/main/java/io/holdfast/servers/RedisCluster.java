package io.holdfast.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis cluster of three masters with a replica each, on free ports of this machine. Not thread-safe, except for commands.
 */
public final class RedisCluster implements AutoCloseable {

    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;
    private static final Duration READY_WITHIN = Duration.ofSeconds(30);

    /** A replica gives a planned fail-over up after five seconds, without a word. */
    private static final Duration FAIL_OVER_AGAIN = Duration.ofSeconds(6);

    private final List<RedisServer> nodes;

    private RedisCluster(List<RedisServer> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /**
     * Starts a cluster and waits until all its nodes serve. A master that does not answer is replaced after the node time-out,
     * which is 15 seconds unless configured otherwise, and the time of an election.
     *
     * @param config further settings of each node, as of {@link RedisServer#start}
     * @return the cluster
     */
    public static RedisCluster start(String... config) {
        List<String> line =
                new ArrayList<>(List.of("--cluster-enabled", "yes", "--cluster-port", RedisServer.FREE_PORT));
        line.addAll(List.of("--repl-diskless-sync-delay", "0"));
        line.addAll(List.of("--cluster-replica-validity-factor", "0", "--cluster-allow-replica-migration", "no"));
        line.addAll(List.of(config));
        ExecutorService starters = Executors.newFixedThreadPool(2 * MASTERS);
        List<CompletableFuture<RedisServer>> starting = IntStream.range(0, 2 * MASTERS)
                .mapToObj(each ->
                        CompletableFuture.supplyAsync(() -> RedisServer.start(line.toArray(String[]::new)), starters))
                .toList();
        starters.shutdown();
        RedisCluster cluster =
                new RedisCluster(starting.stream().map(CompletableFuture::join).toList());
        cluster.join();
        return cluster;
    }

    private void join() {
        for (int i = 0; i < MASTERS; i++) {
            RedisServer master = nodes.get(i);
            int first = i * SLOTS / MASTERS;
            int last = (i + 1) * SLOTS / MASTERS - 1;
            master.command("CLUSTER", "ADDSLOTSRANGE", Integer.toString(first), Integer.toString(last));
            master.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        for (RedisServer node : nodes) {
            for (RedisServer other : nodes) {
                if (node != other) {
                    node.command(
                            "CLUSTER",
                            "MEET",
                            other.host(),
                            Integer.toString(other.port()),
                            Integer.toString(other.port("--cluster-port")));
                }
            }
        }
        await(() -> nodes.stream()
                .allMatch(node ->
                        lines(node).filter(line -> !line.contains("handshake")).count() == nodes.size()));
        for (int i = 0; i < MASTERS; i++) {
            nodes.get(MASTERS + i).command("CLUSTER", "REPLICATE", id(nodes.get(i)));
        }
        awaitReady();
    }

    /** Waits until all nodes serve, and each of them knows that every master has a replica that has its data. */
    public void awaitReady() {
        await(() -> nodes.stream()
                .allMatch(node -> servesAll(node)
                        && lines(node)
                                        .filter(line -> line.contains("slave") && !line.contains("fail"))
                                        .count()
                                == MASTERS
                        && (isMaster(node) || replication(node).contains("master_link_status:up"))));
    }

    /** Where a cluster need not be complete, a node serves although some slots have no master. */
    private static boolean servesAll(RedisServer node) {
        String info = info(node);
        return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:" + SLOTS);
    }

    private static String info(RedisServer node) {
        return node.command("CLUSTER", "INFO").toString();
    }

    private static String replication(RedisServer node) {
        return node.command("INFO", "replication").toString();
    }

    private static Stream<String> lines(RedisServer node) {
        return node.command("CLUSTER", "NODES").toString().lines();
    }

    private static String id(RedisServer node) {
        return node.command("CLUSTER", "MYID").toString();
    }

    private static boolean isMaster(RedisServer node) {
        return replication(node).contains("role:master");
    }

    private static void await(BooleanSupplier condition) {
        Polling.await("the Redis cluster", READY_WITHIN, condition);
    }

    /**
     * The addresses of all nodes, as in a URI.
     *
     * @return the addresses
     */
    public String addresses() {
        return nodes.stream().map(node -> node.host() + ":" + node.port()).collect(Collectors.joining(","));
    }

    /**
     * All nodes, the first masters first.
     *
     * @return the nodes
     */
    public List<RedisServer> nodes() {
        return nodes;
    }

    /**
     * The slot of a key.
     *
     * @param key the key
     * @return the slot
     */
    public long slot(String key) {
        return (Long) nodes.get(0).command("CLUSTER", "KEYSLOT", key);
    }

    /**
     * The master of a key, as its own node sees it.
     *
     * @param key the key
     * @return the node
     */
    public RedisServer master(String key) {
        return nodes.stream()
                .filter(node -> Polling.holds(() -> serves(node, key)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No node serves the key " + key));
    }

    private static boolean serves(RedisServer node, String key) {
        try {
            return isMaster(node) && node.command("TYPE", key) != null;
        } catch (RespConnection.ServerError elsewhere) {
            return elsewhere.toString().contains("ASK ");
        }
    }

    /**
     * The replica of a master.
     *
     * @param master the master
     * @return the node
     */
    public RedisServer replica(RedisServer master) {
        String id = id(master);
        return nodes.stream()
                .filter(node -> Polling.holds(
                        () -> lines(node).anyMatch(line -> line.contains("myself,slave") && line.contains(id))))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("The master has no replica"));
    }

    /**
     * Makes the replica of a master the master, without losing anything, and waits until it is.
     *
     * @param master the master, which becomes the replica
     */
    public void failOver(RedisServer master) {
        RedisServer replica = replica(master);
        Polling.bringAbout(
                "a planned fail-over of the Redis cluster",
                READY_WITHIN,
                () -> isMaster(replica) && !isMaster(master),
                // A node that is the master already refuses it.
                () -> replica.command("CLUSTER", "FAILOVER"),
                FAIL_OVER_AGAIN);
    }

    /**
     * Waits until a node has become a master.
     *
     * @param replica the node
     */
    public void awaitMaster(RedisServer replica) {
        await(() -> isMaster(replica) && info(replica).contains("cluster_state:ok"));
    }

    /**
     * Begins to move a slot: from now on its keys may be at either master.
     *
     * @param key a key of the slot
     * @param to the master that gets it
     */
    public void beginMove(String key, RedisServer to) {
        RedisServer from = master(key);
        String slot = Long.toString(slot(key));
        to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", id(from));
        from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", id(to));
    }

    /**
     * Moves a key, if there is one, to the master that gets its slot.
     *
     * @param key the key
     * @param from the master that gives the slot away
     * @param to the master that gets it
     */
    public void move(String key, RedisServer from, RedisServer to) {
        from.command("MIGRATE", to.host(), Integer.toString(to.port()), key, "0", "5000");
    }

    /**
     * Ends the move of a slot, whose keys have all been moved.
     *
     * @param key a key of the slot
     * @param from the master that gives the slot away
     * @param to the master that gets it
     */
    public void endMove(String key, RedisServer from, RedisServer to) {
        String slot = Long.toString(slot(key));
        to.command("CLUSTER", "SETSLOT", slot, "NODE", id(to));
        from.command("CLUSTER", "SETSLOT", slot, "NODE", id(to));
    }

    /** Ends all nodes and removes their data. */
    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }
}
