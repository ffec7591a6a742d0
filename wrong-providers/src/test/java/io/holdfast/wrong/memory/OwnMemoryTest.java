package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.Bench.TestClaim;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

class OwnMemoryTest extends FaultTest {

    @Override
    Map<WrongProvider, Consumer<Bench>> scenarios() {
        Map<OwnMemory, Consumer<Bench>> all = new EnumMap<>(OwnMemory.class);
        all.put(OwnMemory.MEASURES_THE_HOLDER_BY_THE_CLAIMANTS_LEASE, bench -> {
            bench.leased(bench.open(), "a", Duration.ofHours(1)).isGranted();
            bench.pass(700);
            bench.claim(bench.open(), "a").isContended();
        });
        all.put(OwnMemory.COMPARES_THE_CLOCKS_OF_HOSTS, bench -> {
            bench.claim(bench.open(), "a").isGranted();
            MemoryProvider other = bench.open();
            bench.pass(300);
            bench.claim(other, "a").isContended();
        });
        all.put(OwnMemory.GRANTS_IN_A_SESSION_THAT_HAS_ENDED, bench -> {
            TestClaim waiter = bench.waiter(bench.open(), "a");
            outage(bench);
            waiter.isGranted();
            bench.claim(bench.open(), "a").isContended();
        });
        all.put(OwnMemory.MAKES_ITS_RECORDS_AGAIN_IN_A_NEW_SESSION, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            outage(bench);
            holder.isLost();
        });
        all.put(OwnMemory.LOOKING_AT_THE_HOLDER_PROLONGS_ITS_LEASE, bench -> {
            bench.claim(bench.open(), "a").isGranted();
            bench.pass(400);
            bench.open().holder("a");
            bench.pass(200);
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(OwnMemory.ASKING_FOR_THE_LOCK_PROLONGS_ITS_LEASE, bench -> {
            bench.claim(bench.open(), "a").isGranted();
            bench.pass(400);
            TestClaim rival = bench.claim(bench.open(), "a").isContended();
            bench.pass(200);
            rival.isGranted();
        });
        all.put(OwnMemory.A_RAISE_ENDS_WITH_ITS_CLIENT, bench -> {
            MemoryProvider client = bench.open();
            client.raiseTokens(1_000);
            client.close();
            assertThat(bench.claim(bench.open(), "a").isGranted()).isGreaterThan(1_000);
        });
        all.put(OwnMemory.READS_ONCE_HOW_FAR_TOKENS_WERE_RAISED, bench -> {
            MemoryProvider client = bench.open();
            bench.claim(client, "a").isGranted();
            bench.open().raiseTokens(1_000);
            assertThat(bench.claim(client, "b").isGranted()).isGreaterThan(1_000);
        });
        all.put(OwnMemory.KNOWS_THE_HIGHEST_TOKEN_OF_ITS_OWN_GRANTS, bench -> {
            MemoryProvider client = bench.open();
            long token = bench.claim(bench.open(), "a").isGranted();
            assertThat(client.highestToken()).isGreaterThanOrEqualTo(token);
        });
        all.put(OwnMemory.TAKES_TOKENS_IN_BLOCKS_OF_20, bench -> {
            MemoryProvider client = bench.open();
            long last = 0;
            for (MemoryProvider each : new MemoryProvider[] {client, bench.open(), client}) {
                TestClaim claim = bench.claim(each, "a");
                assertThat(claim.isGranted()).isGreaterThan(last);
                last = claim.isGranted();
                claim.isReleased();
            }
        });
        all.put(OwnMemory.REFUSES_WHAT_IT_BELIEVES_IT_HOLDS, bench -> {
            MemoryProvider client = bench.open();
            bench.claim(client, "a").isGranted();
            bench.store.remove("a");
            bench.claim(client, "a").isGranted();
        });
        all.put(OwnMemory.SHOWS_ITSELF_FROM_MEMORY, bench -> {
            MemoryProvider client = bench.open();
            bench.claim(client, "a").isGranted();
            assertThat(client.holder("a")).isPresent();
            bench.store.remove("a");
            assertThat(client.holder("a")).isEmpty();
        });
        all.put(OwnMemory.WITHDRAWS_NOTHING_AFTER_A_CONTENDED_ANSWER, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            bench.waiter(bench.open(), "a").isContended().isNotHeld();
            holder.isReleased();
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(OwnMemory.THE_END_OF_ONE_SESSION_FREES_WHAT_ANOTHER_SHARES, bench -> {
            MemoryProvider ending = bench.open();
            bench.owned(ending, "a", "Ann").isGranted();
            TestClaim left = bench.owned(bench.open(), "a", "Ann");
            left.isGranted();
            bench.store.expire(ending);
            left.isHeld();
        });
        all.put(OwnMemory.WAKES_THE_DEAD_WAITER_OF_ITS_HOLDER, bench -> {
            MemoryProvider ending = bench.open();
            bench.claim(ending, "a").isGranted();
            bench.waiter(ending, "a").isContended();
            TestClaim next = bench.waiter(bench.open(), "a").isContended();
            bench.store.expire(ending);
            next.wasWoken(1);
        });
        all.put(OwnMemory.TELLS_THE_END_OF_A_SESSION_LATE_AND_TO_ALL, bench -> {
            MemoryProvider client = bench.open();
            bench.store.expire(client);
            TestClaim holder = bench.claim(client, "a");
            holder.isGranted();
            holder.isHeld();
            holder.isHeld();
            assertThat(holder.losses).hasValue(0);
        });
        all.put(OwnMemory.SENDS_HEARTBEATS_FOR_ITS_FIRST_SESSION, bench -> {
            MemoryProvider client = bench.open();
            bench.store.expire(client);
            TestClaim holder = bench.leased(client, "a", Duration.ofHours(1));
            holder.isGranted();
            bench.pass(PlainStore.SESSION.toMillis());
            bench.store.tick();
            holder.isHeld();
        });
        all.put(OwnMemory.ASKS_FOR_A_LONGER_SECOND_SESSION, bench -> {
            MemoryProvider client = bench.open();
            bench.store.expire(client);
            bench.claim(client, "a").isGranted();
            bench.pass(PlainStore.SESSION.toMillis());
            bench.store.tick();
            bench.claim(bench.open(), "a").isGranted();
        });
        assertThat(all).hasSameSizeAs(OwnMemory.values());
        return Map.copyOf(all);
    }

    private static void outage(Bench bench) {
        bench.store.beginOutage();
        bench.pass(PlainStore.SESSION.toMillis());
        bench.store.endOutage();
    }
}
