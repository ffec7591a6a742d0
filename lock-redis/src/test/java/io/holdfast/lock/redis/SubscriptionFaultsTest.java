package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Faults of the connection that reads releases, and their effect on waiters. */
@Isolated("it looks at all threads of the JVM")
class SubscriptionFaultsTest extends WakeUpScene {

    @Test
    void nextWaiterIsWokenIfTheFirstEndsBeforeTheConnectionOpens() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            TestClaim holder = holder(provider, "a");
            TestClaim first = TestClaim.waiting(gated, "a");
            assertThat(first.granted()).isFalse();
            soon().until(() -> gate.asked.get() == 1);
            first.released();
            gate.open();

            TestClaim next = waiter(gated, "a");
            int before = next.mayBeFree.get();
            holder.released();
            awaitSignals(next, before + 1);
        }
    }

    @Test
    void nameUnsubscribedDuringAFailureIsNotSubscribedAgain() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            ReleaseFeed feed = gated.releases(new NoListener()).orElseThrow();
            feed.subscribe("a");
            soon().until(() -> gate.asked.get() == 1);
            feed.unsubscribe("a");
            gate.open(() -> {
                throw new JedisConnectionException("refused by the test");
            });
            soon().until(() -> messageThreadIsIn("awaitNames"));
            assertThat(gate.asked).hasValue(1);

            gate.open();
            feed.subscribe("b");
            awaitSubscribers("b", 1);
            awaitSubscribers("a", 0);
        }
    }

    /** Unexpected failures of a connection. */
    enum Surprise {
        RUNTIME_EXCEPTION {
            @Override
            Connection fail() {
                throw new IllegalStateException("thrown by the test");
            }
        },
        ERROR {
            @Override
            Connection fail() {
                throw new NoClassDefFoundError("thrown by the test");
            }
        };

        abstract Connection fail();
    }

    @ParameterizedTest
    @EnumSource
    void unexpectedConnectFailureIsRetried(Surprise surprise) {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            TestClaim holder = holder(provider, "a");
            gate.open(surprise::fail);
            gate.open();
            TestClaim waiter = waiter(gated, "a");
            awaitSignals(waiter, 2);
            holder.released();
            awaitSignals(waiter, 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void unexpectedReadFailureIsRetried(Surprise surprise) {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            TestClaim holder = holder(provider, "a");
            gate.open(() -> new Connection(server.host(), server.port()) {
                @Override
                public Object getUnflushedObject() {
                    return surprise.fail();
                }
            });
            gate.open();
            TestClaim waiter = waiter(gated, "a");
            awaitSignals(waiter, 2);
            holder.released();
            awaitSignals(waiter, 3);
        }
    }

    @Proves("7.2")
    @Test
    void killedSubscriptionsAreOpenedAgainAndWakeWaiters() {
        TestClaim holder = holder(provider, "a");
        TestClaim waiter = waiter(provider, "a");
        awaitSignals(waiter, 1);

        assertThat(server.command("CLIENT", "KILL", "TYPE", "pubsub")).isEqualTo(1L);

        awaitSignals(waiter, 2);
        awaitSubscribers("a", 1);
        holder.released();
        awaitSignals(waiter, 3);
    }

    @Test
    void restartedServerIsSubscribedToAgain() {
        holder(provider, "a");
        TestClaim waiter = waiter(provider, "a");
        awaitSignals(waiter, 1);

        server.restartWithoutData();

        awaitSignals(waiter, 2);
        // The connection that was open before fails once.
        soon().ignoreExceptionsInstanceOf(LockStoreException.class).until(waiter::granted);
    }

    /** Counts what a subscription tells of itself. */
    private static final class Heard implements ReleaseFeed.Listener {
        private final AtomicInteger confirmations = new AtomicInteger();
        private final AtomicInteger interruptions = new AtomicInteger();

        @Override
        public void listening(String name) {
            confirmations.incrementAndGet();
        }

        @Override
        public void released(String name) {}

        @Override
        public void interrupted(String name) {
            interruptions.incrementAndGet();
        }
    }

    @Test
    void quietSubscriptionIsReplacedWhileUsedAndClosedWhenIdle() {
        Heard heard = new Heard();
        try (RedisLockProvider impatient = impatient(server.port())) {
            ReleaseFeed feed = impatient.releases(heard).orElseThrow();
            feed.subscribe("a");
            soon().until(() -> heard.confirmations.get() >= 3);

            feed.unsubscribe("a");

            // It has no other connection.
            soon().untilAsserted(() ->
                    assertThat((String) server.command("CLIENT", "LIST")).doesNotContain("name=holdfast"));
            int before = heard.confirmations.get();
            feed.subscribe("a");
            soon().until(() -> heard.confirmations.get() > before);
        }
    }

    @Test
    void quietSubscriptionOfAHealthyServerIsNoFailure() {
        Heard heard = new Heard();
        try (RedisLockProvider impatient = impatient(server.port())) {
            impatient.releases(heard).orElseThrow().subscribe("a");

            soon().until(() -> heard.confirmations.get() >= 3);

            assertThat(heard.interruptions).hasValue(0);
        }
    }

    @Test
    void silentNetworkIsNoticedAndWaitersAreWoken() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedisLockProvider impatient = impatient(proxy.port())) {
            TestClaim holder = holder(provider, "a");
            TestClaim waiter = waiter(impatient, "a");
            awaitSignals(waiter, 1);
            long accepted = proxy.accepted();
            proxy.swallow(Direction.REPLIES);
            holder.released();
            soon().until(() -> proxy.accepted() > accepted);
            int before = waiter.mayBeFree.get();

            proxy.pass(Direction.REPLIES);
            awaitSignals(waiter, before + 1);
        }
    }
}
