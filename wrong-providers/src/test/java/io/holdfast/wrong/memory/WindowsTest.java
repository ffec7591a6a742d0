package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.Bench.TestClaim;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

class WindowsTest extends FaultTest {

    /** So many times at most a race is run, until the window is met. */
    private static final int ROUNDS = 200_000;

    @Override
    Map<WrongProvider, Consumer<Bench>> scenarios() {
        Map<Windows, Consumer<Bench>> all = new EnumMap<>(Windows.class);
        all.put(Windows.CHECKS_THEN_GRANTS, bench -> grantsOne(bench, 2));
        all.put(Windows.MAKES_A_RECORD_IN_TWO_STEPS, bench -> grantsOne(bench, 1));
        all.put(Windows.TAKES_OVER_IN_TWO_STEPS, bench -> {
            bench.claim(bench.open(), "a").isGranted();
            bench.pass(600);
            grantsOne(bench, 2);
        });
        all.put(Windows.LOOKS_AND_SWEEPS_IN_TWO_STEPS, bench -> {
            bench.claim(bench.open(), "a").isGranted();
            bench.pass(600);
            MemoryProvider watcher = bench.open();
            TestClaim next = bench.claim(bench.open(), "a");
            bench.interleave(() -> watcher.holder("a"), 2, next::isGranted);
            next.isHeld();
        });
        all.put(Windows.RELEASES_IN_TWO_STEPS, bench -> {
            TestClaim late = bench.claim(bench.open(), "a");
            late.isGranted();
            bench.pass(599);
            TestClaim next = bench.claim(bench.open(), "a");
            bench.interleave(late.claim::release, 2, () -> {
                bench.pass(1);
                next.isGranted();
            });
            next.isHeld();
        });
        all.put(Windows.RENEWS_IN_TWO_STEPS, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            bench.interleave(holder.claim::renew, 2, () -> bench.store.remove("a"));
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(Windows.RENEWS_BATCHES_IN_TWO_STEPS, bench -> {
            MemoryProvider client = bench.open();
            TestClaim holder = bench.claim(client, "a");
            holder.isGranted();
            bench.interleave(() -> client.renewAll(List.of(holder.claim)), 2, () -> bench.store.remove("a"));
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(Windows.RE_ENTERS_BY_READING_AND_WRITING, bench -> {
            bench.owned(bench.open(), "a", "Ann").isGranted();
            TestClaim second = bench.owned(bench.open(), "a", "Ann");
            TestClaim third = bench.owned(bench.open(), "a", "Ann");
            bench.interleave(second::isGranted, 2, third::isGranted);
            second.isHeld();
            third.isHeld();
        });
        all.put(Windows.THE_LAST_ONE_OUT_DELETES_IN_TWO_STEPS, bench -> {
            TestClaim first = bench.owned(bench.open(), "a", "Ann");
            first.isGranted();
            TestClaim second = bench.owned(bench.open(), "a", "Ann");
            bench.interleave(first::isReleased, 2, second::isGranted);
            second.isHeld();
        });
        all.put(Windows.TAKES_THE_TOKEN_BEFORE_THE_LOCK, bench -> {
            List<Long> tokens = new ArrayList<>();
            TestClaim slow = bench.claim(bench.open(), "a");
            TestClaim fast = bench.claim(bench.open(), "a");
            bench.interleave(() -> tokens.add(slow.isGranted()), 1, () -> {
                tokens.add(fast.isGranted());
                fast.isReleased();
            });
            assertThat(tokens).isSorted();
        });
        all.put(Windows.READS_THE_TOKEN_BACK, WindowsTest::showsTheTokenThatItGave);
        all.put(Windows.LISTENS_AFTER_THE_LOOK, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            TestClaim waiter = bench.waiter(bench.open(), "a");
            bench.interleave(waiter::isContended, 2, holder::isReleased);
            waiter.wasWoken(1);
        });
        all.put(Windows.TELLS_OF_A_RELEASE_BEFORE_IT, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            TestClaim waiter = bench.waiter(bench.open(), "a").isContended();
            bench.interleave(holder::isReleased, 2, () -> {
                waiter.wasWoken(1);
                waiter.isGranted();
            });
        });
        all.put(Windows.TAKES_A_LOCKED_RECORD_FOR_A_HELD_LOCK, bench -> {
            TestClaim released = bench.claim(bench.open(), "a");
            released.isGranted();
            released.isReleased();
            TestClaim next = bench.claim(bench.open(), "a");
            bench.interleave(released.claim::release, 1, next::isGranted);
        });
        all.put(Windows.RAISES_IN_TWO_STEPS, WindowsTest::neverRepeatsAToken);
        assertThat(all).hasSameSizeAs(Windows.values());
        return Map.copyOf(all);
    }

    private static void grantsOne(Bench bench, int step) {
        TestClaim one = bench.claim(bench.open(), "a");
        TestClaim other = bench.claim(bench.open(), "a");
        List<Attempt> answers = new ArrayList<>();
        bench.interleave(() -> answers.add(one.claim.attempt()), step, () -> answers.add(other.claim.attempt()));
        assertThat(answers)
                .hasSize(2)
                .filteredOn(Attempt.Granted.class::isInstance)
                .hasSize(1);
    }

    private static void showsTheTokenThatItGave(Bench bench) {
        MemoryProvider client = bench.open();
        beside(() -> grantAndRelease(bench, client, "b"), () -> {
            TestClaim claim = bench.claim(client, "a");
            long token = claim.isGranted();
            assertThat(client.holder("a")
                            .orElseThrow()
                            .fencingToken()
                            .orElseThrow()
                            .value())
                    .isEqualTo(token);
            claim.isReleased();
        });
    }

    private static void neverRepeatsAToken(Bench bench) {
        MemoryProvider client = bench.open();
        long[] last = new long[1];
        beside(() -> client.raiseTokens(client.highestToken() + 1), () -> {
            long token = grantAndRelease(bench, client, "a");
            assertThat(token).isGreaterThan(last[0]);
            last[0] = token;
        });
    }

    private static long grantAndRelease(Bench bench, MemoryProvider client, String name) {
        TestClaim claim = bench.claim(client, name);
        long token = claim.isGranted();
        claim.isReleased();
        return token;
    }

    /** Does one thing again and again while another thread does the other. */
    private static void beside(Runnable other, Runnable round) {
        AtomicBoolean end = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            while (!end.get()) {
                other.run();
            }
        });
        thread.start();
        try {
            for (int i = 0; i < ROUNDS; i++) {
                round.run();
            }
        } finally {
            end.set(true);
        }
    }
}
