package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.Watcher.WatcherType;

/** For {@link LastZooKeeperFaults}: all waiters of a client for one lock share a watch, and the first that leaves removes it. */
final class SharedWatches extends TextbookProvider {

    private final Map<String, SharedWatch> watches = new ConcurrentHashMap<>();

    SharedWatches(Connection connection, String root) {
        super(connection, root);
    }

    @Override
    TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
        return new Watching(this, watches.computeIfAbsent(request.name(), name -> new SharedWatch()), request, signals);
    }

    private static final class SharedWatch implements Watcher {
        private final Set<TextbookClaim> waiting = ConcurrentHashMap.newKeySet();

        /**
         * What happened while the connection was away is not reported: all look again when it is back, and when the session has
         * ended.
         */
        @Override
        public void process(WatchedEvent event) {
            boolean isBack = event.getType() == EventType.None && event.getState() != KeeperState.Disconnected;
            if (isBack || event.getType() == EventType.NodeDeleted) {
                waiting.forEach(claim -> claim.signals.mayBeFree());
            }
        }
    }

    private static final class Watching extends TextbookClaim {
        private final SharedWatch shared;

        Watching(TextbookProvider provider, SharedWatch shared, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
            this.shared = shared;
        }

        @Override
        boolean watch(TextbookSession session, String path) throws KeeperException {
            CompletableFuture<Boolean> added = new CompletableFuture<>();
            session.client.addWatch(
                    provider.lockPath(name()),
                    shared,
                    AddWatchMode.PERSISTENT_RECURSIVE,
                    (code, asked, context) -> TextbookSession.complete(added, code, asked, true),
                    null);
            shared.waiting.add(this);
            boolean unused = session.await(added);
            return session.read(path, null).isPresent();
        }

        @Override
        void remember(TextbookSession session, String own) {
            shared.waiting.remove(this);
            super.remember(session, own);
        }

        @Override
        Release releaseIn(TextbookSession session) throws KeeperException {
            if (shared.waiting.remove(this)) {
                session.client.removeWatches(
                        provider.lockPath(name()), shared, WatcherType.Any, true, (code, asked, context) -> {}, null);
            }
            return super.releaseIn(session);
        }
    }
}
