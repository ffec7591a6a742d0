package io.holdfast.lock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
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

    /** What is left of the time-out when nothing else is known of the client's earlier signs of life: see {@link #validity()}. */
    private static final int COUNTED_TWELFTHS = 5;

    private static final int TWELFTHS = 12;
    private static final long CLOCK_RATE_DRIFT = 1_000;
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

    private <T> Reply<T> newReply() {
        return new Reply<>(timeOut().plus(connectTimeout));
    }

    /**
     * How long the nodes of the session are safe at least, from before a request was sent that the leader has since carried out.
     *
     * <p>That is not the whole time-out. The leader ends a session by what it has heard of it, and a follower passes on the signs
     * of life of its clients only with its own, every half tick. Should it be cut off, the last one that the leader knows of may be
     * older than the request by half a tick and by the client's longest silence before it, which is a third of the time-out. How
     * long a tick is the client does not know, but a server grants no session of less than two, unless told to: half a tick is a quarter
     * of the time-out at most. That third and that quarter are not counted on. And the two clocks need not run at quite the same rate.
     */
    Duration validity() {
        Duration whole = timeOut();
        return whole.multipliedBy(COUNTED_TWELFTHS).dividedBy(TWELFTHS).minus(whole.dividedBy(CLOCK_RATE_DRIFT));
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
}
