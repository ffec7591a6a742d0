package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.Bench.TestClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

class WrongAnswersTest extends FaultTest {

    @Override
    Map<WrongProvider, Consumer<Bench>> scenarios() {
        Map<WrongAnswers, Consumer<Bench>> all = new EnumMap<>(WrongAnswers.class);
        all.put(WrongAnswers.SINCE_MOVES_WITH_EACH_RENEWAL, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            Instant since = shown(bench).since().orElseThrow();
            Instant later = Instant.now();
            while (!later.isAfter(since)) {
                later = Instant.now();
            }
            holder.isHeld();
            assertThat(shown(bench).since()).hasValue(since);
        });
        all.put(WrongAnswers.SINCE_IS_OF_THE_FIRST_GRANT_OF_THE_NAME, bench -> {
            granted(bench, "Ann").isReleased();
            Instant between = Instant.now();
            while (!Instant.now().isAfter(between)) {
                Thread.onSpinWait();
            }
            granted(bench, "Bob");
            assertThat(shown(bench).since().orElseThrow()).isAfter(between);
        });
        all.put(WrongAnswers.SHOWS_THE_THREAD_OF_THE_FIRST_HOLDER, bench -> {
            granted(bench, "Ann").isReleased();
            granted(bench, "Bob");
            assertThat(shown(bench).thread()).hasValue("claimant of Bob");
        });
        all.put(WrongAnswers.SHOWS_THE_THREAD_THAT_SENT_THE_REQUEST, WrongAnswersTest::showsTheClaimant);
        all.put(WrongAnswers.SHOWS_THE_THREAD_THAT_ASKS, WrongAnswersTest::showsTheClaimant);
        all.put(WrongAnswers.SHOWS_THE_LAST_TOKEN_OF_THE_STORE, bench -> {
            long token = granted(bench, "Ann").isGranted();
            bench.claim(bench.open(), "b").isGranted();
            assertThat(shown(bench).fencingToken().orElseThrow().value()).isEqualTo(token);
        });
        all.put(WrongAnswers.TAKES_A_BATCH_FOR_LOST_IN_AN_OUTAGE, bench -> {
            MemoryProvider client = bench.open();
            TestClaim claim = bench.claim(client, "a");
            claim.isGranted();
            failsInAnOutage(bench, () -> client.renewAll(List.of(claim.claim)));
        });
        all.put(WrongAnswers.SHOWS_NOBODY_IN_AN_OUTAGE, bench -> {
            MemoryProvider client = bench.open();
            failsInAnOutage(bench, () -> client.holder("a"));
        });
        all.put(WrongAnswers.THE_HIGHEST_TOKEN_IS_0_IN_AN_OUTAGE, bench -> {
            MemoryProvider client = bench.open();
            failsInAnOutage(bench, client::highestToken);
        });
        all.put(WrongAnswers.A_RAISE_IN_AN_OUTAGE_FAILS_IN_SILENCE, bench -> {
            MemoryProvider client = bench.open();
            failsInAnOutage(bench, () -> client.raiseTokens(5));
        });
        all.put(WrongAnswers.A_RELEASE_IN_AN_OUTAGE_THROWS_THE_DRIVERS_EXCEPTION, bench -> {
            TestClaim claim = granted(bench, "Ann");
            failsInAnOutage(bench, claim.claim::release);
        });
        all.put(WrongAnswers.A_CLOSED_CLIENT_THROWS_ILLEGAL_STATE, bench -> {
            MemoryProvider client = bench.open();
            client.close();
            assertThatThrownBy(() -> client.holder("a")).isInstanceOf(LockStoreException.class);
        });
        all.put(WrongAnswers.SWALLOWS_AN_INTERRUPT, bench -> {
            TestClaim claim = bench.claim(bench.open(), "a");
            assertThat(interrupted(claim.claim::attempt)).isTrue();
        });
        all.put(WrongAnswers.AN_INTERRUPT_CLOSES_ITS_CHANNEL, bench -> {
            MemoryProvider client = bench.open();
            interrupted(bench.claim(client, "b").claim::attempt);
            bench.claim(client, "a").isGranted();
        });
        all.put(WrongAnswers.RELEASES_NOTHING_WHEN_INTERRUPTED, bench -> {
            TestClaim claim = granted(bench, "Ann");
            interrupted(claim.claim::release);
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(WrongAnswers.SHOWS_NOBODY_FOR_A_NAME_THAT_CANNOT_BE, bench -> {
            MemoryProvider client = bench.open();
            assertThatThrownBy(() -> client.holder("")).isInstanceOf(LockConfigurationException.class);
        });
        all.put(WrongAnswers.A_REPEATED_ATTEMPT_PROMISES_A_LEASE_THAT_IS_NOT_GIVEN, bench -> {
            TestClaim claim = granted(bench, "Ann");
            bench.pass(500);
            claim.isGranted();
            bench.pass(500);
            bench.claim(bench.open(), "a").isContended();
        });
        all.put(WrongAnswers.TELLS_THE_END_OF_AN_EARLIER_GRANT_OF_THE_CLAIM, bench -> {
            TestClaim claim = granted(bench, "Ann");
            bench.pass(700);
            claim.isGranted();
            claim.isHeld();
            assertThat(claim.losses).hasValue(0);
        });
        all.put(WrongAnswers.THE_END_OF_A_LEASE_IS_TOLD_AS_A_LOST_STORE, bench -> {
            TestClaim claim = granted(bench, "Ann");
            bench.pass(700);
            assertThat(claim.claim.renew()).isNotEqualTo(new Renewal.Lost(LossCause.STORE_LOST));
        });
        all.put(WrongAnswers.FEED_LISTENS_BEFORE_IT_IS_CONNECTED, bench -> {
            List<String> reports = new ArrayList<>();
            ReleaseFeed feed =
                    bench.open().releases(new PlainStoreTest.Reports(reports)).orElseThrow();
            bench.store.beginOutage();
            feed.subscribe("a");
            assertThat(reports).isEmpty();
        });
        assertThat(all).hasSameSizeAs(WrongAnswers.values());
        return Map.copyOf(all);
    }

    private static void showsTheClaimant(Bench bench) {
        granted(bench, "Ann");
        assertThat(shown(bench).thread()).hasValue("claimant of Ann");
    }

    private static TestClaim granted(Bench bench, String owner) {
        TestClaim claim = bench.owned(bench.open(), "a", owner);
        claim.isGranted();
        return claim;
    }

    private static LockHolder shown(Bench bench) {
        return bench.open().holder("a").orElseThrow();
    }

    private static void failsInAnOutage(Bench bench, ThrowingCallable call) {
        bench.store.beginOutage();
        try {
            assertThatThrownBy(call).isInstanceOf(LockStoreException.class);
        } finally {
            bench.store.endOutage();
        }
    }

    /** Whether the thread is still interrupted after a call that may fail. It is not when this returns. */
    private static boolean interrupted(Runnable call) {
        Thread.currentThread().interrupt();
        try {
            call.run();
        } catch (LockStoreException failure) {
            assertThat(failure).hasMessageMatching("Interrupted.*|The channel is closed");
        }
        return Thread.interrupted();
    }
}
