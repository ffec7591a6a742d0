package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** The way of one script through a cluster: which node is asked next. */
final class ClusterRoute {

    /** A slot moves once, and a fail-over moves it once more; nodes that do not agree would send a script to and fro. */
    private static final int MOST_HOPS = 5;

    /** While the keys of a script are moved, one after the other: 500 ms. */
    private static final int MOST_REPEATS = 25;

    private static final Duration REPEAT_AFTER = Duration.ofMillis(20);

    private final ClusterNodes nodes;
    private final FailOverPatience patience;
    private final ScriptCall asCalled;
    private ScriptCall call;
    private HostAndPort node;
    private int hops;
    private int repeats;

    ClusterRoute(ClusterNodes nodes, ScriptCall call, FailOverPatience patience) {
        this.patience = patience;
        this.nodes = nodes;
        this.asCalled = call;
        this.call = call;
        this.node = nodes.master(call.slot());
    }

    HostAndPort node() {
        return node;
    }

    ScriptCall call() {
        return call;
    }

    static boolean isRedirection(LockStoreException failure) {
        return failure.getCause() instanceof JedisRedirectionException;
    }

    /**
     * Decides where to go after a failure.
     *
     * @param sent whether the failed node may have got the script; it is not sent again then, as its caller has to know
     * @return whether to run {@link #call()} on {@link #node()} now
     */
    boolean goesOnAfter(LockStoreException failure, boolean sent) {
        if (failure.getCause() instanceof JedisRedirectionException elsewhere) {
            return follows(elsewhere);
        }
        if (RedisFailures.isTryAgain(failure)) {
            return repeats();
        }
        if (!MasterFailures.mayPass(failure)) {
            return false;
        }
        HostAndPort failed = node;
        nodes.refresh(null, failed);
        return !sent && hops++ < MOST_HOPS && !goToMaster().equals(failed);
    }

    private boolean follows(JedisRedirectionException elsewhere) {
        HostAndPort target = elsewhere.getTargetNode();
        // A node that does not know a host name means the one that it was asked by.
        node = target.getHost().isEmpty() ? new HostAndPort(node.getHost(), target.getPort()) : target;
        if (elsewhere instanceof JedisMovedDataException) {
            call = asCalled;
            nodes.refresh(node, null);
        } else {
            call = asCalled.toImporter();
        }
        return hops++ < MOST_HOPS;
    }

    /** Some of the keys have moved already: no node can run the script until the others have as well. */
    private boolean repeats() {
        if (repeats++ >= MOST_REPEATS || patience.closedWithin(REPEAT_AFTER)) {
            return false;
        }
        hops = 0;
        goToMaster();
        return true;
    }

    private HostAndPort goToMaster() {
        call = asCalled;
        node = nodes.master(call.slot());
        return node;
    }
}
