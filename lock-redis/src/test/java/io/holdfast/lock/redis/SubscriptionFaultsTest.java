package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.TcpProxy;
import io.holdfast.servers.TcpProxy.Direction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** What becomes of the connection that hears of releases, and of those who rely on it. */
@Isolated("it looks at all threads of the JVM")
class SubscriptionFaultsTest extends WakeUpScene {

    @Test
    void aClaimThatEndsBeforeTheConnectionStandsLeavesTheNextOneToBeWoken() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            TestClaim holder = holder(provider, "a");
            TestClaim hasty = TestClaim.waiting(gated, "a");
            assertThat(hasty.granted()).isFalse();
            soon().until(() -> gate.asked.get() == 1);
            hasty.released();
            gate.open();

            TestClaim next = waiter(gated, "a");
            int before = next.mayBeFree.get();
            holder.released();
            awaitSignals(next, before + 1);
        }
    }

    @Test
    void aNameThatIsLeftWhileTheConnectionFailsIsNotSubscribedTo() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            ReleaseFeed feed = gated.releases(new NoListener()).orElseThrow();
            feed.subscribe("a");
            soon().until(() -> gate.asked.get() == 1);
            feed.unsubscribe("a");
            gate.open(() -> {
                throw new JedisConnectionException("refused by the test");
            });
            soon().until(() -> messageThreadIsIn("awaitUninterruptibly"));
            assertThat(gate.asked).hasValue(1);

            gate.open();
            feed.subscribe("b");
            awaitSubscribers("b", 1);
            awaitSubscribers("a", 0);
        }
    }

    /** What nobody expects of a connection. */
    enum Surprise {
        RUNTIME_EXCEPTION {
            @Override
            Connection come() {
                throw new IllegalStateException("thrown by the test");
            }
        },
        ERROR {
            @Override
            Connection come() {
                throw new NoClassDefFoundError("thrown by the test");
            }
        };

        abstract Connection come();
    }

    @ParameterizedTest
    @EnumSource
    void anUnexpectedFailureToConnectIsOneLikeAnyOther(Surprise surprise) {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            TestClaim holder = holder(provider, "a");
            gate.open(surprise::come);
            gate.open();
            TestClaim waiter = waiter(gated, "a");
            awaitSignals(waiter, 2);
            holder.released();
            awaitSignals(waiter, 3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUnexpectedFailureToReadIsOneLikeAnyOther(Surprise surprise) {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            TestClaim holder = holder(provider, "a");
            gate.open(() -> new Connection(server.host(), server.port()) {
                @Override
                public Object getUnflushedObject() {
                    return surprise.come();
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
    void killedSubscriptionsComeBackAndWakeEverybodyWhoWaits() {
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
    void aServerThatComesBackIsSubscribedToAgain() {
        holder(provider, "a");
        TestClaim waiter = waiter(provider, "a");
        awaitSignals(waiter, 1);

        server.restartWithoutData();

        awaitSignals(waiter, 2);
        // The connection that was open before fails once.
        soon().ignoreExceptionsInstanceOf(LockStoreException.class).until(waiter::granted);
    }

    @Test
    void aSubscriptionThatHearsNothingIsReplacedWhileSomebodyWaitsAndClosedWhenNobodyDoes() {
        try (RedisLockProvider impatient = impatient(server.port())) {
            holder(impatient, "a");
            TestClaim waiter = waiter(impatient, "a");
            awaitSignals(waiter, 3);

            waiter.released();

            soon().untilAsserted(() -> assertThat((String) server.command("CLIENT", "LIST", "TYPE", "pubsub"))
                    .isEmpty());
            awaitSignals(waiter(impatient, "a"), 1);
        }
    }

    @Test
    void aBlackHoleIsNoticedAndWhoWaitsIsWokenAfterIt() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedisLockProvider impatient = impatient(proxy.port())) {
            TestClaim holder = holder(provider, "a");
            TestClaim waiter = waiter(impatient, "a");
            awaitSignals(waiter, 1);
            proxy.swallow(Direction.REPLIES);
            int before = waiter.mayBeFree.get();
            holder.released();
            long accepted = proxy.accepted();
            soon().until(() -> proxy.accepted() > accepted);
            assertThat(waiter.mayBeFree)
                    .as("of the interruption, not of the release")
                    .hasValue(before + 1);

            proxy.pass(Direction.REPLIES);
            awaitSignals(waiter, before + 2);
        }
    }
}
