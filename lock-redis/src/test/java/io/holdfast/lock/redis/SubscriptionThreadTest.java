package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.redis.WakeUps.Interest;
import io.holdfast.parts.Bidder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** The thread that hears of releases: that it cannot be had, or that it meets what nobody expects, is not the end of it. */
@Isolated("it changes the log")
class SubscriptionThreadTest extends WakeUpScene {

    /** A thread for which the system has no room. */
    private static final class NotStarted extends Thread {
        @Override
        public synchronized void start() {
            throw new InternalError("no room for a thread, says the test");
        }
    }

    @Test
    void aThreadThatCannotBeStartedIsToldToWhoWaitsAndIsTriedAgain() {
        AtomicInteger made = new AtomicInteger();
        try (WakeUps wakeUps = new WakeUps(
                provider.runner(),
                Subscription.SILENCE,
                reading -> made.incrementAndGet() <= 2 ? new NotStarted() : Subscription.thread(reading))) {
            Bidder holder = holder(provider, "a");
            Bidder waiter = Bidder.waiting(provider, "a");
            Interest interest = new Interest(provider.keys().channel("a"), waiter);
            wakeUps.register(interest);

            assertThat(wakeUps.awaitRelease(interest)).isFalse();
            assertThat(wakeUps.awaitRelease(interest)).isFalse();
            // Of a row of failures the first alone is news.
            assertThat(waiter.mayBeFree).hasValue(1);

            wakeUps.awaitRelease(interest);
            awaitSignals(waiter, 2);
            assertThat(wakeUps.awaitRelease(interest)).isTrue();
            holder.released();
            awaitSignals(waiter, 3);
            assertThat(made).hasValue(3);
        }
    }

    /** A log that fails. */
    private static final class BrokenLog extends Handler {
        private final AtomicInteger records = new AtomicInteger();

        @Override
        public void publish(LogRecord message) {
            records.incrementAndGet();
            throw new NoClassDefFoundError("thrown by the test");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void anErrorOfTheLogIsNotTheEndOfTheThread() {
        Logger logger = Logger.getLogger(Subscription.class.getPackageName());
        BrokenLog log = new BrokenLog();
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        logger.addHandler(log);
        try (RedisLockProvider gated = behind(gate)) {
            Bidder holder = holder(provider, "a");
            gate.open(() -> {
                throw new JedisConnectionException("refused by the test");
            });
            gate.open();

            Bidder waiter = waiter(gated, "a");
            soon().until(() -> log.records.get() == 1);
            awaitSignals(waiter, 2);
            holder.released();
            awaitSignals(waiter, 3);
        } finally {
            logger.removeHandler(log);
        }
    }
}
