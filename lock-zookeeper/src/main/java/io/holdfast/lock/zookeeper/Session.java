package io.holdfast.lock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One session with the ensemble, and the requests that are made in it: sent at once, in this order, and never again. Thread-safe.
 *
 * <p>Curator's own operations are not used for them. They send a request again when its reply was lost, which is the engine's to
 * decide, and they cannot be sent two at a time.
 */
final class Session {

    private static final int ANY_VERSION = -1;

    private final ZooKeeper client;
    private final Duration connectTimeout;

    /**
     * Creates the session of a client. A client has one and no other, though it may not have begun yet.
     *
     * @param client the client
     * @param connectTimeout how long it may take to begin
     */
    Session(ZooKeeper client, Duration connectTimeout) {
        this.client = client;
        this.connectTimeout = connectTimeout;
    }

    /**
     * A node that exists.
     *
     * @param text what is in it, read as UTF-8
     * @param stat what the server knows of it
     */
    record Node(String text, Stat stat) {}

    /**
     * A node that was made.
     *
     * @param path where it is
     * @param stat what the server knows of it
     */
    record Made(String path, Stat stat) {}

    /** Whether both are one. Ids would not do: a client that is still connecting has none, and gets it unseen. */
    boolean isSameAs(Session other) {
        return client == other.client;
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

    /** What its nodes can count on now. */
    NegotiatedTimeOut term() {
        return new NegotiatedTimeOut(timeOut());
    }

    /** Whether what was promised earlier still stands: the server forgets it when the client comes back and is granted less. */
    boolean keeps(NegotiatedTimeOut promised) {
        return timeOut().compareTo(promised.timeOut()) >= 0;
    }

    private <T> Reply<T> newReply() {
        return new Reply<>(timeOut().plus(connectTimeout));
    }

    Reply<Made> make(String path, byte[] data, List<ACL> acl, CreateMode mode) {
        Reply<Made> reply = newReply();
        client.create(
                path,
                data,
                acl,
                mode,
                (code, asked, context, made, stat) ->
                        reply.arrives(code, made == null || stat == null ? null : new Made(made, stat)),
                null);
        return reply;
    }

    Reply<List<String>> children(String path) {
        Reply<List<String>> reply = newReply();
        client.getChildren(
                path,
                false,
                (int code, String asked, Object context, List<String> names) -> reply.arrives(code, names),
                null);
        return reply;
    }

    Reply<Stat> stat(String path) {
        Reply<Stat> reply = newReply();
        client.exists(path, false, (code, asked, context, stat) -> reply.arrives(code, stat), null);
        return reply;
    }

    /** Reads a node, and has somebody told of its next change or end. A missing node is not watched. */
    Reply<Node> read(String path, @Nullable Watcher watcher) {
        Reply<Node> reply = newReply();
        client.getData(
                path,
                watcher,
                (code, asked, context, data, stat) ->
                        reply.arrives(code, stat == null ? null : new Node(text(data), stat)),
                null);
        return reply;
    }

    /**
     * Has the client forget a watcher of a node, also while there is no connection. The server is not told: to it the client is one
     * watcher, whoever else watches the node through it.
     */
    void unwatch(String path, Watcher watcher) {
        client.removeWatches(path, watcher, WatcherType.Data, true, (code, asked, context) -> {}, null);
    }

    private static String text(byte @Nullable [] data) {
        return data == null ? "" : new String(data, StandardCharsets.UTF_8);
    }

    /**
     * Has the leader find, and a majority note, that the session lives and a node exists. A read cannot tell that: it is answered by
     * whatever server the client is connected to, for a while also by one that has been cut off from the others.
     */
    Reply<Boolean> prove(String path) {
        Reply<Boolean> reply = newReply();
        client.multi(
                List.of(Op.check(path, ANY_VERSION)),
                (code, asked, context, results) -> reply.arrives(code, true),
                null);
        return reply;
    }

    /**
     * Has the server learn all that the leader has decided until now, before it answers what is asked next. It proves nothing: a
     * leader that has been cut off answers for a while as before. {@link #prove} does.
     */
    Reply<Boolean> catchUp(String path) {
        Reply<Boolean> reply = newReply();
        client.sync(path, (code, asked, context) -> reply.arrives(code, true), null);
        return reply;
    }

    Reply<Boolean> delete(String path) {
        Reply<Boolean> reply = newReply();
        client.delete(path, ANY_VERSION, (code, asked, context) -> reply.arrives(code, true), null);
        return reply;
    }

    /** Deletes a node without anybody waiting for it; if the answer is not that it is gone, somebody else has to see to it. */
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
