package io.holdfast.wrong.memory;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Right for the values that anybody would try, and wrong between them. */
enum BetweenValues implements WrongProvider {
    /** A lease of 699 ms ends after 600, while its holder works on: a wheel of timers with ticks of 100 ms, as in Netty. */
    KEEPS_LEASES_IN_TENTHS_OF_A_SECOND(() -> new PlainStore(Traits.PLAIN) {
        @Override
        long leaseNanos(PlainClaim claim) {
            long millis = claim.lease().toMillis();
            return TimeUnit.MILLISECONDS.toNanos(Math.max(1, millis / 100) * 100);
        }
    }),

    /** A lease of 1,990 ms ends after 1,000: {@code PEXPIRE} for short leases, and {@code EXPIRE} for the others. */
    KEEPS_LONGER_LEASES_IN_WHOLE_SECONDS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        long leaseNanos(PlainClaim claim) {
            Duration lease = claim.lease();
            return lease.toSeconds() == 0 ? lease.toNanos() : TimeUnit.SECONDS.toNanos(lease.toSeconds());
        }
    }),

    /**
     * A lease of 30 days has ended before it began, so two run the yearly job: milliseconds in an {@code int}; 365 days give 17.
     */
    KEEPS_LEASES_IN_32_BITS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        long leaseNanos(PlainClaim claim) {
            return (int) claim.lease().toMillis() * 1_000_000L;
        }
    }),

    /**
     * A dead holder with a lease of 1.1 s stops the others for 2.1 s: the second wheel of a hierarchy of timers, as in Caffeine.
     */
    ENDS_LONGER_LEASES_WITH_A_COARSE_TICK(() -> new PlainStore(Traits.PLAIN) {
        @Override
        long leaseNanos(PlainClaim claim) {
            long nanos = super.leaseNanos(claim);
            long tick = 1L << 30;
            return nanos < tick ? nanos : (nanos + tick - 1) / tick * tick;
        }
    }),

    /**
     * A lease of 10 s ends after 4 s, though the client was told 10: a server's largest session time-out, 20 ticks in ZooKeeper.
     */
    GIVES_NO_LEASE_OVER_FOUR_SECONDS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        long leaseNanos(PlainClaim claim) {
            return Math.min(super.leaseNanos(claim), TimeUnit.SECONDS.toNanos(4));
        }
    }),

    /** After a move from a store with large tokens all holders have the same one: numbers of Lua, JSON and JavaScript. */
    KEEPS_TOKENS_AS_DOUBLES(() -> new PlainStore(Traits.PLAIN) {
        @Override
        long nextToken(PlainClaim claim) {
            lastToken = (long) ((double) lastToken + 1);
            return lastToken;
        }
    }),

    /** After a move the resource refuses every holder, as the tokens begin again: a column {@code INT UNSIGNED} that wraps. */
    KEEPS_TOKENS_IN_32_BITS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        long nextToken(PlainClaim claim) {
            lastToken = Math.max(1, (lastToken + 1) & 0xFFFF_FFFFL);
            return lastToken;
        }
    }),

    /** A raise from 900 to 1,000 does nothing: numbers compared as text, as in a properties file or a hash of Redis. */
    COMPARES_TOKENS_AS_TEXT(() -> new PlainStore(Traits.PLAIN) {
        @Override
        synchronized void raiseTokens(long above) {
            if (Long.toString(above).compareTo(Long.toString(lastToken)) > 0) {
                super.raiseTokens(above);
            }
        }
    }),

    /** Of 150 locks of a client 50 are lost in each lease: a list cut into statements of 100, whose remainder is forgotten. */
    RENEWS_ONLY_FULL_CHUNKS_OF_A_LARGE_BATCH(() -> new PlainStore(Traits.PLAIN) {
        @Override
        int renewalBatch() {
            return 1_000;
        }

        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            int size = claims.size();
            return renewFirst(this, claims, size < 100 ? size : size / 100 * 100);
        }
    }),

    /** Of 11 locks of a client one is lost in each lease: portions of ten, the last of which is forgotten if it has one item. */
    RENEWS_NO_SINGLE_ONE_BEHIND_PORTIONS_OF_TEN(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            int size = claims.size();
            return renewFirst(this, claims, size > 1 && size % 10 == 1 ? size - 1 : size);
        }
    }),

    /** Of 300 locks of a client 50 are lost in each lease: a store that carries out the first 250 items of a request. */
    RENEWS_THE_FIRST_250_OF_A_BATCH(() -> new PlainStore(Traits.PLAIN) {
        @Override
        int renewalBatch() {
            return 1_000;
        }

        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            return renewFirst(this, claims, Math.min(250, claims.size()));
        }
    }),

    /** Two long paths that differ in the middle are one lock: names of files that were shortened as for a display. */
    SHORTENS_LONG_NAMES_IN_THE_MIDDLE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        String key(String name) {
            int length = name.length();
            return length <= 255 ? name : name.substring(0, 126) + "..." + name.substring(length - 126);
        }
    }),

    /** Two long Chinese names with one beginning are one lock: a column of 1,024 bytes that cuts what is longer. */
    CUTS_NAMES_AT_1024_BYTES(() -> new PlainStore(Traits.PLAIN) {
        @Override
        String key(String name) {
            byte[] bytes = name.getBytes(UTF_8);
            return bytes.length <= 1_024 ? name : new String(bytes, 0, 1_024, UTF_8);
        }
    }),

    /**
     * A waiter that wakes late has part of the lease that it was told: the store hands the lock over at the release, in a
     * trigger.
     */
    COUNTS_THE_LEASE_FROM_THE_WAKE_UP(() -> new PlainStore(Traits.LINE) {
        @Override
        Attempt grant(PlainLock lock, PlainClaim claim) {
            Waiter waiter = lock.line.get(claim.id());
            Attempt answer = super.grant(lock, claim);
            if (waiter != null && waiter.told && lock.grant != null) {
                lock.grant.entries.computeIfPresent(
                        claim.id(), (id, entry) -> entry.until(waiter.toldAt + leaseNanos(claim)));
            }
            return answer;
        }
    }),

    /** Waiters hear of no release for half a minute after an outage of half a minute: pauses that double without a bound. */
    RECONNECTS_AFTER_PAUSES_WITHOUT_A_BOUND(() ->
            PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
                private volatile long connectedAt = store.clock.getAsLong();
                private long brokenAt;

                @Override
                void breakOff() {
                    super.breakOff();
                    brokenAt = store.clock.getAsLong();
                }

                @Override
                void comeBack() {
                    long pause = TimeUnit.MILLISECONDS.toNanos(100);
                    long next = brokenAt;
                    while (next - store.clock.getAsLong() < 0) {
                        next += pause;
                        pause *= 2;
                    }
                    connectedAt = next;
                }

                @Override
                boolean isConnected() {
                    return super.isConnected() && store.clock.getAsLong() - connectedAt >= 0;
                }

                @Override
                void deliver(String name) {
                    if (isConnected()) {
                        super.deliver(name);
                    }
                }
            })),

    /** A waiter with a lease of an hour waits an hour for a holder that died with one of a minute: the wrong variable. */
    ASKS_WAITERS_BACK_AFTER_THEIR_OWN_LEASE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Optional<Duration> retryAfter(PlainLock lock, PlainClaim claim) {
            return Optional.of(claim.lease());
        }
    });

    @SuppressWarnings("ImmutableEnumChecker") // The supplier keeps nothing: each call makes a new store.
    private final Supplier<PlainStore> store;

    BetweenValues(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }

    /** Renews some claims, and takes it for granted that the others are as they were. */
    private static List<Renewal> renewFirst(PlainStore store, List<PlainClaim> claims, int count) {
        List<Renewal> answers = new ArrayList<>();
        claims.subList(0, count).forEach(claim -> answers.add(store.renew(claim)));
        claims.subList(count, claims.size()).forEach(claim -> answers.add(new Renewal.Held(store.validFor(claim))));
        return answers;
    }
}
