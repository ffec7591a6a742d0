package io.holdfast.lock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One session with the ensemble, and its requests: each is sent at once, in the order of the calls, and never repeated.
 * Thread-safe.
 *
 * <p>Curator's own operations would repeat a request whose reply was lost, which is the engine's decision, and cannot be sent two
 * at a time.
 */
final class Session {

    static final int ANY_VERSION = -1;

    private static final byte[] NOTHING = {};

    private final ZooKeeper client;
    private final Duration connectTimeout;

    /** One for all claims that it was promised to. */
    private volatile NegotiatedTimeOut negotiated = NegotiatedTimeOut.NONE;

    /**
     * Creates the session of a client. A client has exactly one, which may not have begun yet.
     *
     * @param client the client
     * @param connectTimeout how long the session may take to begin
     */
    Session(ZooKeeper client, Duration connectTimeout) {
        this.client = client;
        this.connectTimeout = connectTimeout;
    }

    /**
     * What was read of a node.
     *
     * @param text what is in it, read as UTF-8
     * @param stat what the server knows of it
     */
    record NodeContent(String text, Stat stat) {}

    /**
     * A node that was created.
     *
     * @param path where it is
     * @param stat what the server knows of it
     */
    record CreatedNode(String path, Stat stat) {}

    /**
     * The children of a node.
     *
     * @param names their names
     * @param parent what the server knows of the node
     */
    record Children(List<String> names, Stat parent) {}

    /**
     * A node that was created, and counted.
     *
     * @param path where it is
     * @param parent what the server knew of the node above it right after that
     */
    record CountedNode(String path, Stat parent) {}

    /** Whether both are the same session. Ids cannot be compared: a client that is still connecting has none yet. */
    boolean isSameAs(Session other) {
        return client == other.client;
    }

    /** Whether it is that of a client, with a time-out for connecting. */
    boolean isOf(ZooKeeper other, Duration timeOut) {
        return client == other && connectTimeout.equals(timeOut);
    }

    Duration connectTimeout() {
        return connectTimeout;
    }

    /** Whether it has ended for good, as far as the client knows. */
    boolean isOver() {
        return !client.getState().isAlive();
    }

    /** The negotiated time-out; zero before the session has begun. */
    private Duration timeOut() {
        return Duration.ofMillis(client.getSessionTimeout());
    }

    /** The time-out that its nodes have now. */
    NegotiatedTimeOut negotiated() {
        NegotiatedTimeOut latest = negotiated;
        Duration now = timeOut();
        if (!latest.timeOut().equals(now)) {
            latest = new NegotiatedTimeOut(now);
            negotiated = latest;
        }
        return latest;
    }

    /** Whether the time-out is not shorter than it was: a server may grant less when the client comes back. */
    boolean keeps(NegotiatedTimeOut promised) {
        return timeOut().compareTo(promised.timeOut()) >= 0;
    }

    private <T> Reply<T> newReply() {
        return new Reply<>(timeOut().plus(connectTimeout));
    }

    Reply<CreatedNode> create(String path, byte[] data, List<ACL> acl, CreateMode mode) {
        Reply<CreatedNode> reply = newReply();
        client.create(
                path,
                data,
                acl,
                mode,
                (code, asked, context, created, stat) ->
                        reply.arrives(code, created == null || stat == null ? null : new CreatedNode(created, stat)),
                null);
        return reply;
    }

    /**
     * Creates a node below another one and writes nothing into that, in one transaction. Its answer tells how many nodes there
     * are then, which otherwise takes another request. It fails, and creates nothing, if the node above has another version.
     */
    Reply<CountedNode> createAndCount(String parent, int version, String name, byte[] data, List<ACL> acl) {
        Reply<CountedNode> reply = newReply();
        client.multi(
                List.of(
                        Op.create(parent + "/" + name, data, acl, CreateMode.EPHEMERAL_SEQUENTIAL),
                        Op.setData(parent, NOTHING, version)),
                (code, asked, context, results) -> reply.arrives(code, counted(parent, code, results)),
                null);
        return reply;
    }

    /** In the results of a transaction the client does not remove a chroot from the paths. */
    private static @Nullable CountedNode counted(String parent, int code, @Nullable List<OpResult> results) {
        if (code != Code.OK.intValue() || results == null) {
            return null;
        }
        String path = ((OpResult.CreateResult) results.get(0)).getPath();
        return new CountedNode(
                parent + path.substring(path.lastIndexOf('/')), ((OpResult.SetDataResult) results.get(1)).getStat());
    }

    Reply<Children> children(String path) {
        Reply<Children> reply = newReply();
        client.getChildren(
                path,
                false,
                (int code, String asked, Object context, List<String> names, Stat stat) ->
                        reply.arrives(code, stat == null ? null : new Children(names, stat)),
                null);
        return reply;
    }

    /** Writes a node. That is done by the leader and a majority, so it proves what {@link #prove} does. */
    Reply<Stat> write(String path, byte[] data, int version) {
        Reply<Stat> reply = newReply();
        client.setData(path, data, version, (code, asked, context, stat) -> reply.arrives(code, stat), null);
        return reply;
    }

    /** Reads a node and watches it for its next change or end. A missing node is not watched. */
    Reply<NodeContent> read(String path, @Nullable Watcher watcher) {
        Reply<NodeContent> reply = newReply();
        client.getData(
                path,
                watcher,
                (code, asked, context, data, stat) ->
                        reply.arrives(code, stat == null ? null : new NodeContent(text(data), stat)),
                null);
        return reply;
    }

    /** Watches a node for its next change, end or creation. */
    Reply<Stat> exists(String path, Watcher watcher) {
        Reply<Stat> reply = newReply();
        client.exists(path, watcher, (code, asked, context, stat) -> reply.arrives(code, stat), null);
        return reply;
    }

    /**
     * Removes a watcher from the client, also while there is no connection. The server keeps its watch: it has one per client,
     * which other watchers of the node may share.
     */
    void unwatch(String path, Watcher watcher) {
        client.removeWatches(path, watcher, WatcherType.Data, true, (code, asked, context) -> {}, null);
    }

    /** As {@link #unwatch}, for a watcher that {@link #exists} has set. */
    void unwatchAny(String path, Watcher watcher) {
        client.removeWatches(path, watcher, WatcherType.Any, true, (code, asked, context) -> {}, null);
    }

    private static String text(byte @Nullable [] data) {
        return data == null ? "" : new String(data, StandardCharsets.UTF_8);
    }

    /**
     * Proves by a transaction of the leader and a majority that the session lives and a node exists. A read does not prove it:
     * the server that answers it may have been cut off from the others. It needs the permission to read the node.
     *
     * <p>The transaction is agreed on also if the node is missing. The server answers the next requests of the session from a
     * state that has this transaction and all before it, so all that was answered to anybody before it was sent. A {@code sync}
     * does not give that: a leader answers it at once, from its own state, although it may carry a change out later than a
     * follower that has already answered it, and although it may have been cut off.
     */
    Reply<Boolean> prove(String path) {
        Reply<Boolean> reply = newReply();
        client.multi(
                List.of(Op.check(path, ANY_VERSION)),
                (code, asked, context, results) -> reply.arrives(code, true),
                null);
        return reply;
    }

    Reply<Boolean> delete(String path) {
        Reply<Boolean> reply = newReply();
        client.delete(path, ANY_VERSION, (code, asked, context) -> reply.arrives(code, true), null);
        return reply;
    }

    /** Deletes a node without waiting for the answer; runs an action if the node may still be there. */
    void discard(String path, Runnable otherwise) {
        client.delete(
                path,
                ANY_VERSION,
                (code, asked, context) -> {
                    if (code != Code.OK.intValue() && code != Code.NONODE.intValue()) {
                        otherwise.run();
                    }
                },
                null);
    }
}
