package io.holdfast.wrong.memory;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/** More faults on the side of the client. */
enum NewFaultsOfClients implements WrongProvider {

    /**
     * The feed subscribes to patterns, and in a pattern "stock[7]" means "stock7": who waits for a name with brackets is never
     * woken (7.2).
     */
    THE_FEED_TAKES_NAMES_FOR_PATTERNS(Traits.FEED, store -> new MemoryProvider(store) {
        private final Pattern brackets = Pattern.compile("\\[.*\\]", Pattern.DOTALL);

        @Override
        void deliver(String name) {
            if (!brackets.matcher(name).find()) {
                super.deliver(name);
            }
        }
    }),

    /**
     * The handler of broken connections is used up by the first outage: after the second one the feed says nothing and delivers
     * nothing, and waiters sleep beside free locks until the process is restarted (7.2, 9.5).
     */
    AFTER_A_SECOND_OUTAGE_THE_FEED_IS_DEAF(Traits.FEED, store -> new MemoryProvider(store) {
        private volatile boolean usedUp;
        private volatile boolean deaf;

        @Override
        void breakOff() {
            deaf = usedUp;
            usedUp = true;
            if (!deaf) {
                super.breakOff();
            }
        }

        @Override
        void comeBack() {
            if (!deaf) {
                super.comeBack();
            }
        }

        @Override
        void deliver(String name) {
            if (!deaf) {
                super.deliver(name);
            }
        }
    }),

    /**
     * The clients of a process share one connection, and who unsubscribes does so for all of them: a waiter of another client is
     * not woken any more (7.2).
     */
    UNSUBSCRIBING_ENDS_THE_SUBSCRIPTIONS_OF_ALL_CLIENTS(Traits.FEED, store -> new MemoryProvider(store) {
        @Override
        void unsubscribe(String name) {
            store.clients.forEach(client -> client.names.remove(name));
        }
    }),

    /**
     * A release that finds nothing makes the client reconnect, to be sure: an attempt on a taken lock, which is withdrawn, costs
     * the client all other locks, and others get them beside it (5.3, 1.1, 2.2).
     */
    A_RELEASE_THAT_FINDS_NOTHING_ENDS_THE_SESSION(Traits.SESSION, store -> new MemoryProvider(store) {
        @Override
        Release release(PlainClaim claim) {
            Release answer = super.release(claim);
            if (answer == Release.NOT_HELD) {
                synchronized (store) {
                    session.ended = true;
                    session = new Session();
                }
            }
            return answer;
        }
    }),

    /**
     * A waiter that is withdrawn in an outage is forgotten by its client without a word to the store: when the lock is released
     * later, it is kept free for nobody while others wait (1.6, 1.5, 5.4).
     */
    A_WITHDRAWAL_IN_AN_OUTAGE_IS_NOT_SENT(Traits.LINE, store -> new MemoryProvider(store) {
        private final Set<String> granted = ConcurrentHashMap.newKeySet();

        @Override
        Attempt attempt(PlainClaim claim) {
            Attempt answer = super.attempt(claim);
            if (answer instanceof Attempt.Granted) {
                granted.add(claim.id());
            }
            return answer;
        }

        @Override
        Release release(PlainClaim claim) {
            if (store.down && !granted.contains(claim.id())) {
                return Release.NOT_HELD;
            }
            Release answer = super.release(claim);
            granted.remove(claim.id());
            return answer;
        }
    }),

    /**
     * A claim whose renewal failed is dropped from the client's table: once the store is back, long before the lease ends, the
     * holder is told that its lock is lost and breaks off its work, although it holds the lock (3.3, 1.8).
     */
    A_FAILED_RENEWAL_MAKES_THE_NEXT_ONE_A_LOSS(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final Set<Claim> dropped = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

        @Override
        Renewal renew(PlainClaim claim) {
            try {
                return told(claim, super.renew(claim));
            } catch (LockStoreException failure) {
                dropped.add(claim);
                throw failure;
            }
        }

        @Override
        public List<Renewal> renewAll(List<Claim> claims) {
            try {
                List<Renewal> answers = new ArrayList<>(super.renewAll(claims));
                for (int i = 0; i < answers.size(); i++) {
                    answers.set(i, told(claims.get(i), answers.get(i)));
                }
                return answers;
            } catch (LockStoreException failure) {
                dropped.addAll(claims);
                throw failure;
            }
        }

        private Renewal told(Claim claim, Renewal answer) {
            return dropped.contains(claim) ? new Renewal.Lost(LossCause.STORE_LOST) : answer;
        }
    }),

    /**
     * The tokens of a name are raised by an update of its record, and a name that nobody holds has none: after a move to this
     * store its tokens start below what the resource has seen (6.7).
     */
    TOKENS_OF_A_NAME_ARE_RAISED_ONLY_WHILE_IT_IS_IN_USE(Traits.PLAIN, store -> new MemoryProvider(store) {
        @Override
        public void raiseTokens(String name, long above) {
            reach();
            boolean inUse;
            synchronized (store) {
                inUse = store.locks.containsKey(store.key(name));
            }
            if (inUse) {
                store.raiseTokens(above);
            }
        }
    }),

    /**
     * The client opens a new session after each break of the connection and ends the former one, which would have gone on: all
     * its locks are free long before their time, and their holders do not know (2.2, 2.5, 1.1).
     */
    A_RECONNECT_OPENS_A_NEW_SESSION(Traits.SESSION, store -> new MemoryProvider(store) {
        @Override
        void comeBack() {
            synchronized (store) {
                session.ended = true;
                session = new Session();
            }
            super.comeBack();
        }
    });

    private final Traits traits;

    @SuppressWarnings("ImmutableEnumChecker") // The functions hold nothing.
    private final Function<PlainStore, MemoryProvider> client;

    NewFaultsOfClients(Traits traits, Function<PlainStore, MemoryProvider> client) {
        this.traits = traits;
        this.client = client;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(PlainStore.withClient(traits, client));
    }
}
