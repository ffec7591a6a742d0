package io.holdfast.wrong.memory;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Entry;
import io.holdfast.wrong.memory.PlainLock.Waiter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Right the first time. */
enum SecondTime implements WrongProvider {
    /** A second try finds the lock held that was released since: the client spares the store the question for 100 ms. */
    REMEMBERS_CONTENTION_FOR_A_MOMENT(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final Map<String, Long> contended = new ConcurrentHashMap<>();

        @Override
        Attempt attempt(PlainClaim claim) {
            Long seen = contended.get(claim.name());
            if (seen != null && !claim.waits() && store.clock.getAsLong() - seen < TimeUnit.MILLISECONDS.toNanos(100)) {
                return new Attempt.Contended(Optional.empty());
            }
            Attempt answer = super.attempt(claim);
            if (answer instanceof Attempt.Contended) {
                contended.put(claim.name(), store.clock.getAsLong());
            }
            return answer;
        }

        @Override
        Release release(PlainClaim claim) {
            Release answer = super.release(claim);
            if (answer == Release.RELEASED) {
                contended.remove(claim.name());
            }
            return answer;
        }
    })),

    /** After nested holds of several clients nobody is woken: the branch that counts down to zero forgets to publish. */
    NESTED_HOLDS_END_IN_SILENCE(() -> new PlainStore(Traits.SHARED) {
        @Override
        Release free(PlainLock lock, PlainClaim claim) {
            boolean nested = lock.grant != null && lock.grant.entered > 1;
            Map<String, Waiter> line = new HashMap<>(lock.line);
            if (nested) {
                lock.line.clear();
            }
            Release answer = super.free(lock, claim);
            if (nested) {
                lock.line.putAll(line);
                withdraw(lock, claim);
            }
            return answer;
        }
    }),

    /** A request that a driver sent twice makes all waiters sleep on: the record is written anew, without its listeners. */
    A_REPEATED_ATTEMPT_FORGETS_THE_WAITERS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt grant(PlainLock lock, PlainClaim claim) {
            if (lock.isHeldBy(claim)) {
                lock.line.clear();
            }
            return super.grant(lock, claim);
        }
    }),

    /** A waiter that was outrun once is never woken again: a watch of ZooKeeper fires once, and was set at the first attempt. */
    WAKES_A_WAITER_ONCE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        void announce(PlainLock lock, String name) {
            lock.line.values().stream().filter(waiter -> !waiter.told).forEach(this::tell);
        }
    }),

    /** Of two releases in quick succession the second wakes nobody: messages are limited to one in 10 ms for each name. */
    RELEASES_SOON_AFTER_ANOTHER_WAKE_NOBODY(() -> new PlainStore(Traits.PLAIN) {
        private final Map<String, Long> announced = new HashMap<>();

        @Override
        void announce(PlainLock lock, String name) {
            Long last = announced.get(name);
            if (last == null || now - last > TimeUnit.MILLISECONDS.toNanos(10)) {
                announced.put(name, now);
                super.announce(lock, name);
            }
        }
    }),

    /** The second release of a name wakes nobody: a client that takes a message equal to the last one for a repetition. */
    DROPS_A_MESSAGE_EQUAL_TO_THE_LAST(() -> PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
        private volatile @Nullable String last;

        @Override
        void deliver(String name) {
            if (!name.equals(last)) {
                last = name;
                super.deliver(name);
            }
        }
    })),

    /** A holder that renews early and then pauses has half of the lease that it was told: a renewal spared. */
    SKIPS_RENEWALS_WHILE_HALF_IS_LEFT(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            Entry entry = lock.grant == null ? null : lock.grant.entries.get(claim.id());
            return entry != null && entry.ends() - now > leaseNanos(claim) / 2
                    ? new Renewal.Held(validFor(claim))
                    : super.prolong(lock, claim);
        }
    }),

    /** A dead holder that had renewed often stops the others for many leases: each renewal adds to what is left. */
    RENEWALS_ADD_UP(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            Entry before = lock.grant == null ? null : lock.grant.entries.get(claim.id());
            Renewal answer = super.prolong(lock, claim);
            if (before != null && lock.grant != null) {
                lock.grant.put(before.until(before.ends() + leaseNanos(claim)));
            }
            return answer;
        }
    }),

    /** Long work loses its lock after the eighth lease: a token of the store that can be renewed up to a limit, as in Vault. */
    GIVES_EIGHT_LEASES_AND_NO_MORE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            return lock.grant != null && now - lock.grant.began > 8 * leaseNanos(claim)
                    ? new Renewal.Lost(LossCause.EXPIRED)
                    : super.prolong(lock, claim);
        }
    }),

    /** Of several claims of a client the latest is woken only: listeners in a map by client. */
    WAKES_ONE_CLAIM_OF_A_CLIENT(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            if (claim.waits()) {
                lock.line.values().removeIf(waiter -> waiter.claim.provider == claim.provider);
            }
            return super.contend(lock, claim);
        }
    }),

    /** A client that is closed twice takes the store from another one: a shared connection that counts its users. */
    A_SECOND_CLOSE_CLOSES_THE_STORE(() -> new PlainStore(Traits.PLAIN) {
        private final AtomicInteger users = new AtomicInteger();

        @Override
        MemoryProvider newClient() {
            users.incrementAndGet();
            return new MemoryProvider(this) {
                @Override
                void reach() {
                    super.reach();
                    if (users.get() <= 0) {
                        throw new LockStoreException("The connection is closed");
                    }
                }

                @Override
                public void close() {
                    super.close();
                    users.decrementAndGet();
                }
            };
        }
    }),

    /** A caller that cleans up twice never learns that it held nothing: the first answer is kept for repetitions. */
    ANSWERS_A_SECOND_RELEASE_LIKE_THE_FIRST(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private final Set<String> released = ConcurrentHashMap.newKeySet();

                @Override
                Release release(PlainClaim claim) {
                    Release answer = super.release(claim);
                    if (answer == Release.RELEASED) {
                        released.add(claim.id());
                    }
                    return released.contains(claim.id()) ? Release.RELEASED : answer;
                }
            })),

    /**
     * Who gives up as the second pushes somebody else out of the line: waiters are removed by the place that they had at first.
     */
    WITHDRAWS_BY_ITS_FIRST_PLACE(() -> new PlainStore(Traits.LINE) {
        @Override
        void withdraw(PlainLock lock, PlainClaim claim) {
            Waiter waiter = lock.line.get(claim.id());
            if (waiter != null) {
                List<String> ids = List.copyOf(lock.line.keySet());
                lock.line.remove(ids.get(Math.min(waiter.place, ids.size() - 1)));
            }
        }
    }),

    /** When the first in a line gives up after it was told, the next one is not: only a release looks who comes next. */
    TELLS_THE_NEXT_ONLY_AT_A_RELEASE(() -> new PlainStore(Traits.LINE) {
        @Override
        void tellFirst(PlainLock lock) {}

        @Override
        void announce(PlainLock lock, String name) {
            super.tellFirst(lock);
        }
    }),

    /** All of a line are woken by a release. One that came too soon is not woken when the first gives up its turn. */
    TELLS_ALL_AT_A_RELEASE_AND_NOBODY_WHEN_THE_FIRST_LEAVES(() -> new PlainStore(Traits.LINE) {
        @Override
        void tellFirst(PlainLock lock) {}

        @Override
        void announce(PlainLock lock, String name) {
            super.tellFirst(lock);
            lock.line.values().stream().skip(1).forEach(waiter -> later(waiter.claim.signals::mayBeFree));
        }
    }),

    /** Who waits for longer loses its place to whoever asks again first: a time to live that is set with the first in the line. */
    FORGETS_A_LINE_AFTER_FOUR_SECONDS(() -> new PlainStore(Traits.LINE) {
        private final Map<PlainLock, Long> begun = new HashMap<>();

        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            if (now - begun.getOrDefault(lock, now) >= TimeUnit.SECONDS.toNanos(4)) {
                lock.line.clear();
            }
            if (lock.line.isEmpty()) {
                begun.put(lock, now);
            }
            return super.contend(lock, claim);
        }

        @Override
        Optional<Duration> retryAfter(PlainLock lock, PlainClaim claim) {
            Duration refresh = Duration.ofSeconds(2);
            return super.retryAfter(lock, claim).map(told -> told.compareTo(refresh) < 0 ? told : refresh);
        }
    }),

    /** A dead waiter takes the places of all behind it with it: they are granted the lock in the order in which they ask again. */
    PASSING_OVER_THE_FIRST_CLEARS_THE_LINE(() -> new PlainStore(Traits.LINE) {
        @Override
        void dropEnded(PlainLock lock) {
            int before = lock.line.size();
            super.dropEnded(lock);
            if (lock.line.size() < before) {
                lock.line.clear();
            }
        }
    }),

    /** After the second outage waiters are woken by nothing: the subscriptions are made again once. */
    SUBSCRIBES_AGAIN_ONCE(() -> PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
        private final Set<String> unheard = ConcurrentHashMap.newKeySet();
        private int outages;

        @Override
        void breakOff() {
            super.breakOff();
            if (++outages > 1) {
                unheard.addAll(names);
            }
        }

        @Override
        void comeBack() {
            if (outages == 1) {
                super.comeBack();
            }
        }

        @Override
        void subscribe(String name) {
            if (!unheard.contains(name)) {
                super.subscribe(name);
            }
        }

        @Override
        void unsubscribe(String name) {
            unheard.remove(name);
            super.unsubscribe(name);
        }

        @Override
        void deliver(String name) {
            if (!unheard.contains(name)) {
                super.deliver(name);
            }
        }
    }));

    @SuppressWarnings("ImmutableEnumChecker") // The supplier keeps nothing: each call makes a new store.
    private final Supplier<PlainStore> store;

    SecondTime(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }
}
