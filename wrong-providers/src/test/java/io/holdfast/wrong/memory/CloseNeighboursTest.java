package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.Bench.TestClaim;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

class CloseNeighboursTest extends FaultTest {

    @Override
    Map<WrongProvider, Consumer<Bench>> scenarios() {
        Map<CloseNeighbours, Consumer<Bench>> all = new EnumMap<>(CloseNeighbours.class);
        all.put(CloseNeighbours.RELEASE_FREES_WHAT_LIES_BELOW, bench -> {
            TestClaim below = bench.claim(bench.open(), "a/b");
            below.isGranted();
            TestClaim above = bench.claim(bench.open(), "a");
            above.isGranted();
            above.isReleased();
            below.isHeld();
        });
        all.put(CloseNeighbours.FINDS_A_HOLDER_BY_PREFIX, bench -> {
            bench.claim(bench.open(), "stock:42").isGranted();
            assertThat(bench.open().holder("stock")).isEmpty();
        });
        all.put(CloseNeighbours.CUTS_OWNERS_AT_A_BAR, bench -> excludes(bench, "job|1", "job|2"));
        all.put(CloseNeighbours.IGNORES_THE_CASE_OF_OWNERS, bench -> excludes(bench, "Job", "job"));
        all.put(CloseNeighbours.IGNORES_BLANKS_BEHIND_OWNERS, bench -> excludes(bench, "job", "job "));
        all.put(CloseNeighbours.KEEPS_NAMES_AS_THEIR_HASH_CODE, bench -> tellsApart(bench, "Aa", "BB"));
        all.put(CloseNeighbours.KEEPS_NAMES_AS_THEIR_CHECKSUM, bench -> tellsApart(bench, "plumless", "buckeroo"));
        all.put(CloseNeighbours.ESCAPES_SLASHES_BUT_NOT_THE_ESCAPE, bench -> tellsApart(bench, "a/b", "a%2Fb"));
        all.put(CloseNeighbours.IGNORES_INVISIBLE_CHARACTERS, bench -> tellsApart(bench, "a\u200Db", "ab"));
        all.put(CloseNeighbours.KNOWS_THE_DEAD_BY_NAMES_IN_LOWER_CASE, bench -> {
            bench.claim(bench.open(), "a").isGranted();
            bench.claim(bench.open(), "A").isGranted();
            MemoryProvider client = bench.open();
            bench.claim(client, "a").isContended();
            bench.pass(600);
            bench.claim(client, "A").isGranted();
        });
        all.put(CloseNeighbours.RELEASES_WHAT_ITS_OWNER_HOLDS, bench -> {
            TestClaim late = late(bench);
            TestClaim next = bench.owned(bench.open(), "a", "Ann");
            next.isGranted();
            late.isNotHeld();
            next.isHeld();
        });
        all.put(CloseNeighbours.RENEWS_WHAT_ITS_OWNER_HOLDS, bench -> {
            TestClaim late = late(bench);
            bench.owned(bench.open(), "a", "Ann").isGranted();
            late.isLost();
        });
        all.put(CloseNeighbours.LATE_RELEASE_FORGETS_THE_SUCCESSOR, bench -> {
            MemoryProvider client = bench.open();
            TestClaim late = bench.claim(client, "a");
            late.isGranted();
            bench.pass(600);
            TestClaim next = bench.claim(client, "a");
            next.isGranted();
            late.isNotHeld();
            next.isHeld();
        });
        all.put(CloseNeighbours.UNSUBSCRIBING_ONE_NAME_ENDS_ALL, bench -> {
            List<String> reports = new ArrayList<>();
            ReleaseFeed feed = listen(bench, reports, "a", "b");
            feed.unsubscribe("b");
            release(bench, "a");
            assertThat(reports).contains("released a");
        });
        all.put(CloseNeighbours.MESSAGES_LOSE_NAMES_WITH_A_COLON, bench -> {
            List<String> reports = new ArrayList<>();
            listen(bench, reports, "stock:42");
            release(bench, "stock:42");
            assertThat(reports).contains("released stock:42");
        });
        all.put(CloseNeighbours.TELLS_ONE_CLIENT_OF_A_PROCESS, bench -> {
            List<String> reports = new ArrayList<>();
            listen(bench, reports, "a");
            listen(bench, new ArrayList<>(), "a");
            release(bench, "a");
            assertThat(reports).contains("released a");
        });
        all.put(CloseNeighbours.ANSWERS_A_BATCH_BY_OWNER, bench -> {
            MemoryProvider client = bench.open();
            TestClaim lost = bench.owned(client, "a", "Ann");
            TestClaim held = bench.owned(client, "b", "Ann");
            lost.isGranted();
            held.isGranted();
            bench.store.remove("a");
            assertThat(client.renewAll(List.of(lost.claim, held.claim)))
                    .element(0)
                    .isInstanceOf(Renewal.Lost.class);
        });
        all.put(CloseNeighbours.FINDS_HOLDS_BY_NAME_AND_OWNER_IN_ONE_KEY, bench -> {
            MemoryProvider client = bench.open();
            bench.owned(client, "n", "b:c").isGranted();
            bench.owned(client, "n:b", "Ann").isGranted();
            bench.owned(client, "n:b", "c").isContended();
        });
        all.put(CloseNeighbours.WITHDRAWS_ALL_WAITS_OF_AN_OWNER, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            TestClaim waiter = waiterOfAnn(bench);
            waiterOfAnn(bench).isNotHeld();
            holder.isReleased();
            waiter.wasWoken(1);
        });
        assertThat(all).hasSameSizeAs(CloseNeighbours.values());
        return Map.copyOf(all);
    }

    private static TestClaim waiterOfAnn(Bench bench) {
        return bench.claim(bench.open(), "a", "Ann", Bench.LEASE, Intent.WAIT).isContended();
    }

    private static void excludes(Bench bench, String one, String other) {
        bench.owned(bench.open(), "a", one).isGranted();
        bench.owned(bench.open(), "a", other).isContended();
    }

    private static void tellsApart(Bench bench, String one, String other) {
        bench.claim(bench.open(), one).isGranted();
        bench.claim(bench.open(), other).isGranted();
    }

    /** A claim of Ann whose lease has ended. */
    private static TestClaim late(Bench bench) {
        TestClaim late = bench.owned(bench.open(), "a", "Ann");
        late.isGranted();
        bench.pass(600);
        return late;
    }

    private static ReleaseFeed listen(Bench bench, List<String> reports, String... names) {
        ReleaseFeed feed =
                bench.open().releases(new PlainStoreTest.Reports(reports)).orElseThrow();
        for (String name : names) {
            feed.subscribe(name);
        }
        return feed;
    }

    private static void release(Bench bench, String name) {
        TestClaim claim = bench.claim(bench.store.clients.get(0), name);
        claim.isGranted();
        claim.isReleased();
    }
}
