package io.holdfast.wrong.memory;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Grant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Keeps the locks right, and tells something wrong: of a holder, of an outage, of an interrupt. */
enum WrongAnswers implements WrongProvider {
    /** An operator takes a hold of two days for a new one: the time of the grant is computed from the end of the lease. */
    SINCE_MOVES_WITH_EACH_RENEWAL(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            Renewal answer = super.prolong(lock, claim);
            if (lock.grant != null && lock.isHeldBy(claim)) {
                lock.grant.since = Instant.now();
            }
            return answer;
        }
    }),

    /**
     * An operator takes a new hold for one of two days: a column {@code created_at} that a takeover of the row leaves as it is.
     */
    SINCE_IS_OF_THE_FIRST_GRANT_OF_THE_NAME(() -> new PlainStore(Traits.PLAIN) {
        private final Map<String, Instant> first = new HashMap<>();

        @Override
        Grant newGrant(PlainLock lock, PlainClaim claim) {
            Grant grant = super.newGrant(lock, claim);
            grant.since = first.computeIfAbsent(lock.key, key -> grant.since);
            return grant;
        }
    }),

    /** An operator looks for the culprit in the wrong thread: an upsert that forgets a column. */
    SHOWS_THE_THREAD_OF_THE_FIRST_HOLDER(() -> new PlainStore(Traits.PLAIN) {
        private final Map<String, Claimant> first = new HashMap<>();

        @Override
        Grant newGrant(PlainLock lock, PlainClaim claim) {
            Grant grant = super.newGrant(lock, claim);
            grant.claimant = first.computeIfAbsent(lock.key, key -> claim.claimant());
            return grant;
        }
    }),

    /** An operator sees a thread of a pool in place of the one that acquired: the thread that sends the request. */
    SHOWS_THE_THREAD_THAT_SENT_THE_REQUEST(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Grant newGrant(PlainLock lock, PlainClaim claim) {
            Grant grant = super.newGrant(lock, claim);
            grant.claimant = new Claimant(
                    claim.claimant().host(),
                    claim.claimant().pid(),
                    Thread.currentThread().getName());
            return grant;
        }
    }),

    /**
     * Everybody who asks sees the own thread as the holder's: data of the connection that asks, as {@code CLIENT INFO} gives it.
     */
    SHOWS_THE_THREAD_THAT_ASKS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Optional<LockHolder> describe(PlainLock lock) {
            return super.describe(lock)
                    .map(holder -> holder.withThread(Thread.currentThread().getName()));
        }
    }),

    /** The log of the resource and that of the lock do not fit together: the store's last token in place of the holder's. */
    SHOWS_THE_LAST_TOKEN_OF_THE_STORE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Optional<LockHolder> describe(PlainLock lock) {
            return super.describe(lock).map(holder -> holder.withFencingToken(new FencingToken(lastToken)));
        }
    }),

    /** A short outage costs a client all its locks: the failure of a batch told as the loss of each claim. */
    TAKES_A_BATCH_FOR_LOST_IN_AN_OUTAGE(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        @Override
        public List<Renewal> renewAll(List<Claim> claims) {
            try {
                return super.renewAll(claims);
            } catch (LockStoreException unknown) {
                return claims.stream()
                        .map(claim -> (Renewal) new Renewal.Lost(LossCause.STORE_LOST))
                        .toList();
            }
        }
    })),

    /**
     * An operator takes a lock for free while the store is away, and starts the job by hand: a failed read told as nothing found.
     */
    SHOWS_NOBODY_IN_AN_OUTAGE(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        @Override
        public Optional<LockHolder> holder(String name) {
            try {
                return super.holder(name);
            } catch (LockStoreException away) {
                return Optional.empty();
            }
        }
    })),

    /** A move begun in an outage gives the new store tokens from 1 on: a counter that cannot be read is told as none. */
    THE_HIGHEST_TOKEN_IS_0_IN_AN_OUTAGE(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        @Override
        public long highestToken() {
            try {
                return super.highestToken();
            } catch (LockStoreException away) {
                return 0;
            }
        }
    })),

    /** A move goes on without the raise: a failure of it is logged at most, since it may be repeated. */
    A_RAISE_IN_AN_OUTAGE_FAILS_IN_SILENCE(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        @Override
        public void raiseTokens(long above) {
            if (!store.down) {
                super.raiseTokens(above);
            }
        }
    })),

    /**
     * A caller's {@code catch} does not fit, and the engine does not repeat the release: an exception of the driver comes
     * through.
     */
    A_RELEASE_IN_AN_OUTAGE_THROWS_THE_DRIVERS_EXCEPTION(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                @Override
                Release release(PlainClaim claim) {
                    if (store.down) {
                        throw new UncheckedIOException(new IOException("Connection reset"));
                    }
                    return super.release(claim);
                }
            })),

    /** A stopped application fails with an exception that no caller expects: the usual one for what is closed. */
    A_CLOSED_CLIENT_THROWS_ILLEGAL_STATE(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        @Override
        void reach() {
            if (closed) {
                throw new IllegalStateException("closed");
            }
            super.reach();
        }
    })),

    /** A thread that is to stop goes on: the interrupt ends the wait for a connection, and nobody sets it again. */
    SWALLOWS_AN_INTERRUPT(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        @Override
        void reach() {
            if (Thread.interrupted()) {
                throw new LockStoreException("Interrupted while waiting for a connection");
            }
            super.reach();
        }
    })),

    /**
     * One interrupted thread costs its client the store for good: an interrupt closes a {@code FileChannel} or a
     * {@code SocketChannel}.
     */
    AN_INTERRUPT_CLOSES_ITS_CHANNEL(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private volatile boolean channelClosed;

        @Override
        void reach() {
            super.reach();
            if (Thread.currentThread().isInterrupted()) {
                channelClosed = true;
            }
            if (channelClosed) {
                throw new LockStoreException("The channel is closed");
            }
        }
    })),

    /**
     * A thread that was interrupted cannot give its lock back, and stops the others for a lease: a wait for a connection that
     * ends at once.
     */
    RELEASES_NOTHING_WHEN_INTERRUPTED(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        @Override
        Release release(PlainClaim claim) {
            if (Thread.currentThread().isInterrupted()) {
                return Release.NOT_HELD;
            }
            return super.release(claim);
        }
    })),

    /**
     * A typing error in a name looks like a lock that nobody holds: the name is checked where claims are made, and only there.
     */
    SHOWS_NOBODY_FOR_A_NAME_THAT_CANNOT_BE(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                @Override
                public Optional<LockHolder> holder(String name) {
                    reach();
                    return store.holder(name);
                }
            })),

    /**
     * A holder whose driver repeats a late request relies on a lease that was not begun anew: the record is found, and its end
     * left as it is.
     */
    A_REPEATED_ATTEMPT_PROMISES_A_LEASE_THAT_IS_NOT_GIVEN(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt attempt(PlainClaim claim) {
            return alone(
                    claim.name(),
                    lock -> lock.grant != null && lock.isHeldBy(claim)
                            ? new Attempt.Granted(new FencingToken(lock.grant.token), validFor(claim))
                            : admits(lock, claim) ? grant(lock, claim) : contend(lock, claim));
        }
    }),

    /**
     * A holder loses its lock, and is granted it again. Its next renewal signals the loss of the first grant, so the holder
     * stops its work without a reason.
     */
    TELLS_THE_END_OF_AN_EARLIER_GRANT_OF_THE_CLAIM(() -> new PlainStore(Traits.PLAIN) {
        private final Map<String, Grant> granted = new HashMap<>();

        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            Renewal answer = super.prolong(lock, claim);
            Grant before = granted.get(claim.id());
            if (before != null && answer instanceof Renewal.Held && lock.grant != before) {
                later(() -> claim.signals.lost(LossCause.EXPIRED));
            }
            return answer;
        }

        @Override
        Grant newGrant(PlainLock lock, PlainClaim claim) {
            Grant grant = super.newGrant(lock, claim);
            granted.putIfAbsent(claim.id(), grant);
            return grant;
        }
    }),

    /** Who begins to wait in an outage does not ask again, and hears of no release: the feed is trusted before it is connected. */
    FEED_LISTENS_BEFORE_IT_IS_CONNECTED(() -> PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
        @Override
        boolean isConnected() {
            return true;
        }
    })),

    /** A renewal after the end of the lease answers that the store was lost. An operator then looks at a network that works. */
    THE_END_OF_A_LEASE_IS_TOLD_AS_A_LOST_STORE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            Renewal answer = super.prolong(lock, claim);
            return answer instanceof Renewal.Lost ? new Renewal.Lost(LossCause.STORE_LOST) : answer;
        }
    });

    @SuppressWarnings("ImmutableEnumChecker") // The supplier keeps nothing: each call makes a new store.
    private final Supplier<PlainStore> store;

    WrongAnswers(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }
}
