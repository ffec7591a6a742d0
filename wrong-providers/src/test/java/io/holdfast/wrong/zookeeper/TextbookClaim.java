package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.zookeeper.TextbookSession.Node;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.SessionExpiredException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.jspecify.annotations.Nullable;

/**
 * One claim for one lock: a node in the lock's queue. Which node is its own, and whether that is the first, only the server
 * knows.
 */
class TextbookClaim implements Claim {

    static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

    final TextbookProvider provider;
    final ClaimRequest request;
    final ClaimSignals signals;

    /** One object, so that repeated attempts behind one predecessor leave one watcher. */
    private final Watcher watcher = this::seen;

    private @Nullable String watched;

    /** Whether the server may have a node of the claim. */
    private boolean mayHaveNode;

    /** Whether the last attempt ended without an answer, so that it may have been granted. */
    private boolean mayBeGranted;

    /** The path of the node that was granted, and the session of it; null unless granted. */
    @Nullable
    String granted;

    private @Nullable TextbookSession grantedIn;

    TextbookClaim(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
        this.provider = provider;
        this.request = request;
        this.signals = signals;
    }

    String name() {
        return request.name();
    }

    String pathOf(String node) {
        return provider.lockPath(name()) + "/" + node;
    }

    @Override
    public Attempt attempt() {
        long begin = System.nanoTime();
        return provider.call("acquire", name(), session -> {
            Duration connecting = Duration.ofNanos(System.nanoTime() - begin);
            Attempt answer = attemptIn(session);
            mayBeGranted = false;
            // The engine counts from the beginning, but the request that was granted was sent
            // after the wait for a connection.
            return answer instanceof Attempt.Granted grant ? grant.startedEarlier(connecting) : answer;
        });
    }

    Attempt attemptIn(TextbookSession session) throws KeeperException {
        Optional<Attempt> answer = Optional.empty();
        while (answer.isEmpty()) {
            List<String> queue = provider.queue(session, name());
            Optional<String> own = own(session, queue);
            answer = own.isPresent() ? attemptWith(session, queue, own.get()) : enqueued(session);
        }
        return answer.get();
    }

    /** The claim's node in the queue. */
    Optional<String> own(TextbookSession session, List<String> queue) throws KeeperException {
        return queue.stream().filter(node -> isOwn(node)).findFirst();
    }

    private boolean isOwn(String node) {
        String begin = provider.beginOfNode(request);
        return node.startsWith(begin) && node.lastIndexOf(TextbookProvider.BEFORE_NUMBER) == begin.length() - 1;
    }

    /** Takes a place in the queue, which has to be read again after that. */
    Optional<Attempt> enqueued(TextbookSession session) throws KeeperException {
        expectNode();
        String unused = provider.enqueue(session, request);
        return Optional.empty();
    }

    void expectNode() {
        mayHaveNode = true;
        mayBeGranted = true;
    }

    void expectNoNode() {
        mayHaveNode = false;
        mayBeGranted = false;
    }

    /** Attempts with the claim's node; empty if the queue has changed meanwhile. */
    Optional<Attempt> attemptWith(TextbookSession session, List<String> queue, String own) throws KeeperException {
        int position = queue.indexOf(own);
        if (position <= 0) {
            return grant(session, own);
        }
        if (request.intent() == Intent.TRY_ONCE) {
            leaveQueue(session, own);
            return Optional.of(CONTENDED);
        }
        return watches(session, queue, own) ? Optional.of(CONTENDED) : Optional.empty();
    }

    /** What a claim that does not wait does when the lock is not free. */
    void leaveQueue(TextbookSession session, String own) throws KeeperException {
        boolean unused = session.delete(pathOf(own));
        expectNoNode();
    }

    /** Sees to it that the claim is woken when its predecessor leaves; returns whether that is still there. */
    boolean watches(TextbookSession session, List<String> queue, String own) throws KeeperException {
        return watch(session, pathOf(queue.get(queue.indexOf(own) - 1)));
    }

    boolean watch(TextbookSession session, String path) throws KeeperException {
        watched = path;
        return session.read(path, watcher).isPresent();
    }

    /** Called on the thread of the client when the watched node or the session has changed. */
    void seen(WatchedEvent event) {
        if (isWakeUp(event)) {
            signals.mayBeFree();
        }
    }

    /** Whether the node has changed, or the session has ended and with it the claim's place in the queue. */
    static boolean isWakeUp(WatchedEvent event) {
        return event.getType() != EventType.None || event.getState() == KeeperState.Expired;
    }

    Optional<Attempt> grant(TextbookSession session, String own) throws KeeperException {
        Optional<Node> node = session.read(pathOf(own), null);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        long token = provider.tokenOf(session, name(), own, node.get());
        remember(session, own);
        return Optional.of(new Attempt.Granted(new FencingToken(token), provider.validity(session, request)));
    }

    void remember(TextbookSession session, String own) {
        granted = pathOf(own);
        grantedIn = session;
        provider.connection.granted(this, session, () -> signals.lost(LossCause.SESSION_ENDED));
    }

    @Override
    public Renewal renew() {
        String path = granted;
        if (path == null) {
            return new Renewal.Lost(LossCause.TAKEN_OVER);
        }
        return provider.call("renewal", name(), session -> renewIn(session, path));
    }

    Renewal renewIn(TextbookSession session, String path) throws KeeperException {
        if (session.client != grantedSession().client) {
            return lost(LossCause.SESSION_ENDED);
        }
        try {
            return proven(session, path)
                    ? new Renewal.Held(provider.validity(session, request))
                    : lost(LossCause.TAKEN_OVER);
        } catch (SessionExpiredException ended) {
            return lost(LossCause.SESSION_ENDED);
        }
    }

    TextbookSession grantedSession() {
        return Objects.requireNonNull(grantedIn);
    }

    /** Whether the node of a grant is still there. */
    boolean proven(TextbookSession session, String path) throws KeeperException {
        return session.prove(path);
    }

    private Renewal lost(LossCause cause) {
        forget();
        return new Renewal.Lost(cause);
    }

    void forget() {
        granted = null;
        provider.connection.ended(this);
    }

    @Override
    public Release release() {
        provider.connection.ended(this);
        if (!mayHaveNode) {
            return Release.NOT_HELD;
        }
        return provider.call("release", name(), this::releaseIn);
    }

    Release releaseIn(TextbookSession session) throws KeeperException {
        String predecessor = watched;
        if (predecessor != null) {
            session.unwatch(predecessor, watcher);
            watched = null;
        }
        List<String> queue = provider.queue(session, name());
        Optional<String> own = own(session, queue);
        boolean hadLock =
                granted != null || (mayBeGranted && own.equals(queue.stream().findFirst()));
        boolean deleted = own.isPresent() && delete(session, own.get());
        forget();
        expectNoNode();
        return hadLock && deleted ? Release.RELEASED : Release.NOT_HELD;
    }

    /** Deletes the claim's node; returns whether it was there. */
    boolean delete(TextbookSession session, String own) throws KeeperException {
        return session.delete(pathOf(own));
    }
}
