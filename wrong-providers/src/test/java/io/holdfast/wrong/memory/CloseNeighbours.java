package io.holdfast.wrong.memory;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.zip.CRC32;

/** Confuses what lies near to each other: names, owners, the claims of one owner, the locks of one client. */
enum CloseNeighbours implements WrongProvider {
    /**
     * Who releases {@code a} frees {@code a/b} of somebody else: {@code deletingChildrenIfNeeded()},
     * {@code etcdctl del --prefix}.
     */
    RELEASE_FREES_WHAT_LIES_BELOW(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Release free(PlainLock lock, PlainClaim claim) {
            Release answer = super.free(lock, claim);
            if (answer == Release.RELEASED) {
                locks.values().stream()
                        .filter(other -> other.key.startsWith(lock.key + "/"))
                        .forEach(other -> end(other, other.key));
            }
            return answer;
        }
    }),

    /** An operator sees the holder of {@code stock:42} when he asks for {@code stock}: a scan for {@code name*}. */
    FINDS_A_HOLDER_BY_PREFIX(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Optional<LockHolder> describe(PlainLock lock) {
            locks.values().forEach(this::dropEnded);
            return lock.grant != null
                    ? super.describe(lock)
                    : locks.values().stream()
                            .filter(other -> other.key.startsWith(lock.key) && other.grant != null)
                            .findFirst()
                            .flatMap(super::describe);
        }
    }),

    /** Owners {@code job|1} and {@code job|2} work at once: fields joined with a separator, and split again. */
    CUTS_OWNERS_AT_A_BAR(() -> new PlainStore(Traits.SHARED) {
        @Override
        String ownerKey(String ownerId) {
            return ownerId.split("\\|", 2)[0];
        }
    }),

    /**
     * Owner {@code c} is let in to {@code n:b}, which somebody has, while {@code b:c} holds {@code n}: one key for name and
     * owner.
     */
    FINDS_HOLDS_BY_NAME_AND_OWNER_IN_ONE_KEY(() -> new PlainStore(Traits.SHARED) {
        @Override
        boolean admits(PlainLock lock, PlainClaim claim) {
            return super.admits(lock, claim)
                    || locks.values().stream()
                            .filter(other -> other.grant != null)
                            .anyMatch(other ->
                                    (other.key + ":" + other.grant.ownerId).equals(lock.key + ":" + claim.ownerId()));
        }
    }),

    /** An owner waits in two clients and gives up in one: in the other it is never woken. Waiters are known by their owner. */
    WITHDRAWS_ALL_WAITS_OF_AN_OWNER(() -> new PlainStore(Traits.PLAIN) {
        @Override
        void withdraw(PlainLock lock, PlainClaim claim) {
            lock.line.values().removeIf(waiter -> waiter.claim.ownerId().equals(claim.ownerId()));
        }
    }),

    /** Owners {@code Job} and {@code job} work at once: the collation that MySQL gives a column if nobody asks for another. */
    IGNORES_THE_CASE_OF_OWNERS(() -> new PlainStore(Traits.SHARED) {
        @Override
        String ownerKey(String ownerId) {
            return ownerId.toLowerCase(Locale.ROOT);
        }
    }),

    /** Owners {@code job} and {@code job } work at once: SQL pads text with blanks before it compares. */
    IGNORES_BLANKS_BEHIND_OWNERS(() -> new PlainStore(Traits.SHARED) {
        @Override
        String ownerKey(String ownerId) {
            return ownerId.stripTrailing();
        }
    }),

    /** Among some ten thousand names two exclude each other: an advisory lock of 32 bits, by {@code String.hashCode}. */
    KEEPS_NAMES_AS_THEIR_HASH_CODE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        String key(String name) {
            return Integer.toHexString(name.hashCode());
        }
    }),

    /** The same with a better hash, whose collisions nobody knows by heart: {@code hashtext} of PostgreSQL, CRC-32. */
    KEEPS_NAMES_AS_THEIR_CHECKSUM(() -> new PlainStore(Traits.PLAIN) {
        @Override
        String key(String name) {
            CRC32 sum = new CRC32();
            sum.update(name.getBytes(UTF_8));
            return Long.toHexString(sum.getValue());
        }
    }),

    /** {@code a/b} and {@code a%2Fb} exclude each other: an escape that does not escape itself. */
    ESCAPES_SLASHES_BUT_NOT_THE_ESCAPE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        String key(String name) {
            return name.replace("/", "%2F");
        }
    }),

    /** Names that differ in a soft hyphen or a zero-width joiner exclude each other: collations ignore such characters. */
    IGNORES_INVISIBLE_CHARACTERS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        String key(String name) {
            return name.replaceAll("\\p{Cf}", "");
        }
    }),

    /**
     * The locks of two dead holders, {@code Job} and {@code job}, are never free for a client that wants both: it knows the dead
     * by a version that stays the same, and keeps that by the name in lower case.
     */
    KNOWS_THE_DEAD_BY_NAMES_IN_LOWER_CASE(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final Map<String, String> seen = new ConcurrentHashMap<>();

        @Override
        Attempt attempt(PlainClaim claim) {
            String before = seen.put(claim.name().toLowerCase(Locale.ROOT), claim.name());
            boolean dead = store.raw(claim.name(), store::holdsAnEndedGrant);
            return dead && before != null && !before.equals(claim.name())
                    ? new Attempt.Contended(Optional.empty())
                    : super.attempt(claim);
        }
    })),

    /** A late block of a thread frees the lock that the same thread was granted again: the owner is compared, not the claim. */
    RELEASES_WHAT_ITS_OWNER_HOLDS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Release free(PlainLock lock, PlainClaim claim) {
            withdraw(lock, claim);
            if (lock.grant == null || !lock.grant.ownerId.equals(claim.ownerId())) {
                return Release.NOT_HELD;
            }
            end(lock, claim.name());
            return Release.RELEASED;
        }
    }),

    /** A lost hold of a thread looks alive as soon as the same thread was granted the lock again, under another token. */
    RENEWS_WHAT_ITS_OWNER_HOLDS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            if (lock.grant == null || !lock.grant.ownerId.equals(claim.ownerId())) {
                return new Renewal.Lost(LossCause.TAKEN_OVER);
            }
            long ends = now + leaseNanos(claim);
            lock.grant.entries.replaceAll((id, entry) -> entry.until(ends));
            return new Renewal.Held(validFor(claim));
        }
    }),

    /** A holder is told that its lock is lost when its client cleans up an older claim of the name: a table by name. */
    LATE_RELEASE_FORGETS_THE_SUCCESSOR(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final Map<String, String> granted = new ConcurrentHashMap<>();

        @Override
        public int renewalBatch() {
            return 1;
        }

        @Override
        Attempt attempt(PlainClaim claim) {
            Attempt answer = super.attempt(claim);
            if (answer instanceof Attempt.Granted) {
                granted.put(claim.name(), claim.id());
            }
            return answer;
        }

        @Override
        Renewal renew(PlainClaim claim) {
            return granted.containsKey(claim.name()) ? super.renew(claim) : new Renewal.Lost(LossCause.EXPIRED);
        }

        @Override
        Release release(PlainClaim claim) {
            granted.remove(claim.name());
            return super.release(claim);
        }
    })),

    /** When one lock of a client is not waited for any more, no other is heard of: {@code UNSUBSCRIBE} without a name. */
    UNSUBSCRIBING_ONE_NAME_ENDS_ALL(() -> PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
        @Override
        void unsubscribe(String name) {
            names.clear();
        }
    })),

    /**
     * Waiters for {@code stock:42} are never woken: the name is cut out of the channel {@code released:stock:42} by its colons.
     */
    MESSAGES_LOSE_NAMES_WITH_A_COLON(() -> PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
        @Override
        void deliver(String name) {
            String channel = "released:" + name;
            super.deliver(channel.split(":", -1)[1]);
        }
    })),

    /**
     * Of two clients in one process one is never woken: subscribers are known by host and process, and the later one replaces the
     * other.
     */
    TELLS_ONE_CLIENT_OF_A_PROCESS(() -> new PlainStore(Traits.FEED) {
        @Override
        void announce(PlainLock lock, String name) {
            if (!clients.isEmpty()) {
                MemoryProvider latest = clients.get(clients.size() - 1);
                later(() -> latest.deliver(name));
            }
        }
    }),

    /** A lost lock is told as held if another of its owner is: answers in a map by owner. */
    ANSWERS_A_BATCH_BY_OWNER(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            Map<String, Renewal> answers = new HashMap<>();
            claims.forEach(claim -> answers.put(claim.ownerId(), renew(claim)));
            return claims.stream().map(claim -> answers.get(claim.ownerId())).toList();
        }
    });

    @SuppressWarnings("ImmutableEnumChecker") // The supplier keeps nothing: each call makes a new store.
    private final Supplier<PlainStore> store;

    CloseNeighbours(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }
}
