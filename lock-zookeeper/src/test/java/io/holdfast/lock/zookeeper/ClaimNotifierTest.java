package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.ZooKeeperServer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Signals that throw, against the rule of their interface. */
@Tag("server")
class ClaimNotifierTest {

    private static final int CLAIMS = 10;

    // Held on to: the log manager would let a configured logger be collected.
    private final Logger logger = Logger.getLogger(ClaimNotifier.class.getPackageName());
    private final Log log = new Log();

    /** What was logged. */
    private static final class Log extends Handler {
        private final List<LogRecord> records = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord record) {
            // Other tests run at the same time, and their providers may log, too.
            if (record.getThrown() != null && "broken".equals(record.getThrown().getMessage())) {
                records.add(record);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    /** Throws at each signal. */
    private static final class Broken implements ClaimSignals {
        private final List<String> received = new ArrayList<>();

        @Override
        public void mayBeFree() {
            received.add("may be free");
            throw new IllegalStateException("broken");
        }

        @Override
        public void lost(LossCause cause) {
            received.add("lost: " + cause);
            throw new AssertionError("broken");
        }
    }

    private static List<Broken> claims() {
        return IntStream.range(0, CLAIMS).mapToObj(i -> new Broken()).toList();
    }

    @BeforeEach
    void listen() {
        logger.setUseParentHandlers(false);
        logger.addHandler(log);
    }

    @AfterEach
    void listenNoMore() {
        logger.removeHandler(log);
        logger.setUseParentHandlers(true);
    }

    private void assertEachFailureIsLogged(Class<? extends Throwable> failure) {
        assertThat(log.records).hasSize(CLAIMS).allSatisfy(each -> {
            assertThat(each.getLevel()).isEqualTo(Level.WARNING);
            assertThat(each.getThrown()).isInstanceOf(failure).hasMessage("broken");
        });
    }

    @Proves("9.4")
    @Test
    void throwingWaiterDoesNotKeepOthersFromBeingWoken() {
        PredecessorWatches watches = new PredecessorWatches();
        List<Broken> waiters = claims();
        List<PredecessorWatches.Watch> watch = waiters.stream()
                .map(waiter -> watches.add("/a", waiter))
                .distinct()
                .toList();
        assertThat(watch).hasSize(1);

        watch.get(0).process(new WatchedEvent(EventType.NodeDeleted, KeeperState.SyncConnected, "/a"));

        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter.received).containsExactly("may be free"));
        assertEachFailureIsLogged(IllegalStateException.class);
    }

    @Proves("9.4")
    @Test
    void throwingHolderDoesNotKeepTheLossFromOthers() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator application = Operator.of(server);
                ZooKeeperLockProvider given =
                        ZooKeeperLockProvider.over(application.curator).build()) {
            List<Broken> holders = claims();
            holders.forEach(holder -> assertThat(claim(given, holder).attempt()).isInstanceOf(Attempt.Granted.class));

            application.curator.close();

            assertThat(holders)
                    .allSatisfy(holder -> assertThat(holder.received).containsExactly("lost: SESSION_ENDED"));
            assertEachFailureIsLogged(AssertionError.class);
        }
    }

    private static Claim claim(ZooKeeperLockProvider provider, ClaimSignals signals) {
        String name = UUID.randomUUID().toString();
        return provider.newClaim(
                new ClaimRequest(name, name, name, TestClaim.LEASE, Intent.TRY_ONCE, TestClaim.CLAIMANT), signals);
    }
}
