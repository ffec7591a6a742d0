package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.Bench.TestClaim;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

class ManyAtOnceTest extends FaultTest {

    @Override
    Map<WrongProvider, Consumer<Bench>> scenarios() {
        Map<ManyAtOnce, Consumer<Bench>> all = new EnumMap<>(ManyAtOnce.class);
        all.put(ManyAtOnce.TAKES_FOR_LOST_WHAT_ITS_TABLE_OF_200_HAS_EVICTED, bench -> keepsAll(bench, 201));
        all.put(ManyAtOnce.EVICTS_THE_OLDEST_OF_400_LOCKS, bench -> keepsAll(bench, 401));
        all.put(ManyAtOnce.WAITS_USE_UP_A_POOL_OF_TEN, bench -> {
            MemoryProvider client = bench.open();
            MemoryProvider other = bench.open();
            TestClaim holder = bench.claim(client, "a");
            holder.isGranted();
            for (int i = 0; i < 10; i++) {
                bench.claim(other, "b" + i).isGranted();
                bench.waiter(client, "b" + i).isContended();
            }
            holder.isHeld();
        });
        all.put(ManyAtOnce.SORTS_THE_LINE_AS_TEXT, bench -> servesInOrder(bench, 11));
        all.put(ManyAtOnce.HAS_SIXTEEN_PLACES_IN_A_LINE, bench -> servesInOrder(bench, 18));
        all.put(ManyAtOnce.LISTENS_TO_EIGHT_NAMES, bench -> {
            List<String> reports = new ArrayList<>();
            ReleaseFeed feed =
                    bench.open().releases(new PlainStoreTest.Reports(reports)).orElseThrow();
            for (int i = 0; i < 9; i++) {
                feed.subscribe("a" + i);
            }
            TestClaim holder = bench.claim(bench.open(), "a0");
            holder.isGranted();
            holder.isReleased();
            assertThat(reports).contains("released a0");
        });
        all.put(ManyAtOnce.WAITS_FOR_ONE_NAME_AT_A_TIME, bench -> {
            TestClaim first = bench.claim(bench.open(), "a");
            first.isGranted();
            bench.claim(bench.open(), "b").isGranted();
            MemoryProvider client = bench.open();
            TestClaim waiter = bench.waiter(client, "a").isContended();
            bench.waiter(client, "b").isContended();
            first.isReleased();
            waiter.wasWoken(1);
        });
        all.put(ManyAtOnce.LOOKS_FOR_A_WAITER_AMONG_THE_FIRST_TEN, ManyAtOnceTest::passesOverTheEleventh);
        all.put(ManyAtOnce.KEEPS_SIX_ENTRIES_OF_AN_OWNER, bench -> {
            List<TestClaim> claims = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                claims.add(bench.owned(bench.open(), "a", "Ann"));
            }
            claims.forEach(TestClaim::isGranted);
            claims.forEach(TestClaim::isHeld);
        });
        all.put(ManyAtOnce.ANSWERS_A_BATCH_IN_THE_ORDER_OF_THE_NAMES, bench -> {
            assertThat(renewAfterALoss(bench, "c", "a", "b")).element(0).isInstanceOf(Renewal.Lost.class);
        });
        all.put(ManyAtOnce.TAKES_THE_REST_OF_A_BATCH_FOR_LOST, bench -> {
            assertThat(renewAfterALoss(bench, "a", "b", "c")).element(1).isInstanceOf(Renewal.Held.class);
        });
        all.put(ManyAtOnce.HAS_64_PLACES_IN_A_LINE, bench -> servesInOrder(bench, 65));
        all.put(ManyAtOnce.ENDS_THE_LAST_HUNDRED_LEASES, bench -> {
            MemoryProvider client = bench.open();
            for (int i = 0; i <= 100; i++) {
                bench.claim(client, "a" + i).isGranted();
            }
            bench.pass(600);
            bench.claim(bench.open(), "a0").isGranted();
        });
        all.put(ManyAtOnce.TELLS_OF_64_ENDS_AT_A_TIME, bench -> {
            MemoryProvider ending = bench.open();
            MemoryProvider waiting = bench.open();
            List<TestClaim> waiters = new ArrayList<>();
            for (int i = 0; i < 65; i++) {
                bench.claim(ending, "a" + i).isGranted();
                waiters.add(bench.waiter(waiting, "a" + i).isContended());
            }
            bench.store.expire(ending);
            waiters.forEach(waiter -> waiter.wasWoken(1));
        });
        all.put(ManyAtOnce.KEEPS_64_CLAIMS_OF_AN_OWNER, bench -> {
            for (int i = 0; i < 70; i++) {
                bench.owned(bench.open(), "a", "Ann").isGranted();
            }
        });
        assertThat(all).hasSameSizeAs(ManyAtOnce.values());
        return Map.copyOf(all);
    }

    private static void keepsAll(Bench bench, int count) {
        MemoryProvider client = bench.open();
        List<TestClaim> claims = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            claims.add(bench.claim(client, "a" + i));
        }
        claims.forEach(TestClaim::isGranted);
        claims.forEach(TestClaim::isHeld);
    }

    private static void servesInOrder(Bench bench, int count) {
        TestClaim holder = bench.claim(bench.open(), "a");
        holder.isGranted();
        List<TestClaim> line = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            line.add(bench.waiter(bench.open(), "a").isContended());
        }
        holder.isReleased();
        for (TestClaim next : line) {
            next.wasWoken(1);
            next.isGranted();
            next.isReleased();
        }
    }

    private static void passesOverTheEleventh(Bench bench) {
        TestClaim holder = bench.claim(bench.open(), "a");
        holder.isGranted();
        List<TestClaim> line = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            line.add(bench.waiter(bench.open(), "a").isContended());
        }
        line.remove(10).isNotHeld();
        holder.isReleased();
        for (TestClaim next : line) {
            next.isGranted();
            next.isReleased();
        }
    }

    /** The answers for three locks of a client, of which the first was removed. */
    private static List<Renewal> renewAfterALoss(Bench bench, String... names) {
        MemoryProvider client = bench.open();
        List<Claim> claims = new ArrayList<>();
        for (String name : names) {
            TestClaim claim = bench.claim(client, name);
            claim.isGranted();
            claims.add(claim.claim);
        }
        bench.store.remove(names[0]);
        return client.renewAll(claims);
    }
}
