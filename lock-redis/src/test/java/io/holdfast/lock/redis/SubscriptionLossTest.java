package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.parts.Bidder;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** What those who wait are told when no message of a release can be expected. */
class SubscriptionLossTest extends WakeUpScene {

    @Test
    void whileTheSubscriptionIsDownWaitingClaimsAskAgainByThemselves() {
        try (RedisServer closed = RedisServer.start();
                RedisLockProvider there = Providers.on(closed, "")) {
            closed.command("ACL", "SETUSER", "default", "resetchannels");
            holder(there, "a");
            Bidder waiter = Bidder.waiting(there, "a");
            assertThat(waiter.refused().retryAfter().orElseThrow()).isGreaterThan(Duration.ofSeconds(20));

            awaitSignals(waiter, 1);
            assertThat(waiter.refused().retryAfter()).hasValue(Duration.ofMillis(500));
            closed.command("ACL", "SETUSER", "default", "allchannels");
            awaitSignals(waiter, 2);
            assertThat(waiter.refused().retryAfter().orElseThrow()).isGreaterThan(Duration.ofSeconds(1));
        }
    }

    @Test
    void whoReliedOnAConnectionThatIsLostIsWokenOnceAndToldToAskByItself() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            holder(provider, "a");
            gate.open();
            Bidder waiter = waiter(gated, "a");
            awaitSignals(waiter, 1);
            Bidder late = Bidder.waiting(gated, "a");
            assertThat(late.refused().retryAfter().orElseThrow()).isGreaterThan(Duration.ofSeconds(20));
            Bidder busy = Bidder.waiting(gated, "free");
            assertThat(busy.granted()).isTrue();

            server.command("CLIENT", "KILL", "TYPE", "pubsub");

            awaitSignals(waiter, 2);
            awaitSignals(late, 1);
            assertThat(waiter.refused().retryAfter()).hasValue(Duration.ofMillis(500));
            // Further failures tell nobody anything new.
            int asked = gate.asked.get();
            refuseConnections(gate, 3);
            soon().until(() -> gate.asked.get() >= asked + 3);
            assertThat(waiter.mayBeFree).hasValue(2);
            assertThat(late.mayBeFree).hasValue(1);
            assertThat(busy.mayBeFree).hasValue(0);

            gate.open();
            awaitSignals(waiter, 3);
            assertThat(waiter.refused().retryAfter().orElseThrow()).isGreaterThan(Duration.ofSeconds(1));
        }
    }

    @Test
    void whoBidsInTheMomentOfTheLossIsToldAlreadyToAskByItself() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            holder(provider, "a");
            BiddingAtOnce signals = new BiddingAtOnce();
            Claim claim = gated.newClaim(
                    new ClaimRequest("a", "at-once", "at-once", Bidder.LEASE, Intent.WAIT, Bidder.CLAIMANT), signals);
            assertThat(claim.attempt()).isInstanceOf(Attempt.Contended.class);
            signals.claim.set(claim);

            refuseConnections(gate, 1);

            soon().until(() -> signals.answer.get() != null);
            assertThat(signals.answer).hasValue(new Attempt.Contended(Optional.of(Duration.ofMillis(500))));
        }
    }

    private static void refuseConnections(SubscriptionGate gate, int times) {
        for (int i = 0; i < times; i++) {
            gate.open(() -> {
                throw new JedisConnectionException("refused by the test");
            });
        }
    }

    private static final class BiddingAtOnce implements ClaimSignals {
        private final AtomicReference<Claim> claim = new AtomicReference<>();
        private final AtomicReference<Attempt> answer = new AtomicReference<>();

        @Override
        public void mayBeFree() {
            answer.set(claim.get().attempt());
        }

        @Override
        public void lost(LossCause cause) {}
    }

    @Test
    void aConnectionThatWasCutOffIsNotOpenedAgainByTheNextRequest() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            List<Bidder> holders = new ArrayList<>();
            List<Bidder> waiters = new ArrayList<>();
            for (String name : List.of("a", "b", "c")) {
                holders.add(holder(provider, name));
                Bidder waiter = Bidder.waiting(gated, name);
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
            holders.forEach(Bidder::released);
            waiters.forEach(waiter -> awaitSignals(waiter, 2));
        }
    }
}
