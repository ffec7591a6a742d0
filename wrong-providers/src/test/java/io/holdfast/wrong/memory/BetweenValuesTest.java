package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.Bench.TestClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

class BetweenValuesTest extends FaultTest {

    @Override
    Map<WrongProvider, Consumer<Bench>> scenarios() {
        Map<BetweenValues, Consumer<Bench>> all = new EnumMap<>(BetweenValues.class);
        all.put(BetweenValues.KEEPS_LEASES_IN_TENTHS_OF_A_SECOND, bench -> lasts(bench, Duration.ofMillis(699)));
        all.put(BetweenValues.KEEPS_LONGER_LEASES_IN_WHOLE_SECONDS, bench -> lasts(bench, Duration.ofMillis(1_990)));
        all.put(BetweenValues.KEEPS_LEASES_IN_32_BITS, bench -> lasts(bench, Duration.ofDays(30)));
        all.put(BetweenValues.ENDS_LONGER_LEASES_WITH_A_COARSE_TICK, bench -> ends(bench, Duration.ofMillis(1_100)));
        all.put(BetweenValues.GIVES_NO_LEASE_OVER_FOUR_SECONDS, bench -> lasts(bench, Duration.ofSeconds(10)));
        all.put(BetweenValues.KEEPS_TOKENS_AS_DOUBLES, bench -> growsAbove(bench, 1L << 53));
        all.put(BetweenValues.KEEPS_TOKENS_IN_32_BITS, bench -> growsAbove(bench, 1L << 33));
        all.put(BetweenValues.COMPARES_TOKENS_AS_TEXT, bench -> {
            bench.open().raiseTokens(900);
            growsAbove(bench, 1_000);
        });
        all.put(BetweenValues.RENEWS_ONLY_FULL_CHUNKS_OF_A_LARGE_BATCH, bench -> renewsAll(bench, 150));
        all.put(BetweenValues.RENEWS_NO_SINGLE_ONE_BEHIND_PORTIONS_OF_TEN, bench -> renewsAll(bench, 11));
        all.put(BetweenValues.RENEWS_THE_FIRST_250_OF_A_BATCH, bench -> renewsAll(bench, 300));
        all.put(BetweenValues.SHORTENS_LONG_NAMES_IN_THE_MIDDLE, bench -> {
            String half = "x".repeat(200);
            tellsApart(bench, half + "1" + half, half + "2" + half);
        });
        all.put(BetweenValues.CUTS_NAMES_AT_1024_BYTES, bench -> {
            String beginning = "\u9396".repeat(400);
            tellsApart(bench, beginning + "1", beginning + "2");
        });
        all.put(BetweenValues.COUNTS_THE_LEASE_FROM_THE_WAKE_UP, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            TestClaim waiter = bench.waiter(bench.open(), "a").isContended();
            holder.isReleased();
            bench.pass(300);
            waiter.isGranted();
            bench.pass(599);
            waiter.isHeld();
        });
        all.put(BetweenValues.ASKS_WAITERS_BACK_AFTER_THEIR_OWN_LEASE, bench -> {
            bench.claim(bench.open(), "a").isGranted();
            Attempt answer =
                    bench.leased(bench.open(), "a", Duration.ofHours(1)).claim.attempt();
            assertThat(((Attempt.Contended) answer).retryAfter().orElseThrow()).isLessThanOrEqualTo(Bench.LEASE);
        });
        all.put(BetweenValues.RECONNECTS_AFTER_PAUSES_WITHOUT_A_BOUND, bench -> {
            List<String> reports = new ArrayList<>();
            bench.open()
                    .releases(new PlainStoreTest.Reports(reports))
                    .orElseThrow()
                    .subscribe("a");
            bench.store.beginOutage();
            bench.pass(34_000);
            bench.store.endOutage();
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            holder.isReleased();
            assertThat(reports).last().isEqualTo("released a");
        });
        assertThat(all).hasSameSizeAs(BetweenValues.values());
        return Map.copyOf(all);
    }

    private static void lasts(Bench bench, Duration lease) {
        bench.leased(bench.open(), "a", lease).isGranted();
        bench.pass(lease.toMillis() - 1);
        bench.claim(bench.open(), "a").isContended();
    }

    private static void ends(Bench bench, Duration lease) {
        bench.leased(bench.open(), "a", lease).isGranted();
        bench.pass(lease.toMillis() + 600);
        bench.claim(bench.open(), "a").isGranted();
    }

    private static void growsAbove(Bench bench, long above) {
        bench.open().raiseTokens(above);
        long first = bench.claim(bench.open(), "a").isGranted();
        bench.pass(600);
        assertThat(first).isGreaterThan(above);
        assertThat(bench.claim(bench.open(), "a").isGranted()).isGreaterThan(first);
    }

    private static void renewsAll(Bench bench, int count) {
        MemoryProvider client = bench.open();
        List<TestClaim> claims = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            claims.add(bench.claim(client, "a" + i));
        }
        claims.forEach(TestClaim::isGranted);
        bench.pass(400);
        List<Claim> batch = claims.stream().map(each -> each.claim).toList();
        assertThat(client.renewAll(batch)).hasSize(count);
        bench.pass(400);
        claims.forEach(TestClaim::isHeld);
    }

    private static void tellsApart(Bench bench, String one, String other) {
        bench.claim(bench.open(), one).isGranted();
        bench.claim(bench.open(), other).isGranted();
    }
}
