package io.holdfast.wrong.memory;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Entry;
import io.holdfast.wrong.memory.PlainLock.Grant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Does in two steps what has to be one. Nothing lies between them but the way from the one to the other. */
enum Windows implements WrongProvider {
    /** Two that ask at once are granted the lock both: {@code SELECT}, then {@code UPDATE} without a condition. */
    CHECKS_THEN_GRANTS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt attempt(PlainClaim claim) {
            if (!alone(claim.name(), lock -> admits(lock, claim))) {
                return alone(claim.name(), lock -> contend(lock, claim));
            }
            otherThreads();
            return alone(claim.name(), lock -> grant(lock, claim));
        }
    }),

    /** Two that come first to a name are granted the lock both: {@code INSERT} if there is no row, else one {@code UPDATE}. */
    MAKES_A_RECORD_IN_TWO_STEPS(() -> new PlainStore(Traits.PLAIN) {
        private final Set<String> records = ConcurrentHashMap.newKeySet();

        @Override
        Attempt attempt(PlainClaim claim) {
            if (records.contains(claim.name())) {
                return super.attempt(claim);
            }
            otherThreads();
            return alone(claim.name(), lock -> {
                records.add(claim.name());
                return grant(lock, claim);
            });
        }
    }),

    /**
     * Two that meet the record of a dead holder at once are granted the lock both: {@code DEL} if it is old, then {@code SETNX}.
     */
    TAKES_OVER_IN_TWO_STEPS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt attempt(PlainClaim claim) {
            if (raw(claim.name(), this::holdsAnEndedGrant)) {
                otherThreads();
                raw(claim.name(), lock -> lock.grant = null);
            }
            return super.attempt(claim);
        }
    }),

    /**
     * Who looks at the holder at the end of a lease may delete the next one's record: {@code DELETE ... WHERE name = ?}, after a
     * look.
     */
    LOOKS_AND_SWEEPS_IN_TWO_STEPS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Optional<LockHolder> holder(String name) {
            if (raw(name, this::holdsAnEndedGrant)) {
                otherThreads();
                raw(name, lock -> lock.grant = null);
            }
            return super.holder(name);
        }
    }),

    /** A holder that releases at the end of its lease frees the next one's lock: {@code GET}, compare, {@code DEL}. */
    RELEASES_IN_TWO_STEPS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Release release(PlainClaim claim) {
            if (!alone(claim.name(), lock -> lock.isHeldBy(claim))) {
                return super.release(claim);
            }
            otherThreads();
            return alone(claim.name(), lock -> {
                end(lock, claim.name());
                return Release.RELEASED;
            });
        }
    }),

    /**
     * A renewal at the end of a lease, or while an operator deletes the record, brings it back: {@code GET}, compare,
     * {@code SET}.
     */
    RENEWS_IN_TWO_STEPS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Renewal renew(PlainClaim claim) {
            Grant seen = alone(claim.name(), lock -> lock.isHeldBy(claim) ? lock.grant : null);
            if (seen == null) {
                return new Renewal.Lost(LossCause.TAKEN_OVER);
            }
            otherThreads();
            return alone(claim.name(), lock -> writeBack(this, lock, seen, claim));
        }
    }),

    /** The same in batches only: one query for all records, and then one update for all that were found. */
    RENEWS_BATCHES_IN_TWO_STEPS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            Map<String, Grant> seen = new LinkedHashMap<>();
            for (PlainClaim claim : claims) {
                Grant grant = alone(claim.name(), lock -> lock.isHeldBy(claim) ? lock.grant : null);
                if (grant != null) {
                    seen.put(claim.id(), grant);
                }
            }
            List<Renewal> answers = new ArrayList<>();
            for (PlainClaim claim : claims) {
                Grant grant = seen.get(claim.id());
                answers.add(
                        grant == null
                                ? new Renewal.Lost(LossCause.TAKEN_OVER)
                                : alone(claim.name(), lock -> writeBack(this, lock, grant, claim)));
            }
            return answers;
        }
    }),

    /**
     * Of two clients of an owner that enter at once one is not counted, and loses the lock: a set that is read and written back.
     */
    RE_ENTERS_BY_READING_AND_WRITING(() -> new PlainStore(Traits.SHARED) {
        @Override
        Attempt attempt(PlainClaim claim) {
            Map<String, Entry> seen = alone(claim.name(), lock -> entries(lock, claim));
            otherThreads();
            return alone(claim.name(), lock -> {
                if (lock.grant == null || seen == null || !admits(lock, claim)) {
                    return admits(lock, claim) ? grant(lock, claim) : contend(lock, claim);
                }
                lock.grant.entries.clear();
                lock.grant.entries.putAll(seen);
                return grant(lock, claim);
            });
        }

        private @Nullable Map<String, Entry> entries(PlainLock lock, PlainClaim claim) {
            return lock.grant != null && admits(lock, claim) ? new LinkedHashMap<>(lock.grant.entries) : null;
        }
    }),

    /**
     * A client that re-enters while the last one of its owner leaves loses the lock: {@code HDEL}, {@code HLEN} = 0, {@code DEL}.
     */
    THE_LAST_ONE_OUT_DELETES_IN_TWO_STEPS(() -> new PlainStore(Traits.SHARED) {
        @Override
        Release release(PlainClaim claim) {
            boolean last = alone(claim.name(), lock -> lock.isHeldBy(claim) && isLast(lock));
            if (!last) {
                return super.release(claim);
            }
            otherThreads();
            return alone(claim.name(), lock -> {
                end(lock, claim.name());
                return Release.RELEASED;
            });
        }

        private boolean isLast(PlainLock lock) {
            return lock.grant != null && lock.grant.entries.size() == 1;
        }
    }),

    /** The later of two holders has the smaller token, and the resource refuses it: {@code INCR}, then {@code SET NX}. */
    TAKES_THE_TOKEN_BEFORE_THE_LOCK(() -> new PlainStore(Traits.PLAIN) {
        private final Map<String, Long> taken = new ConcurrentHashMap<>();

        @Override
        Attempt attempt(PlainClaim claim) {
            synchronized (this) {
                taken.put(claim.id(), ++lastToken);
            }
            otherThreads();
            return super.attempt(claim);
        }

        @Override
        long nextToken(PlainClaim claim) {
            return taken.getOrDefault(claim.id(), 0L);
        }
    }),

    /**
     * A holder has the token of another lock's grant, and the store shows a different one: the last value of a sequence, asked
     * for after the grant.
     */
    READS_THE_TOKEN_BACK(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt attempt(PlainClaim claim) {
            boolean again = alone(claim.name(), lock -> lock.isHeldBy(claim));
            Attempt answer = super.attempt(claim);
            if (again || answer instanceof Attempt.Contended) {
                return answer;
            }
            otherThreads();
            return new Attempt.Granted(new FencingToken(highestToken()), validFor(claim));
        }
    }),

    /** A waiter sleeps on beside a free lock: it is entered as a listener after it was told that the lock is held. */
    LISTENS_AFTER_THE_LOOK(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt attempt(PlainClaim claim) {
            Attempt answer = super.attempt(claim);
            if (answer instanceof Attempt.Contended && claim.waits()) {
                otherThreads();
                alone(claim.name(), lock -> super.contend(lock, claim));
            }
            return answer;
        }

        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            return new Attempt.Contended(retryAfter(lock, claim));
        }
    }),

    /** A waiter that is fast finds the lock still held, and is not told again: {@code PUBLISH}, then {@code DEL}. */
    TELLS_OF_A_RELEASE_BEFORE_IT(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Release release(PlainClaim claim) {
            alone(claim.name(), lock -> {
                if (lock.isHeldBy(claim)) {
                    super.announce(lock, claim.name());
                }
                return true;
            });
            otherThreads();
            return super.release(claim);
        }

        @Override
        void announce(PlainLock lock, String name) {}
    }),

    /** A free lock is refused while any other call is at its record: {@code FOR UPDATE NOWAIT}. */
    TAKES_A_LOCKED_RECORD_FOR_A_HELD_LOCK(() -> new PlainStore(Traits.PLAIN) {
        private final Set<String> locked = ConcurrentHashMap.newKeySet();

        @Override
        Attempt attempt(PlainClaim claim) {
            return locked.contains(claim.name()) ? new Attempt.Contended(Optional.empty()) : super.attempt(claim);
        }

        @Override
        Renewal renew(PlainClaim claim) {
            return locking(claim.name(), () -> super.renew(claim));
        }

        @Override
        Release release(PlainClaim claim) {
            return locking(claim.name(), () -> super.release(claim));
        }

        @Override
        Optional<LockHolder> holder(String name) {
            return locking(name, () -> super.holder(name));
        }

        private <T> T locking(String name, Supplier<T> call) {
            locked.add(name);
            try {
                otherThreads();
                return call.get();
            } finally {
                locked.remove(name);
            }
        }
    }),

    /** A raise by a little too late an operator puts the tokens back below those already given: read, compare, write. */
    RAISES_IN_TWO_STEPS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        void raiseTokens(long above) {
            if (above > highestToken()) {
                otherThreads();
                synchronized (this) {
                    lastToken = above;
                }
            }
        }
    });

    @SuppressWarnings("ImmutableEnumChecker") // The supplier keeps nothing: each call makes a new store.
    private final Supplier<PlainStore> store;

    Windows(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }

    /** Between two requests lies at least the way to the store, on which others go, too. */
    @SuppressWarnings("ThreadPriorityCheck") // Nothing relies on it: the fault shows sooner by it.
    private static void otherThreads() {
        Thread.yield();
    }

    private static Renewal writeBack(PlainStore store, PlainLock lock, Grant seen, PlainClaim claim) {
        lock.grant = seen;
        store.enter(lock, seen, claim);
        return new Renewal.Held(store.validFor(claim));
    }
}
