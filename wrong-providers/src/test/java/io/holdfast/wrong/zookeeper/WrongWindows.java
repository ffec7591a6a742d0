package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/** Two steps where one is needed, and things that happen between them. */
public enum WrongWindows implements WrongProvider {
    /** Two processes that start at the same moment both find the queue empty, and both write. */
    GRANTED_IF_THE_QUEUE_WAS_EMPTY_BEFORE(Opening.ofClaims(LooksFirst::new)),

    /** A waiter before it gives up, and the next one in the queue works beside the holder. */
    END_OF_THE_PREDECESSOR_IS_A_GRANT(Opening.ofClaims(Heir::new)),

    /** The holder leaves just before the watch is set, and the next one sleeps until a safety poll. */
    WATCH_ON_A_PREDECESSOR_THAT_HAS_LEFT(Opening.ofClaims(LateWatch::new)),

    /** A holder that was removed by an operator frees the lock of its successor. */
    RELEASE_DELETES_WHOEVER_IS_FIRST(Opening.ofClaims(FirstDeleter::new)),

    /** A lock that another client tidies away at this moment is a store failure, and a job dies of it. */
    LOCKS_NODE_GOES_BETWEEN_ITS_CREATION_AND_THE_CLAIMS(Opening.of(CreatesOnce::new)),

    /** A release during a short outage is reported as done, and the lock stays taken as long as the process lives. */
    RELEASED_IN_THE_BACKGROUND(Opening.ofClaims(BackgroundRelease::new));

    // A function without state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Opening opening;

    WrongWindows(Opening opening) {
        this.opening = opening;
    }

    @Override
    public LockHarness harness() {
        return TextbookHarness.of(opening);
    }

    private static final class LooksFirst extends TextbookClaim {
        LooksFirst(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Optional<Attempt> enqueued(TextbookSession session) throws KeeperException {
            boolean isFree = provider.queue(session, name()).isEmpty();
            expectNode();
            String own = provider.enqueue(session, request);
            return isFree ? grant(session, own) : Optional.empty();
        }
    }

    private static final class Heir extends TextbookClaim {
        private @Nullable String predecessor;

        Heir(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Optional<Attempt> attemptWith(TextbookSession session, List<String> queue, String own) throws KeeperException {
            int position = queue.indexOf(own);
            if (position == 0 || request.intent() == Intent.TRY_ONCE) {
                return super.attemptWith(session, queue, own);
            }
            String before = predecessor == null ? pathOf(queue.get(position - 1)) : predecessor;
            predecessor = before;
            return watch(session, before) ? Optional.of(CONTENDED) : grant(session, own);
        }

        @Override
        Optional<Attempt> enqueued(TextbookSession session) throws KeeperException {
            predecessor = null;
            return super.enqueued(session);
        }
    }

    private static final class LateWatch extends TextbookClaim {
        LateWatch(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        boolean watches(TextbookSession session, List<String> queue, String own) throws KeeperException {
            boolean unused = super.watches(session, queue, own);
            return true;
        }
    }

    private static final class FirstDeleter extends TextbookClaim {
        FirstDeleter(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Release releaseIn(TextbookSession session) throws KeeperException {
            if (granted == null) {
                return super.releaseIn(session);
            }
            Optional<String> first = provider.queue(session, name()).stream().findFirst();
            boolean deleted = first.isPresent() && session.delete(pathOf(first.get()));
            forget();
            expectNoNode();
            return deleted ? Release.RELEASED : Release.NOT_HELD;
        }
    }

    private static final class CreatesOnce extends TextbookProvider {
        CreatesOnce(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new TidyClaim(this, request, signals);
        }

        @Override
        String enqueue(TextbookSession session, ClaimRequest request) throws KeeperException {
            createParents(session, request.name());
            return create(session, request);
        }
    }

    private static final class BackgroundRelease extends TextbookClaim {
        BackgroundRelease(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        public Release release() {
            String path = granted;
            if (path == null) {
                return super.release();
            }
            CompletableFuture<Boolean> unused = grantedSession().deletion(path);
            forget();
            expectNoNode();
            return Release.RELEASED;
        }
    }
}
