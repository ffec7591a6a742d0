package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** What waiters hear when no message of a release can be expected. */
class SubscriptionLossTest extends WakeUpScene {

    @Test
    void waiterPollsWhileTheSubscriptionIsRefused() throws Exception {
        CountDownLatch refused = new CountDownLatch(1);
        LockListener listener = new LockListener() {
            @Override
            public void contended(LockEvent event) {
                refused.countDown();
            }
        };
        try (RedisServer closed = RedisServer.start();
                RedisLockProvider there = RedisProviders.on(closed, "");
                LockClient client = LockClient.builder(there).listener(listener).build()) {
            closed.command("ACL", "SETUSER", "default", "resetchannels");
            holder(there, "a");
            CompletableFuture<LockHandle> waiter = client.lock("a").acquireAsync();
            soon().until(() -> refused.getCount() == 0);
            closed.command("DEL", "holdfast:a");
            LockHandle held = waiter.get(PROMPT.toMillis(), TimeUnit.MILLISECONDS);

            closed.command("ACL", "SETUSER", "default", "allchannels");
            held.release();
            List<Object> subscribed = List.of(there.channel("a"), 1L);
            soon().until(() ->
                    closed.command("PUBSUB", "NUMSUB", there.channel("a")).equals(subscribed));
        }
    }

    @Test
    void lostSubscriptionWakesItsWaitersOnce() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            holder(provider, "a");
            gate.open();
            TestClaim waiter = waiter(gated, "a");
            awaitSignals(waiter, 1);

            server.command("CLIENT", "KILL", "TYPE", "pubsub");

            awaitSignals(waiter, 2);
            // Further failures wake nobody.
            int asked = gate.asked.get();
            refuseConnections(gate, 3);
            soon().until(() -> gate.asked.get() >= asked + 3);
            assertThat(waiter.mayBeFree).hasValue(2);

            gate.open();
            awaitSignals(waiter, 3);
        }
    }

    private static void refuseConnections(SubscriptionGate gate, int times) {
        for (int i = 0; i < times; i++) {
            gate.open(() -> {
                throw new JedisConnectionException("refused by the test");
            });
        }
    }

    @Test
    void cutOffConnectionIsNotReopenedByTheNextRequest() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            List<TestClaim> holders = new ArrayList<>();
            List<TestClaim> waiters = new ArrayList<>();
            for (String name : List.of("a", "b", "c")) {
                holders.add(holder(provider, name));
                TestClaim waiter = TestClaim.waiting(gated, name);
                assertThat(waiter.granted()).isFalse();
                waiters.add(waiter);
            }
            AtomicInteger requests = new AtomicInteger();
            gate.open(() -> new Connection(server.host(), server.port()) {
                @Override
                public void sendCommand(ProtocolCommand command, byte[]... words) {
                    if (requests.incrementAndGet() == 2) {
                        throw new JedisConnectionException("the pipe broke, says the test");
                    }
                    super.sendCommand(command, words);
                }
            });
            gate.open();

            for (String name : List.of("a", "b", "c")) {
                awaitSubscribers(name, 1);
            }
            assertThat(requests).hasValue(2);
            holders.forEach(TestClaim::released);
            waiters.forEach(waiter -> awaitSignals(waiter, 2));
        }
    }
}
