package io.holdfast.wrong.memory;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Grant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Leaves something behind: a thread, a timer, a place, a subscription, a descriptor. */
enum StaysBehind implements WrongProvider {
    /** An application that is deployed anew keeps a thread of each earlier client: an executor that nobody shuts down. */
    LEAVES_A_THREAD_BEHIND_ITS_CLOSE(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private boolean started;

        @Override
        synchronized Attempt attempt(PlainClaim claim) {
            if (!started) {
                started = true;
                sleeper(new CountDownLatch(1)).start();
            }
            return super.attempt(claim);
        }
    })),

    /** A waiter that gives up leaves its thread for half a minute, also behind the close: a thread that ends with the grant. */
    LEAVES_THE_THREAD_OF_A_WAIT_THAT_WAS_GIVEN_UP(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private final Map<String, CountDownLatch> waits = new ConcurrentHashMap<>();

                @Override
                Attempt attempt(PlainClaim claim) {
                    Attempt answer = super.attempt(claim);
                    if (answer instanceof Attempt.Granted) {
                        waits.getOrDefault(claim.id(), new CountDownLatch(1)).countDown();
                    } else if (claim.waits()) {
                        waits.computeIfAbsent(claim.id(), id -> startedSleeper());
                    }
                    return answer;
                }

                private CountDownLatch startedSleeper() {
                    CountDownLatch end = new CountDownLatch(1);
                    sleeper(end).start();
                    return end;
                }
            })),

    /** A holder loses its lock in the middle of its lease: the timer of the one before it was not cancelled at the release. */
    AN_OLD_TIMER_ENDS_THE_SUCCESSORS_LEASE(() -> new PlainStore(Traits.PLAIN) {
        private final Map<String, PlainLock.Entry> timers = new HashMap<>();

        @Override
        void enter(PlainLock lock, Grant grant, PlainClaim claim) {
            super.enter(lock, grant, claim);
            timers.put(claim.id(), new PlainLock.Entry(claim, sessionOf(claim), now + leaseNanos(claim)));
        }

        @Override
        void dropEnded(PlainLock lock) {
            super.dropEnded(lock);
            if (timers.values()
                    .removeIf(timer -> key(timer.claim().name()).equals(lock.key) && timer.ends() - now <= 0)) {
                lock.grant = null;
            }
        }
    }),

    /**
     * An owner has a lock twice and gives up one hold; then its client dies, and the lock never ends: the release ended the lease
     * of both.
     */
    A_RELEASED_HOLD_TAKES_THE_LEASE_OF_THE_OTHER_AWAY(() -> new PlainStore(Traits.SHARED) {
        @Override
        Release free(PlainLock lock, PlainClaim claim) {
            Release answer = super.free(lock, claim);
            if (answer == Release.RELEASED && lock.grant != null) {
                lock.grant.entries.replaceAll((id, entry) -> entry.until(Long.MAX_VALUE));
            }
            return answer;
        }
    }),

    /**
     * A client holds a lock and gives up a second claim of it; then it dies, and the lock never ends: one entry for name and
     * client.
     */
    A_WITHDRAWN_WAIT_TAKES_THE_LEASE_OF_THE_HOLDER_AWAY(() -> new PlainStore(Traits.PLAIN) {
        @Override
        void withdraw(PlainLock lock, PlainClaim claim) {
            if (lock.line.containsKey(claim.id()) && lock.grant != null) {
                lock.grant.entries.replaceAll(
                        (id, entry) -> entry.claim().provider == claim.provider ? entry.until(Long.MAX_VALUE) : entry);
            }
            super.withdraw(lock, claim);
        }
    }),

    /** A waiter that gives up after it was told keeps the lock from the next one for a second: its reservation stays. */
    THE_PLACE_OF_A_TOLD_WAITER_STAYS(() -> new PlainStore(Traits.LINE) {
        @Override
        void withdraw(PlainLock lock, PlainClaim claim) {
            PlainLock.Waiter waiter = lock.line.get(claim.id());
            if (waiter != null && !waiter.told) {
                super.withdraw(lock, claim);
            }
        }
    }),

    /** A client that is closed goes on hearing of releases, and is never collected: a listener that nobody removes. */
    A_CLOSED_FEED_STILL_REPORTS(() -> new PlainStore(Traits.FEED) {
        @Override
        void leave(MemoryProvider client) {}
    }),

    /** The lock of a holder that died is kept for it a second time: it has its place in the line still, and is told. */
    THE_PLACE_OF_A_GRANTED_WAITER_STAYS(() -> new PlainStore(Traits.LINE) {
        @Override
        Attempt grant(PlainLock lock, PlainClaim claim) {
            boolean waited = lock.line.containsKey(claim.id());
            Attempt answer = super.grant(lock, claim);
            if (waited) {
                lock.addWaiter(claim);
            }
            return answer;
        }
    }),

    /** The claims of a client that is closed are signalled on, and never collected: waiters that nobody removes. */
    A_CLOSED_CLIENT_IS_STILL_SIGNALLED(() -> new PlainStore(Traits.PLAIN) {
        @Override
        void leave(MemoryProvider client) {
            clients.remove(client);
        }
    }),

    /**
     * After some thousand clients no file can be opened: a selector that the close forgets, as early versions of NIO clients did.
     */
    LEAVES_A_SELECTOR_OPEN(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final Selector selector = openSelector();

        @Override
        void reach() {
            super.reach();
            if (!selector.isOpen()) {
                throw new LockStoreException("The connection is closed");
            }
        }
    })),

    /** A closed client says that a lock was not held that it still holds for its lease: a failure turned into a value. */
    A_CLOSED_CLIENT_RELEASES_NOTHING_AND_SAYS_SO(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                @Override
                Release release(PlainClaim claim) {
                    return closed ? Release.NOT_HELD : super.release(claim);
                }
            }));

    @SuppressWarnings("ImmutableEnumChecker") // The supplier keeps nothing: each call makes a new store.
    private final Supplier<PlainStore> store;

    StaysBehind(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }

    /** A thread that waits for the end. */
    static Thread sleeper(CountDownLatch end) {
        Thread thread = new Thread(
                () -> {
                    try {
                        boolean unused = end.await(30, TimeUnit.SECONDS);
                    } catch (InterruptedException stop) {
                        Thread.currentThread().interrupt();
                    }
                },
                "memory-store-waits");
        thread.setDaemon(true);
        return thread;
    }

    private static Selector openSelector() {
        try {
            return Selector.open();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
