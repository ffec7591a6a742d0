package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.RedisFailures.Transport;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.providers.ClusterConnectionProvider;

/** Runs each script on the master of its keys' slot, and goes where the cluster sends it. */
final class ClusterScriptRunner implements ScriptRunner {

    private final ClusterNodes nodes;
    private final RedisFailures failures;
    private final FailOverPatience patience;
    private volatile boolean closed;

    private ClusterScriptRunner(ClusterNodes nodes, RedisFailures failures, FailOverPatience patience) {
        this.nodes = nodes;
        this.failures = failures;
        this.patience = patience;
    }

    /** With connections that are closed with the runner. */
    static ClusterScriptRunner at(
            RedisAddress address,
            JedisClientConfig client,
            GenericObjectPoolConfig<Connection> pool,
            FailOverPatience patience) {
        String limits = "poolSize is " + pool.getMaxTotal() + " for each node and poolWait "
                + pool.getMaxWaitDuration().toMillis() + " ms; raise one of them";
        NodePools pools = NodePools.owned(Set.copyOf(address.nodes()), client, pool);
        Transport transport = Transport.of(address);
        return new ClusterScriptRunner(
                nodes(
                        pools,
                        ConnectionSharing.in(pool),
                        node -> new RedisFailures(node + " of the cluster " + address, limits, transport)),
                new RedisFailures("the cluster " + address, limits, transport),
                patience);
    }

    /** Over a given client, from which the subscriptions borrow one connection for each master while they last. */
    static ClusterScriptRunner over(ClusterConnectionProvider client, ClientUse use, FailOverPatience patience) {
        Function<String, RedisFailures> failuresAt = place ->
                new RedisFailures(place, "the given client's pool for this node is too small", Transport.GIVEN, use);
        return new ClusterScriptRunner(
                nodes(
                        NodePools.given(client),
                        ConnectionSharing.NONE,
                        node -> failuresAt.apply(node + " of the given client's cluster")),
                failuresAt.apply("the given client's cluster"),
                patience);
    }

    private static ClusterNodes nodes(
            NodePools pools, ConnectionSharing sharing, Function<HostAndPort, RedisFailures> failuresOf) {
        return new ClusterNodes(
                pools,
                failuresOf,
                (node, pool) -> new PooledScriptRunner(
                        node,
                        new PresentPool(() -> pool, sharing, pool::getResource, () -> {}),
                        failuresOf.apply(node),
                        ScriptPipeline.Answering.ANY,
                        FailOverPatience.none()));
    }

    @Override
    public <T> T run(ScriptCall call, Runnable beforeSending, Function<ServerReply, T> reading) {
        return routed(call, beforeSending, (runner, routed, noting) -> runner.run(routed, noting, reading));
    }

    @Override
    public <T> T runAlone(ScriptCall call, Runnable beforeSending, BiFunction<ServerReply, Connection, T> reading) {
        return routed(call, beforeSending, (runner, routed, noting) -> runner.runAlone(routed, noting, reading));
    }

    /**
     * Runs a script on a node.
     *
     * @param <T> the answer
     */
    private interface Running<T> {
        T on(PooledScriptRunner runner, ScriptCall call, Runnable beforeSending);
    }

    private <T> T routed(ScriptCall call, Runnable beforeSending, Running<T> running) {
        if (closed) {
            throw failures.closed(call.what());
        }
        nodes.discover(call.what());
        ClusterRoute route = new ClusterRoute(nodes, call, patience);
        while (true) {
            AtomicBoolean sent = new AtomicBoolean();
            Runnable noting = () -> {
                sent.set(true);
                beforeSending.run();
            };
            try {
                return running.on(nodes.runner(route.node()), route.call(), noting);
            } catch (LockStoreException failure) {
                if (closed || !route.goesOnAfter(failure, sent.get())) {
                    throw failure;
                }
            }
        }
    }

    @Override
    public List<Object> runAll(List<ScriptCall> calls, Consumer<Connection> confirming) {
        if (calls.isEmpty()) {
            return List.of();
        }
        if (closed) {
            throw failures.closed(ScriptCall.what(calls));
        }
        nodes.discover(ScriptCall.what(calls));
        Map<Object, List<Integer>> byNode = IntStream.range(0, calls.size())
                .boxed()
                .collect(Collectors.groupingBy(i -> placeOf(calls.get(i)), LinkedHashMap::new, Collectors.toList()));
        Object[] replies = new Object[calls.size()];
        byNode.forEach((node, group) -> {
            List<Object> answers =
                    runOn((HostAndPort) node, group.stream().map(calls::get).toList(), confirming);
            for (int i = 0; i < group.size(); i++) {
                replies[group.get(i)] = answers.get(i);
            }
        });
        return Arrays.asList(replies);
    }

    /** A node that fails fails its own scripts alone. */
    private List<Object> runOn(HostAndPort node, List<ScriptCall> calls, Consumer<Connection> confirming) {
        try {
            List<Object> answers = SecondTry.of(() -> nodes.runner(node).runAll(calls, confirming));
            for (int i = 0; i < calls.size(); i++) {
                if (answers.get(i) instanceof LockStoreException refused && ClusterRoute.isRedirection(refused)) {
                    answers.set(i, followed(calls.get(i), confirming));
                }
            }
            return answers;
        } catch (LockStoreException failure) {
            if (MasterFailures.mayPass(failure)) {
                nodes.refresh(null, node);
            }
            return Arrays.asList(calls.stream().map(call -> (Object) failure).toArray());
        }
    }

    private Object followed(ScriptCall call, Consumer<Connection> confirming) {
        try {
            return SecondTry.<Object>of(() -> runAlone(call, () -> {}, (reply, connection) -> {
                confirming.accept(connection);
                return reply;
            }));
        } catch (LockStoreException failure) {
            return failure;
        }
    }

    @Override
    public Object placeOf(ScriptCall call) {
        return nodes.master(call.slot());
    }

    @Override
    public KeySpace in(KeySpace keys) {
        return keys.inCluster();
    }

    @Override
    public Connection openSubscription() {
        throw new UnsupportedOperationException("A cluster has a subscription for each master");
    }

    @Override
    public RedisFeed releases(FeedTarget target) {
        return new ClusterReleases(nodes, target);
    }

    @Override
    public FailOverPatience patience() {
        return patience;
    }

    @Override
    public void close() {
        closed = true;
        nodes.close();
    }
}
