package io.holdfast.lock.zookeeper;

import io.holdfast.lock.zookeeper.Session.NodeContent;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Watches the node of the tokens' offset in one session, so that attempts need not read it. Thread-safe.
 *
 * <p>What a quiet watch shows is said at {@link NodeWatch}: a server sends the event of a change before the answer to any request
 * of the same connection that it carries out later. So if the watch is quiet when such an answer is here, the offset that was
 * read is the one that was in force when that request was carried out. This also watches a node that does not exist, as in most
 * stores. Each event ends the quiet, also one of the connection; then the next attempt reads again.
 */
final class OffsetWatch implements Watcher {

    private final Session session;
    private final String path;
    private final AtomicLong events = new AtomicLong();

    /** Guarded by this. */
    private @Nullable Look latest;

    private volatile boolean ended;

    OffsetWatch(Session session, String path) {
        this.session = session;
        this.path = path;
    }

    boolean isOf(Session other) {
        return session.isSameAs(other);
    }

    /** The offset, as far as the watch knows it. Sends two requests if it does not, ahead of those that the caller sends next. */
    synchronized Look look() {
        Look present = latest;
        if (present == null || !present.isQuiet()) {
            // In this order: an event that comes before the answer counts.
            long before = events.get();
            present = new Look(before, session.exists(path, this), session.read(path, null));
            latest = present;
        }
        return present;
    }

    /** Removes the watch from the client, without waiting for it. */
    void end() {
        ended = true;
        session.unwatchAny(path, this);
    }

    @Override
    public void process(WatchedEvent event) {
        events.incrementAndGet();
    }

    /** Two requests, the first of which sets the watch. */
    final class Look {
        private final long before;
        private final Reply<Stat> watched;
        private final Reply<NodeContent> content;

        private Look(long before, Reply<Stat> watched, Reply<NodeContent> content) {
            this.before = before;
            this.watched = watched;
            this.content = content;
        }

        /** Whether nothing has happened since, as far as the answers tell that are here. */
        private boolean isQuiet() {
            return before == events.get() && watched.mayTell() && content.mayTell();
        }

        /**
         * What is in the node, or that it is missing. To be asked when the answer is here to the request for which the offset
         * must be in force. If the watch was not quiet until then, this reads again.
         */
        RequestResult<NodeContent> await() {
            RequestResult<Stat> set = watched.await();
            RequestResult<NodeContent> read = content.await();
            if (ended) {
                end();
            }
            boolean known = (set.isOk() || set.isMissing()) && isQuiet();
            return known ? read : session.read(path, null).await();
        }
    }
}
