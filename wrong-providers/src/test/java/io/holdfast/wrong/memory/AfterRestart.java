package io.holdfast.wrong.memory;

import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Grant;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Knows something else after a restart than what it knew before. */
enum AfterRestart implements WrongProvider {
    /** A dead holder keeps its lock for up to a lease too long: the log has leases, and not when they began. */
    BEGINS_ALL_LEASES_ANEW(() -> new PlainStore(Traits.PLAIN) {
        @Override
        void recover() {
            grants(this)
                    .forEach(grant ->
                            grant.entries.replaceAll((id, entry) -> entry.until(now + leaseNanos(entry.claim()))));
        }
    }),

    /** A holder that has the lock twice loses it after a restart: one line of the log for each lock. */
    KEEPS_THE_FIRST_HOLD_OF_AN_OWNER(() -> new PlainStore(Traits.SHARED) {
        @Override
        void recover() {
            grants(this)
                    .forEach(grant -> grant.entries
                            .keySet()
                            .retainAll(Set.of(grant.entries.keySet().iterator().next())));
        }
    }),

    /** A lock that somebody had given up to wait for is free after a restart: the log has releases by the name of the lock. */
    RELEASES_WHAT_WAS_GIVEN_UP(() -> new PlainStore(Traits.PLAIN) {
        private final Set<String> givenUp = new HashSet<>();

        @Override
        Release free(PlainLock lock, PlainClaim claim) {
            Release answer = super.free(lock, claim);
            if (answer == Release.NOT_HELD && lock.grant != null) {
                givenUp.add(lock.key);
            }
            return answer;
        }

        @Override
        void recover() {
            givenUp.stream()
                    .flatMap(key -> Optional.ofNullable(locks.get(key)).stream())
                    .forEach(lock -> lock.grant = null);
        }
    }),

    /** An operator sees a holder that seems to have come with the last restart. */
    IS_THE_BEGINNING_OF_ALL_HOLDS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        void recover() {
            grants(this).forEach(grant -> grant.since = Instant.EPOCH);
        }
    }),

    /** Tokens fall after a restart: the counter is written now and then. */
    SETS_THE_TOKENS_BACK(() -> new PlainStore(Traits.STRICT) {
        @Override
        void recover() {
            lastToken = Math.max(0, lastToken - 10);
        }
    }),

    /** Tokens fall after a restart to where they were before they were raised: a raise is not in the log, and grants are. */
    FORGETS_A_RAISE(() -> new PlainStore(Traits.STRICT) {
        private long granted;

        @Override
        long nextToken(PlainClaim claim) {
            granted = super.nextToken(claim);
            return granted;
        }

        @Override
        void recover() {
            lastToken = granted;
        }
    });

    @SuppressWarnings("ImmutableEnumChecker") // The supplier keeps nothing: each call makes a new store.
    private final Supplier<PlainStore> store;

    AfterRestart(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }

    private static Stream<Grant> grants(PlainStore store) {
        return store.locks.values().stream().flatMap(lock -> Optional.ofNullable(lock.grant).stream());
    }
}
