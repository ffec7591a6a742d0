package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.BrokenLog;
import io.holdfast.parts.TestClaim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** The thread that reads releases survives unexpected failures. */
@Isolated("it changes the log")
class SubscriptionThreadTest extends WakeUpScene {

    @Test
    void brokenLogDoesNotEndTheThread() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        BrokenLog log = BrokenLog.of(ReleaseMessages.class.getPackageName());
        try (RedisLockProvider gated = behind(gate)) {
            TestClaim holder = holder(provider, "a");
            gate.open(() -> {
                throw new JedisConnectionException("refused by the test");
            });
            gate.open();

            TestClaim waiter = waiter(gated, "a");
            soon().until(() -> log.records() == 1);
            awaitSignals(waiter, 2);
            holder.released();
            awaitSignals(waiter, 3);
        } finally {
            log.close();
        }
    }

    /** Such as the end of an application in a host that interrupts all of its threads. */
    @Test
    void interruptEndsOneWaitOfTheThreadAndNoMore() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            TestClaim holder = holder(provider, "a");
            TestClaim waiter = TestClaim.waiting(gated, "a");
            assertThat(waiter.granted()).isFalse();
            soon().until(() -> gate.asked.get() == 1);

            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("holdfast-redis-releases"))
                    .forEach(Thread::interrupt);
            soon().until(() -> gate.asked.get() > 1);
            gate.open();
            awaitSubscribers("a", 1);
            assertThat(gate.asked).hasValue(2);
            assertThat(holder.released()).isTrue();
        }
    }
}
