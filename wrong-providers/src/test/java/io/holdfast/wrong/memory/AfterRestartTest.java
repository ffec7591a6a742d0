package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.Bench.TestClaim;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

class AfterRestartTest extends FaultTest {

    @Override
    Map<WrongProvider, Consumer<Bench>> scenarios() {
        Map<AfterRestart, Consumer<Bench>> all = new EnumMap<>(AfterRestart.class);
        all.put(AfterRestart.BEGINS_ALL_LEASES_ANEW, bench -> {
            bench.claim(bench.open(), "a").isGranted();
            bench.pass(Bench.LEASE.toMillis() / 2);
            restart(bench);
            bench.pass(Bench.LEASE.toMillis() / 2);
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(AfterRestart.KEEPS_THE_FIRST_HOLD_OF_AN_OWNER, bench -> {
            bench.owned(bench.open(), "a", "Ann").isGranted();
            TestClaim inner = bench.owned(bench.open(), "a", "Ann");
            inner.isGranted();
            restart(bench);
            inner.isHeld();
        });
        all.put(AfterRestart.RELEASES_WHAT_WAS_GIVEN_UP, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            bench.waiter(bench.open(), "a").isContended().isNotHeld();
            restart(bench);
            holder.isHeld();
        });
        all.put(AfterRestart.IS_THE_BEGINNING_OF_ALL_HOLDS, bench -> {
            MemoryProvider client = bench.open();
            bench.claim(client, "a").isGranted();
            Optional<Instant> since = client.holder("a").orElseThrow().since();
            restart(bench);
            assertThat(client.holder("a").orElseThrow().since()).isEqualTo(since);
        });
        all.put(AfterRestart.SETS_THE_TOKENS_BACK, bench -> {
            long token = bench.claim(bench.open(), "a").isGranted();
            restart(bench);
            assertThat(bench.claim(bench.open(), "b").isGranted()).isGreaterThan(token);
        });
        all.put(AfterRestart.FORGETS_A_RAISE, bench -> {
            bench.open().raiseTokens(1_000);
            restart(bench);
            assertThat(bench.claim(bench.open(), "a").isGranted()).isGreaterThan(1_000);
        });
        assertThat(all).hasSameSizeAs(AfterRestart.values());
        return Map.copyOf(all);
    }

    private static void restart(Bench bench) {
        bench.store.beginOutage();
        bench.store.endCrash();
    }
}
