package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.zookeeper.TextbookSession.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;

/** What is right for one claim, and wrong when one client has many. */
public enum WrongCrowds implements WrongProvider {
    /** Two requests of one server process, over its one connection, are both let in. */
    OWN_NODE_FOUND_BY_SESSION(Opening.ofClaims(BySession::new)),

    /** A process that waits for two locks sleeps on when the first of them becomes free. */
    ONE_WAITER_OF_A_CLIENT_IS_WOKEN(Opening.of(OneWaiter::new)),

    /** Of two claims of one process for one lock, the first sleeps on when it is its turn, and holds up the queue. */
    ONE_WAITER_OF_A_NAME_IS_WOKEN(Opening.of(OneWaiterOfAName::new)),

    /** While the store is down, the tenth request of a process fails after ten time-outs and not after one. */
    CALLS_OF_A_CLIENT_WAIT_FOR_EACH_OTHER(Opening.of(OneCallAtATime::new)),

    /** A wake-up stops the thread that delivers all answers, and the process stands still for ten seconds. */
    WAKE_UP_ASKS_THE_SERVER_ON_THE_THREAD_OF_ITS_ANSWERS(Opening.ofClaims(AskingWaiter::new));

    // A function without state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Opening opening;

    WrongCrowds(Opening opening) {
        this.opening = opening;
    }

    @Override
    public LockHarness harness() {
        return TextbookHarness.of(opening);
    }

    private static final class BySession extends TextbookClaim {
        BySession(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        Optional<String> own(TextbookSession session, List<String> queue) throws KeeperException {
            for (String node : queue) {
                Optional<Node> read = session.read(pathOf(node), null);
                if (read.isPresent() && read.get().stat().getEphemeralOwner() == session.client.getSessionId()) {
                    return Optional.of(node);
                }
            }
            return Optional.empty();
        }
    }

    private static final class OneWaiter extends TextbookProvider {
        private final AtomicReference<Optional<ClaimSignals>> waiter = new AtomicReference<>(Optional.empty());

        OneWaiter(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new TextbookClaim(this, request, signals) {
                @Override
                boolean watch(TextbookSession session, String path) throws KeeperException {
                    waiter.set(Optional.of(signals));
                    return super.watch(session, path);
                }

                @Override
                void seen(WatchedEvent event) {
                    if (isWakeUp(event)) {
                        waiter.getAndSet(Optional.empty()).ifPresent(ClaimSignals::mayBeFree);
                    }
                }
            };
        }
    }

    private static final class OneWaiterOfAName extends TextbookProvider {
        private final Map<String, ClaimSignals> waiters = new ConcurrentHashMap<>();

        OneWaiterOfAName(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        TextbookClaim claim(ClaimRequest request, ClaimSignals signals) {
            return new TextbookClaim(this, request, signals) {
                @Override
                boolean watch(TextbookSession session, String path) throws KeeperException {
                    waiters.put(name(), signals);
                    return super.watch(session, path);
                }

                @Override
                void seen(WatchedEvent event) {
                    ClaimSignals waiter = isWakeUp(event) ? waiters.remove(name()) : null;
                    if (waiter != null) {
                        waiter.mayBeFree();
                    }
                }
            };
        }
    }

    private static final class OneCallAtATime extends TextbookProvider {
        OneCallAtATime(Connection connection, String root) {
            super(connection, root);
        }

        @Override
        synchronized <T> T call(String operation, String name, Step<T> step) {
            return super.call(operation, name, step);
        }
    }

    private static final class AskingWaiter extends TextbookClaim {
        AskingWaiter(TextbookProvider provider, ClaimRequest request, ClaimSignals signals) {
            super(provider, request, signals);
        }

        @Override
        void seen(WatchedEvent event) {
            if (isWakeUp(event) && isFirst()) {
                signals.mayBeFree();
            }
        }

        private boolean isFirst() {
            return provider.call("wake-up", name(), session -> {
                List<String> queue = provider.queue(session, name());
                return own(session, queue).equals(queue.stream().findFirst());
            });
        }
    }
}
