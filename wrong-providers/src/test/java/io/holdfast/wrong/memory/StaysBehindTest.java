package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.UnixOperatingSystemMXBean;
import io.holdfast.lock.LockStoreException;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.Bench.TestClaim;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

class StaysBehindTest extends FaultTest {

    @Override
    Map<WrongProvider, Consumer<Bench>> scenarios() {
        Map<StaysBehind, Consumer<Bench>> all = new EnumMap<>(StaysBehind.class);
        all.put(StaysBehind.LEAVES_A_THREAD_BEHIND_ITS_CLOSE, bench -> {
            long before = threads();
            MemoryProvider client = bench.open();
            bench.claim(client, "a").isGranted();
            client.close();
            assertThat(threads()).isEqualTo(before);
        });
        all.put(StaysBehind.LEAVES_THE_THREAD_OF_A_WAIT_THAT_WAS_GIVEN_UP, bench -> {
            long before = threads();
            bench.claim(bench.open(), "a").isGranted();
            MemoryProvider client = bench.open();
            bench.waiter(client, "a").isContended().isNotHeld();
            client.close();
            assertThat(threads()).isEqualTo(before);
        });
        all.put(StaysBehind.AN_OLD_TIMER_ENDS_THE_SUCCESSORS_LEASE, bench -> {
            TestClaim first = bench.claim(bench.open(), "a");
            first.isGranted();
            bench.pass(100);
            first.isReleased();
            bench.claim(bench.open(), "a").isGranted();
            bench.pass(599);
            bench.claim(bench.open(), "a").isContended();
        });
        all.put(StaysBehind.THE_PLACE_OF_A_TOLD_WAITER_STAYS, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            TestClaim first = bench.waiter(bench.open(), "a").isContended();
            TestClaim second = bench.waiter(bench.open(), "a").isContended();
            holder.isReleased();
            first.isNotHeld();
            second.isGranted();
        });
        all.put(StaysBehind.THE_PLACE_OF_A_GRANTED_WAITER_STAYS, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            TestClaim waiter = bench.waiter(bench.open(), "a").isContended();
            holder.isReleased();
            waiter.isGranted();
            bench.pass(600);
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(StaysBehind.A_CLOSED_FEED_STILL_REPORTS, bench -> {
            List<String> reports = new ArrayList<>();
            MemoryProvider client = bench.open();
            client.releases(new PlainStoreTest.Reports(reports)).orElseThrow().subscribe("a");
            client.close();
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            holder.isReleased();
            assertThat(reports).containsExactly("listening a");
        });
        all.put(StaysBehind.A_CLOSED_CLIENT_IS_STILL_SIGNALLED, bench -> {
            TestClaim holder = bench.claim(bench.open(), "a");
            holder.isGranted();
            MemoryProvider client = bench.open();
            TestClaim waiter = bench.waiter(client, "a").isContended();
            client.close();
            holder.isReleased();
            waiter.wasWoken(0);
        });
        all.put(StaysBehind.LEAVES_A_SELECTOR_OPEN, bench -> {
            bench.open().close();
            long before = descriptors();
            for (int i = 0; i < 100; i++) {
                bench.open().close();
            }
            assertThat(descriptors() - before).isLessThan(100);
        });
        all.put(StaysBehind.A_CLOSED_CLIENT_RELEASES_NOTHING_AND_SAYS_SO, bench -> {
            MemoryProvider client = bench.open();
            TestClaim holder = bench.claim(client, "a");
            holder.isGranted();
            client.close();
            assertThatThrownBy(holder.claim::release).isInstanceOf(LockStoreException.class);
        });
        all.put(StaysBehind.A_RELEASED_HOLD_TAKES_THE_LEASE_OF_THE_OTHER_AWAY, bench -> {
            MemoryProvider client = bench.open();
            TestClaim outer = bench.owned(client, "a", "Ann");
            outer.isGranted();
            bench.owned(client, "a", "Ann").isGranted();
            outer.isReleased();
            bench.pass(600);
            bench.claim(bench.open(), "a").isGranted();
        });
        all.put(StaysBehind.A_WITHDRAWN_WAIT_TAKES_THE_LEASE_OF_THE_HOLDER_AWAY, bench -> {
            MemoryProvider client = bench.open();
            bench.claim(client, "a").isGranted();
            bench.waiter(client, "a").isContended().isNotHeld();
            bench.pass(600);
            bench.claim(bench.open(), "a").isGranted();
        });
        assertThat(all).hasSameSizeAs(StaysBehind.values());
        return Map.copyOf(all);
    }

    static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("memory-store-waits"))
                .count();
    }

    private static long descriptors() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
    }
}
