package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.zookeeper.PredecessorWatches.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which claims wait for which node, without a server. */
class PredecessorWatchesTest {

    private final PredecessorWatches watches = new PredecessorWatches();
    private final List<Watcher> disarmed = new ArrayList<>();

    private void disarm(String path, Watcher watcher) {
        assertThat(path).isEqualTo("/a");
        disarmed.add(watcher);
    }

    /** A claim that counts how often it is woken. */
    private static final class Waiter implements ClaimSignals {
        private final AtomicInteger woken = new AtomicInteger();

        @Override
        public void mayBeFree() {
            woken.incrementAndGet();
        }

        @Override
        public void lost(LossCause cause) {
            throw new AssertionError("It holds nothing: " + cause);
        }
    }

    private static WatchedEvent deleted() {
        return new WatchedEvent(EventType.NodeDeleted, KeeperState.SyncConnected, "/a");
    }

    private static WatchedEvent connection(KeeperState state) {
        return new WatchedEvent(EventType.None, state, null);
    }

    @Test
    void oneWatchWakesAllWaitersOfItsNodeOnce() {
        Waiter one = new Waiter();
        Waiter other = new Waiter();
        Watch watch = watches.add("/a", one);
        assertThat(watches.add("/a", other)).isSameAs(watch);
        watch.arm(this::disarm);
        assertThat(watches.isWaiting(one)).isTrue();

        watch.process(deleted());
        watch.process(deleted());

        assertThat(one.woken).hasValue(1);
        assertThat(other.woken).hasValue(1);
        assertThat(watches.isWaiting(one)).isFalse();
        assertThat(watches.size()).isZero();
    }

    @Test
    void watchDoesNotWakeWaitersOfAnotherNode() {
        Waiter waiter = new Waiter();
        Watch first = watches.add("/a", waiter);
        Watch second = watches.add("/b", waiter);
        assertThat(watches.size()).isEqualTo(1);

        first.process(deleted());

        assertThat(waiter.woken).hasValue(0);
        second.process(deleted());
        assertThat(waiter.woken).hasValue(1);
    }

    @Test
    void removedWaiterIsNotWoken() {
        Waiter waiter = new Waiter();
        Watch watch = watches.add("/a", waiter);
        watch.arm(this::disarm);

        watches.remove(waiter);
        watch.process(deleted());

        assertThat(waiter.woken).hasValue(0);
    }

    @Test
    void armedWatchIsKeptForTheNextWaiter() {
        Waiter first = new Waiter();
        Watch watch = watches.add("/a", first);
        watch.arm(this::disarm);
        watches.remove(first);

        assertThat(watches.add("/a", new Waiter())).isSameAs(watch);
    }

    @Test
    void unarmedWatchIsDroppedWithItsLastWaiter() {
        Waiter waiter = new Waiter();
        Watch watch = watches.add("/a", waiter);
        assertThat(watches.isWaiting(waiter)).isFalse();

        watches.remove(waiter);

        assertThat(watches.size()).isZero();
        assertThat(watches.add("/a", waiter)).isNotSameAs(watch);
    }

    @ParameterizedTest
    @EnumSource(
            value = KeeperState.class,
            names = {"Disconnected", "SyncConnected"})
    void connectionChangeWakesNobody(KeeperState state) {
        Waiter waiter = new Waiter();
        Watch watch = watches.add("/a", waiter);
        watch.arm(this::disarm);

        watch.process(connection(state));

        assertThat(waiter.woken).hasValue(0);
        assertThat(watches.isWaiting(waiter)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = KeeperState.class,
            names = {"Expired", "Closed"})
    void sessionEndWakesWaiters(KeeperState state) {
        Waiter waiter = new Waiter();
        Watch watch = watches.add("/a", waiter);
        watch.arm(this::disarm);

        watch.process(connection(state));

        assertThat(waiter.woken).hasValue(1);
        assertThat(watches.size()).isZero();
    }

    @Test
    void closeDisarmsWatchesAndWakesNobody() {
        Waiter waiter = new Waiter();
        Watch watch = watches.add("/a", waiter);
        watch.arm(this::disarm);
        Watch unarmed = watches.add("/b", new Waiter());

        watches.close();
        watch.process(new WatchedEvent(EventType.DataWatchRemoved, KeeperState.SyncConnected, "/a"));

        assertThat(disarmed).containsExactly(watch).doesNotContain(unarmed);
        assertThat(waiter.woken).hasValue(0);
        assertThat(watches.size()).isZero();
    }

    @Test
    void watchArmedDuringCloseIsDisarmedAtOnce() {
        Watch watch = watches.add("/a", new Waiter());
        watches.close();

        watch.arm(this::disarm);

        assertThat(disarmed).containsExactly(watch);
    }

    @Test
    void firedWatchIsNotDisarmed() {
        Watch watch = watches.add("/a", new Waiter());
        watch.arm(this::disarm);
        watch.process(deleted());

        watches.close();

        assertThat(disarmed).isEmpty();
    }
}
