package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.Bench.TestClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

class SecondTimeTest extends FaultTest {

    @Override
    Map<WrongProvider, Consumer<Bench>> scenarios() {
        Map<SecondTime, Consumer<Bench>> all = new EnumMap<>(SecondTime.class);
        all.put(SecondTime.REMEMBERS_CONTENTION_FOR_A_MOMENT, bench -> {
            MemoryProvider client = bench.open();
            TestClaim holder = holder(bench);
            bench.claim(client, "a").isContended();
            holder.isReleased();
            bench.claim(client, "a").isGranted();
        });
        all.put(SecondTime.NESTED_HOLDS_END_IN_SILENCE, bench -> {
            TestClaim outer = bench.owned(bench.open(), "a", "Ann");
            TestClaim inner = bench.owned(bench.open(), "a", "Ann");
            outer.isGranted();
            inner.isGranted();
            TestClaim waiter = bench.waiter(bench.open(), "a").isContended();
            inner.isReleased();
            outer.isReleased();
            waiter.wasWoken(1);
        });
        all.put(SecondTime.A_REPEATED_ATTEMPT_FORGETS_THE_WAITERS, bench -> {
            TestClaim holder = holder(bench);
            TestClaim waiter = bench.waiter(bench.open(), "a").isContended();
            holder.isGranted();
            holder.isReleased();
            waiter.wasWoken(1);
        });
        all.put(SecondTime.WAKES_A_WAITER_ONCE, bench -> wakesTwice(bench, 100));
        all.put(SecondTime.RELEASES_SOON_AFTER_ANOTHER_WAKE_NOBODY, bench -> wakesTwice(bench, 5));
        all.put(SecondTime.DROPS_A_MESSAGE_EQUAL_TO_THE_LAST, bench -> {
            List<String> reports = new ArrayList<>();
            bench.open()
                    .releases(new PlainStoreTest.Reports(reports))
                    .orElseThrow()
                    .subscribe("a");
            holder(bench).isReleased();
            holder(bench).isReleased();
            assertThat(reports).containsExactly("listening a", "released a", "released a");
        });
        all.put(SecondTime.SKIPS_RENEWALS_WHILE_HALF_IS_LEFT, bench -> {
            TestClaim holder = holder(bench);
            bench.pass(200);
            holder.isHeld();
            bench.pass(500);
            holder.isHeld();
        });
        all.put(SecondTime.RENEWALS_ADD_UP, bench -> {
            TestClaim holder = holder(bench);
            holder.isHeld();
            holder.isHeld();
            bench.pass(600);
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(SecondTime.GIVES_EIGHT_LEASES_AND_NO_MORE, bench -> {
            TestClaim holder = holder(bench);
            for (int i = 0; i < 20; i++) {
                bench.pass(400);
                holder.isHeld();
            }
        });
        all.put(SecondTime.WAKES_ONE_CLAIM_OF_A_CLIENT, bench -> {
            TestClaim holder = holder(bench);
            MemoryProvider client = bench.open();
            TestClaim first = bench.waiter(client, "a").isContended();
            bench.waiter(client, "a").isContended();
            holder.isReleased();
            first.wasWoken(1);
        });
        all.put(SecondTime.A_SECOND_CLOSE_CLOSES_THE_STORE, bench -> {
            MemoryProvider client = bench.open();
            MemoryProvider other = bench.open();
            client.close();
            client.close();
            bench.claim(other, "a").isGranted();
        });
        all.put(SecondTime.ANSWERS_A_SECOND_RELEASE_LIKE_THE_FIRST, bench -> {
            TestClaim holder = holder(bench);
            holder.isReleased();
            holder.isNotHeld();
        });
        all.put(SecondTime.WITHDRAWS_BY_ITS_FIRST_PLACE, bench -> {
            TestClaim holder = holder(bench);
            TestClaim first = bench.waiter(bench.open(), "a").isContended();
            TestClaim second = bench.waiter(bench.open(), "a").isContended();
            TestClaim third = bench.waiter(bench.open(), "a").isContended();
            first.isNotHeld();
            second.isNotHeld();
            holder.isReleased();
            third.wasWoken(1);
            third.isGranted();
        });
        all.put(SecondTime.TELLS_THE_NEXT_ONLY_AT_A_RELEASE, bench -> {
            TestClaim holder = holder(bench);
            TestClaim first = bench.waiter(bench.open(), "a").isContended();
            TestClaim second = bench.waiter(bench.open(), "a").isContended();
            holder.isReleased();
            first.isNotHeld();
            second.wasWoken(1);
        });
        all.put(SecondTime.TELLS_ALL_AT_A_RELEASE_AND_NOBODY_WHEN_THE_FIRST_LEAVES, bench -> {
            TestClaim holder = holder(bench);
            TestClaim first = bench.waiter(bench.open(), "a").isContended();
            TestClaim second = bench.waiter(bench.open(), "a").isContended();
            holder.isReleased();
            int before = second.isContended().wakeUps.get();
            first.isNotHeld();
            second.wasWoken(before + 1);
        });
        all.put(SecondTime.FORGETS_A_LINE_AFTER_FOUR_SECONDS, bench -> {
            TestClaim holder = bench.leased(bench.open(), "a", Duration.ofSeconds(10));
            holder.isGranted();
            TestClaim first = bench.waiter(bench.open(), "a").isContended();
            TestClaim second = bench.waiter(bench.open(), "a").isContended();
            bench.pass(4_000);
            second.isContended();
            first.isContended();
            holder.isReleased();
            first.isGranted();
        });
        all.put(SecondTime.PASSING_OVER_THE_FIRST_CLEARS_THE_LINE, bench -> {
            TestClaim holder = holder(bench);
            bench.waiter(bench.open(), "a").isContended();
            TestClaim first = bench.waiter(bench.open(), "a").isContended();
            TestClaim second = bench.waiter(bench.open(), "a").isContended();
            holder.isReleased();
            bench.pass(1_000);
            second.isContended();
            first.isGranted();
        });
        all.put(SecondTime.SUBSCRIBES_AGAIN_ONCE, bench -> {
            List<String> reports = new ArrayList<>();
            bench.open()
                    .releases(new PlainStoreTest.Reports(reports))
                    .orElseThrow()
                    .subscribe("a");
            for (int i = 0; i < 2; i++) {
                bench.store.beginOutage();
                bench.store.endOutage();
                assertThat(reports).last().isEqualTo("listening a");
                holder(bench).isReleased();
                assertThat(reports).last().isEqualTo("released a");
            }
        });
        assertThat(all).hasSameSizeAs(SecondTime.values());
        return Map.copyOf(all);
    }

    private static TestClaim holder(Bench bench) {
        TestClaim holder = bench.claim(bench.open(), "a", "Ann", Bench.LEASE, Intent.TRY_ONCE);
        holder.isGranted();
        return holder;
    }

    private static void wakesTwice(Bench bench, long pause) {
        TestClaim holder = holder(bench);
        TestClaim waiter = bench.waiter(bench.open(), "a").isContended();
        holder.isReleased();
        TestClaim rival = holder(bench);
        waiter.isContended();
        bench.pass(pause);
        rival.isReleased();
        waiter.wasWoken(2);
    }
}
