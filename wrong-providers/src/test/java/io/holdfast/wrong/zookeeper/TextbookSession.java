package io.holdfast.wrong.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A session with the server, and its requests: each is sent once, and waited for whether or not the thread is interrupted.
 * Thread-safe.
 */
class TextbookSession {

    /** The client gives a request up long before, when it loses the connection. */
    private static final long ANSWER_SECONDS = 10;

    static final int ANY_VERSION = -1;
    private static final List<ACL> OPEN = List.of(new ACL(Perms.ALL, new Id("world", "anyone")));

    final ZooKeeper client;

    TextbookSession(ZooKeeper client) {
        this.client = client;
    }

    /** What was read of a node. */
    record Node(String text, Stat stat) {}

    /** Creates a node; returns the path that the server has given it. */
    String create(String path, String text, CreateMode mode) throws KeeperException {
        CompletableFuture<String> reply = new CompletableFuture<>();
        client.create(
                path,
                text.getBytes(StandardCharsets.UTF_8),
                OPEN,
                mode,
                (code, asked, context, created) -> complete(reply, code, asked, created),
                null);
        return await(reply);
    }

    void createIfMissing(String path, CreateMode mode) throws KeeperException {
        try {
            String unused = create(path, "", mode);
        } catch (NodeExistsException fine) {
            // Somebody else was first.
        }
    }

    /** The names of the children, in no order; none if there is no such node. The server catches up with the leader first. */
    List<String> children(String path) throws KeeperException {
        client.sync(path, (code, asked, context) -> {}, null);
        return childrenAsKnown(path);
    }

    private List<String> childrenAsKnown(String path) throws KeeperException {
        CompletableFuture<List<String>> reply = new CompletableFuture<>();
        client.getChildren(
                path,
                false,
                (int code, String asked, Object context, List<String> names) -> complete(reply, code, asked, names),
                null);
        try {
            return await(reply);
        } catch (NoNodeException none) {
            return List.of();
        }
    }

    /** Reads a node, and watches it if it exists and there is a watcher. */
    Optional<Node> read(String path, @Nullable Watcher watcher) throws KeeperException {
        CompletableFuture<Node> reply = new CompletableFuture<>();
        client.getData(
                path,
                watcher,
                (code, asked, context, data, stat) -> complete(reply, code, asked, new Node(text(data), stat)),
                null);
        try {
            return Optional.of(await(reply));
        } catch (NoNodeException gone) {
            return Optional.empty();
        }
    }

    private static String text(byte @Nullable [] data) {
        return data == null ? "" : new String(data, StandardCharsets.UTF_8);
    }

    /** Removes a watcher from the client; the server's watch may serve others. */
    void unwatch(String path, Watcher watcher) {
        client.removeWatches(path, watcher, WatcherType.Data, true, (code, asked, context) -> {}, null);
    }

    /** Proves by a transaction that the session lives and a node exists; returns whether it exists. */
    boolean prove(String path) throws KeeperException {
        CompletableFuture<Boolean> reply = new CompletableFuture<>();
        client.multi(
                List.of(Op.check(path, ANY_VERSION)),
                (code, asked, context, results) -> complete(reply, code, asked, true),
                null);
        return isThere(reply);
    }

    /** Writes a node that has a version; returns what the server knows of it then. */
    Stat write(String path, String text, int version) throws KeeperException {
        CompletableFuture<Stat> reply = new CompletableFuture<>();
        client.setData(
                path,
                text.getBytes(StandardCharsets.UTF_8),
                version,
                (code, asked, context, stat) -> complete(reply, code, asked, stat),
                null);
        return await(reply);
    }

    /** Deletes a node; returns whether it was there. */
    boolean delete(String path) throws KeeperException {
        return isThere(deletion(path));
    }

    /** Deletes a node that has a version; returns whether it was there. */
    boolean delete(String path, int version) throws KeeperException {
        return isThere(deletion(path, version));
    }

    /** Sends the request to delete a node. */
    CompletableFuture<Boolean> deletion(String path) {
        return deletion(path, ANY_VERSION);
    }

    private CompletableFuture<Boolean> deletion(String path, int version) {
        CompletableFuture<Boolean> reply = new CompletableFuture<>();
        client.delete(path, version, (code, asked, context) -> complete(reply, code, asked, true), null);
        return reply;
    }

    private boolean isThere(CompletableFuture<Boolean> reply) throws KeeperException {
        try {
            return await(reply);
        } catch (NoNodeException gone) {
            return false;
        }
    }

    static <T> void complete(CompletableFuture<T> reply, int code, String path, T value) {
        if (code == Code.OK.intValue()) {
            reply.complete(value);
        } else {
            reply.completeExceptionally(KeeperException.create(Code.get(code), path));
        }
    }

    <T> T await(CompletableFuture<T> reply) throws KeeperException {
        try {
            return reply.orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof KeeperException cause) {
                throw cause;
            }
            throw new KeeperException.OperationTimeoutException();
        }
    }
}
