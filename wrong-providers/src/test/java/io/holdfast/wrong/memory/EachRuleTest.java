package io.holdfast.wrong.memory;

import static io.holdfast.lock.spi.ClaimRequest.Intent.TRY_ONCE;
import static io.holdfast.lock.spi.ClaimRequest.Intent.WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.Bench.TestClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

class EachRuleTest extends FaultTest {

    @Override
    Map<WrongProvider, Consumer<Bench>> scenarios() {
        Map<EachRule, Consumer<Bench>> all = new EnumMap<>(EachRule.class);
        all.put(EachRule.TAKES_AN_IDLE_CONNECTION_FOR_CONTENTION, bench -> {
            MemoryProvider client = bench.open();
            bench.pass(500);
            bench.claim(client, "a").isGranted();
        });
        all.put(
                EachRule.REFUSES_A_THREAD_WHOSE_NAME_HAS_A_NUL,
                bench -> bench.owned(bench.open(), "a", "Ann\u0000").isGranted());
        all.put(EachRule.A_REPEATED_ATTEMPT_SOON_AFTER_THE_GRANT_IS_NOT_WRITTEN, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            bench.pass(100);
            holder.isGranted();
            bench.pass(Bench.LEASE.toMillis() - 50);
            holder.isHeld();
        });
        all.put(EachRule.A_CLAIM_THAT_WAS_LOST_STAYS_LOST, bench -> {
            TestClaim claim = bench.claim(bench.open(), "a");
            claim.isGranted();
            bench.pass(Bench.LEASE.toMillis());
            claim.isLost();
            claim.isGranted();
            claim.isHeld();
        });
        all.put(EachRule.A_BATCH_FAILS_WITH_A_CLAIM_OF_AN_ENDED_SESSION, bench -> {
            MemoryProvider client = bench.open();
            TestClaim former = bench.claim(client, "a");
            former.isGranted();
            bench.store.expire(client);
            TestClaim holder = bench.claim(client, "b");
            holder.isGranted();
            assertThat(client.renewAll(List.of(former.claim, holder.claim)))
                    .satisfiesExactly(
                            first -> assertThat(first).isInstanceOf(Renewal.Lost.class),
                            second -> assertThat(second).isInstanceOf(Renewal.Held.class));
        });
        all.put(EachRule.A_CLAIM_THAT_COMES_AGAIN_IS_NOT_WRITTEN, bench -> {
            MemoryProvider client = bench.open();
            bench.claim(client, "a", "Ann", Duration.ofHours(1), TRY_ONCE).isGranted();
            TestClaim inner = bench.owned(client, "a", "Ann");
            inner.isGranted();
            bench.pass(Bench.LEASE.toMillis());
            inner.isGranted();
            inner.isHeld();
        });
        all.put(EachRule.A_REMOVAL_BLOCKS_A_FREE_LOCK, bench -> {
            bench.store.remove("a");
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(EachRule.A_SECOND_CLOSE_FREES_THE_LOCKS_OF_A_LATER_CLIENT, bench -> {
            MemoryProvider closed = bench.open();
            closed.close();
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            closed.close();
            holder.isHeld();
        });
        all.put(EachRule.A_CLOSE_FREES_THE_LOCKS_OF_THE_PROCESS, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            bench.open().close();
            holder.isHeld();
        });
        all.put(EachRule.CANNOT_BE_CLOSED_TWICE, bench -> {
            MemoryProvider client = bench.open();
            client.close();
            client.close();
        });
        all.put(EachRule.A_CLOSED_CLIENT_SWALLOWS_INTERRUPTS, bench -> {
            MemoryProvider client = bench.open();
            client.close();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> client.holder("a")).isInstanceOf(LockStoreException.class);
            assertThat(Thread.interrupted()).isTrue();
        });
        all.put(EachRule.A_WAITER_IS_DEAF_AFTER_THE_END_OF_ITS_SESSION, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            MemoryProvider waiting = bench.open();
            TestClaim waiter = bench.waiter(waiting, "a").isContended();
            bench.store.expire(waiting);
            int before = waiter.isContended().wakeUps.get();
            holder.isReleased();
            waiter.wasWoken(before + 1);
        });
        all.put(EachRule.TELLS_OF_EACH_LOSS_AS_OF_THE_LATEST, bench -> {
            MemoryProvider client = bench.open();
            bench.store.expire(client);
            TestClaim holder = bench.claim(client, "a");
            holder.isGranted();
            bench.store.remove("a");
            assertThat(holder.claim.renew()).isNotEqualTo(new Renewal.Lost(LossCause.SESSION_ENDED));
        });
        all.put(EachRule.TELLS_RELEASED_CLAIMS_OF_THE_END_OF_A_SESSION, bench -> {
            MemoryProvider client = bench.open();
            TestClaim released = bench.claim(client, "a");
            released.isGranted();
            released.isReleased();
            bench.store.expire(client);
            assertThat(released.losses).hasValue(0);
        });
        all.put(EachRule.LEAVES_THE_THREAD_OF_AN_ENDED_SESSION, bench -> {
            long before = StaysBehindTest.threads();
            MemoryProvider client = bench.open();
            bench.store.expire(client);
            client.close();
            assertThat(StaysBehindTest.threads()).isEqualTo(before);
        });
        all.put(EachRule.SUBSCRIBES_AGAIN_TO_ONE_NAME, bench -> {
            MemoryProvider client = bench.open();
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            bench.claim(bench.open(), "b").isGranted();
            TestClaim waiter = bench.waiter(client, "a").isContended();
            bench.waiter(client, "b").isContended();
            bench.store.beginOutage();
            bench.store.endOutage();
            int before = waiter.isContended().wakeUps.get();
            holder.isReleased();
            waiter.wasWoken(before + 1);
        });
        all.put(EachRule.A_LEASE_OF_A_MILLISECOND_NEVER_ENDS, bench -> {
            bench.leased(bench.open(), "a", Duration.ofMillis(1)).isGranted();
            bench.pass(1);
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(EachRule.REFUSES_WHAT_A_DEAD_CLAIM_OF_ITS_OWN_HELD, bench -> {
            MemoryProvider client = bench.open();
            bench.claim(client, "a").isGranted();
            bench.pass(Bench.LEASE.toMillis());
            bench.claim(client, "a").isGranted();
        });
        all.put(EachRule.MOVES_SINCE_WITH_A_BATCH, bench -> {
            MemoryProvider client = bench.open();
            TestClaim holder = bench.claim(client, "a");
            holder.isGranted();
            bench.store.locks.values().forEach(lock -> lock.grant.since = Instant.EPOCH);
            client.renewAll(List.of(holder.claim));
            assertThat(client.holder("a"))
                    .hasValueSatisfying(shown -> assertThat(shown.since()).hasValue(Instant.EPOCH));
        });
        all.put(EachRule.A_WAITER_IS_NOT_LET_IN_TO_ITS_OWNER, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            TestClaim second =
                    bench.claim(bench.open(), "a", "Ann", Bench.LEASE, WAIT).isContended();
            holder.isReleased();
            bench.owned(bench.open(), "a", "Ann").isGranted();
            second.isGranted();
        });
        all.put(EachRule.DRAWS_A_NEW_TOKEN_WHEN_THE_FIRST_CLAIM_HAS_ENDED, bench -> {
            long token = bench.owned(bench.open(), "a", "Ann").isGranted();
            bench.claim(bench.open(), "a", "Ann", Duration.ofHours(1), TRY_ONCE).isGranted();
            bench.pass(Bench.LEASE.toMillis());
            assertThat(bench.owned(bench.open(), "a", "Ann").isGranted()).isEqualTo(token);
        });
        all.put(EachRule.KEEPS_LEASES_OF_TEN_SECONDS_IN_SECONDS, bench -> {
            TestClaim holder = bench.leased(bench.open(), "a", Duration.ofMillis(10_900));
            holder.isGranted();
            bench.pass(10_500);
            holder.isHeld();
        });
        all.put(
                EachRule.RELEASES_WHAT_WAS_NEVER_ASKED_FOR,
                bench -> bench.claim(bench.open(), "a").isNotHeld());
        all.put(EachRule.SENDS_A_RELEASE_WITH_THE_NEXT_REQUEST, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            holder.isReleased();
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(EachRule.A_REMOVAL_BEGINS_THE_TOKENS_AGAIN, bench -> {
            long token = bench.claim(bench.open(), "a").isGranted();
            bench.store.remove("a");
            assertThat(bench.claim(bench.open(), "a").isGranted()).isGreaterThan(token);
        });
        all.put(EachRule.RAISES_TO_WHAT_IS_MORE_BY_A_SUBTRACTION, bench -> {
            long token = bench.claim(bench.open(), "a").isGranted();
            bench.open().raiseTokens(Long.MIN_VALUE);
            assertThat(bench.claim(bench.open(), "b").isGranted()).isGreaterThan(token);
        });
        all.put(EachRule.FORGETS_A_CLIENT_THAT_HAS_COME_BACK, bench -> {
            TestClaim holder = bench.leased(bench.open(), "a", Duration.ofHours(1));
            holder.isGranted();
            bench.store.beginOutage();
            bench.store.endOutage();
            TestClaim waiter = bench.waiter(bench.open(), "a").isContended();
            bench.pass(3_000);
            holder.isReleased();
            waiter.wasWoken(1);
        });
        all.put(EachRule.KEEPS_THE_PLACE_OF_A_WAITER_THAT_JOINED_ITS_OWNER, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            TestClaim one =
                    bench.claim(bench.open(), "a", "Ann", Bench.LEASE, WAIT).isContended();
            TestClaim other =
                    bench.claim(bench.open(), "a", "Ann", Bench.LEASE, WAIT).isContended();
            holder.isReleased();
            one.isGranted();
            other.isGranted();
            one.isReleased();
            other.isReleased();
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(EachRule.A_LATE_RELEASE_BEGINS_THE_TOKENS_AGAIN, bench -> {
            TestClaim late = bench.claim(bench.open(), "a");
            long token = late.isGranted();
            bench.pass(600);
            late.isNotHeld();
            assertThat(bench.claim(bench.open(), "a").isGranted()).isGreaterThan(token);
        });
        all.put(EachRule.TAKES_WAITERS_OF_LONGER_NAMES_FOR_ITS_OWN, bench -> {
            bench.claim(bench.open(), "ab").isGranted();
            bench.waiter(bench.open(), "ab").isContended();
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(EachRule.A_RELEASE_SWEEPS_THE_LINES_OF_LONGER_NAMES, bench -> {
            TestClaim holder = bench.claim(bench.open(), "ab");
            holder.isGranted();
            bench.waiter(bench.open(), "ab").isContended();
            TestClaim other = bench.claim(bench.open(), "a");
            other.isGranted();
            other.isReleased();
            holder.isReleased();
            bench.claim(bench.open(), "ab").isContended();
        });
        all.put(EachRule.ADDS_ITS_WAIT_FOR_A_CONNECTION_TO_THE_VALIDITY, bench -> {
            MemoryProvider client = bench.open();
            TestClaim other = bench.claim(client, "b");
            bench.interleave(
                    () -> bench.claim(client, "a").isGranted(),
                    1,
                    () -> assertThat(((Attempt.Granted) other.claim.attempt()).validFor())
                            .isLessThanOrEqualTo(Bench.LEASE));
        });
        all.put(EachRule.A_RAISE_CHANGES_THE_TOKENS_OF_HOLDERS, bench -> {
            MemoryProvider client = bench.open();
            TestClaim holder = bench.claim(client, "a");
            long token = holder.isGranted();
            client.raiseTokens(1_000);
            assertThat(holder.isGranted()).isEqualTo(token);
        });
        all.put(EachRule.TELLS_AN_OWNER_THE_TOKEN_OF_ITS_FIRST_LOCK, bench -> {
            bench.owned(bench.open(), "a", "Ann").isGranted();
            long token = bench.owned(bench.open(), "b", "Ann").isGranted();
            assertThat(bench.owned(bench.open(), "b", "Ann").isGranted()).isEqualTo(token);
        });
        all.put(EachRule.A_PLACE_LASTS_AS_LONG_AS_THE_LEASE, bench -> {
            TestClaim holder = bench.leased(bench.open(), "a", Duration.ofHours(1));
            holder.isGranted();
            bench.waiter(bench.open(), "a").isContended();
            bench.pass(700);
            holder.isReleased();
            bench.claim(bench.open(), "a").isContended();
        });
        all.put(EachRule.A_LEAVING_CLAIM_TAKES_THOSE_THAT_BEGIN_ALIKE, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            bench.named(bench.open(), "a", "id-10").isContended();
            bench.named(bench.open(), "a", "id-1").isContended().isNotHeld();
            holder.isReleased();
            bench.claim(bench.open(), "a").isContended();
        });
        all.put(EachRule.TAKES_OVER_WHAT_IT_HAS_SEEN_HELD_FOR_A_LEASE, bench -> {
            MemoryProvider watching = bench.open();
            TestClaim before = bench.claim(bench.open(), "a");
            before.isGranted();
            bench.claim(watching, "a").isContended();
            bench.pass(400);
            before.isReleased();
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            bench.pass(200);
            bench.claim(watching, "a").isContended();
        });
        all.put(EachRule.READS_THE_FIRST_PAGE_OF_THE_TOKENS, bench -> {
            MemoryProvider client = bench.open();
            long last = 0;
            for (int i = 0; i < 101; i++) {
                last = bench.claim(client, "name-" + i).isGranted();
            }
            assertThat(client.highestToken()).isGreaterThanOrEqualTo(last);
        });
        all.put(EachRule.FORGETS_THE_TOKENS_OF_AN_IDLE_LOCK, bench -> {
            TestClaim claim = bench.claim(bench.open(), "a");
            long token = claim.isGranted();
            claim.isReleased();
            bench.pass(6_000);
            assertThat(bench.claim(bench.open(), "a").isGranted()).isGreaterThan(token);
        });
        all.put(EachRule.CANNOT_RAISE_THE_TOKENS_OF_A_LONG_NAME, bench -> {
            String name = "\u20AC".repeat(1_000);
            bench.open().raiseTokens(name, 1_000);
            assertThat(bench.claim(bench.open(), name).isGranted()).isGreaterThan(1_000);
        });
        all.put(EachRule.KEEPS_A_CONNECTION_FOR_EACH_THREAD, bench -> {
            MemoryProvider client = bench.open();
            for (int i = 0; i < 65; i++) {
                String name = "name-" + i;
                assertThat(CompletableFuture.supplyAsync(
                                () -> bench.claim(client, name).isGranted(), task -> new Thread(task).start()))
                        .succeedsWithin(Duration.ofMinutes(1));
            }
        });
        all.put(EachRule.ONE_RENEWAL_PROLONGS_ALL_LEASES_OF_ITS_LENGTH, bench -> {
            MemoryProvider client = bench.open();
            bench.claim(client, "a").isGranted();
            TestClaim other = bench.claim(client, "b");
            other.isGranted();
            bench.pass(400);
            other.isHeld();
            bench.pass(200);
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(EachRule.A_BATCH_THAT_WAS_GIVEN_UP_IS_SENT_WITH_THE_NEXT, bench -> {
            MemoryProvider client = bench.open();
            TestClaim holder = bench.claim(client, "a");
            holder.isGranted();
            client.renewAll(List.of(holder.claim, bench.claim(client, "b").claim));
            bench.pass(300);
            holder.isHeld();
            client.renewAll(List.of());
            bench.pass(400);
            holder.isHeld();
        });
        all.put(EachRule.A_CLOSE_TAKES_THE_PLACES_OF_ITS_PROCESS, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            bench.waiter(bench.open(), "a").isContended();
            bench.open().close();
            holder.isReleased();
            bench.claim(bench.open(), "a").isContended();
        });
        all.put(EachRule.HEARS_FOR_THE_LATEST_64_THAT_WAIT, bench -> {
            MemoryProvider client = bench.open();
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            TestClaim first = bench.waiter(client, "a").isContended();
            for (int i = 0; i < 64; i++) {
                bench.waiter(client, "a").isContended();
            }
            holder.isReleased();
            first.wasWoken(1);
        });
        all.put(EachRule.FORGETS_A_WAITER_AFTER_TWO_SECONDS, bench -> {
            TestClaim holder = bench.leased(bench.open(), "a", Duration.ofHours(1));
            holder.isGranted();
            TestClaim waiter = bench.waiter(bench.open(), "a").isContended();
            bench.pass(2_500);
            holder.isReleased();
            waiter.wasWoken(1);
        });
        all.put(EachRule.THREADS_SHARE_ONE_REQUEST, bench -> {
            MemoryProvider client = bench.open();
            TestClaim one = bench.claim(client, "a");
            TestClaim other = bench.claim(client, "b");
            bench.interleave(one::isGranted, 1, other::isGranted);
            one.isHeld();
        });
        assertThat(all).hasSameSizeAs(EachRule.values());
        return Map.copyOf(all);
    }
}
