package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;

/** The line of waiting claims at the server, whose next one is granted the lock by the release. */
class DirectGrantTest extends WakeUpScene {

    /** A message is believed for a tenth of it: longer than a slow machine keeps a test waiting. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private RedisLockProvider there;

    @BeforeEach
    void openAnother() {
        there = RedisProviders.on(server, "");
    }

    @AfterEach
    void closeTheOther() {
        there.close();
    }

    /** A waiting claim that has been refused once more since its channel is subscribed to. */
    private TestClaim settled(RedisLockProvider provider, String name, long subscribers) {
        TestClaim waiter = TestClaim.waiting(provider, name);
        assertThat(waiter.granted()).isFalse();
        awaitSubscribers(name, subscribers);
        awaitSignals(waiter, 1);
        assertThat(waiter.granted()).isFalse();
        return waiter;
    }

    /** Hears the messages to the other client, without a place in the line. */
    private TestClaim ear() {
        TestClaim ear = settled(there, "a", 1);
        assertThat(ear.claim.release()).isEqualTo(Release.NOT_HELD);
        return ear;
    }

    private static ClaimRequest request(Duration lease) {
        return new ClaimRequest("a", "client-1", "client-1", lease, Intent.WAIT, TestClaim.CLAIMANT);
    }

    /** A waiting claim of the other client that has been refused once. */
    private Claim refused(Duration lease) {
        Claim waiter = there.newClaim(request(lease), TestClaim.once(there, "signals of another claim"));
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Contended.class);
        return waiter;
    }

    /** A client whose subscription is not there yet, so that no message reaches it. */
    private final class DeafClient implements AutoCloseable {

        private final SubscriptionGate gate = new SubscriptionGate(provider.runner());
        private final RedisLockProvider deaf = behind(gate);

        /** A claim that has been refused once. */
        TestClaim waiting(String name) {
            TestClaim unheard = TestClaim.waiting(deaf, name);
            assertThat(unheard.granted()).isFalse();
            return unheard;
        }

        @Override
        public void close() {
            gate.open();
            deaf.close();
        }
    }

    private String holderId(String name) {
        return provider.holder(name).map(LockHolder::owner).orElse("");
    }

    private long scripts() {
        return server.calls("evalsha") + server.calls("eval");
    }

    @Proves("7.5")
    @Test
    void releaseGrantsTheLockToTheFirstOfTheLine() {
        TestClaim holder = holder(provider, "a");
        TestClaim first = settled(provider, "a", 1);
        TestClaim second = settled(there, "a", 2);
        String held = holderId("a");

        holder.released();
        assertThat(holderId("a")).isNotEmpty().isNotEqualTo(held);
        awaitSignals(first, 2);
        assertThat(second.granted()).isFalse();
        assertThat(first.granted()).isTrue();

        first.released();
        awaitSignals(second, 2);
        assertThat(second.granted()).isTrue();
        assertThat(second.released()).isTrue();
        assertThat(server.command("KEYS", "*")).isEqualTo(List.of("holdfast:#fence"));
    }

    @Test
    void pushedGrantIsTakenWithoutARequest() {
        TestClaim holder = holder(provider, "a");
        long token = tokenOfHolder();
        TestClaim ear = ear();
        Claim waiter = refused(LONG);
        holder.released();
        awaitSignals(ear, 2);

        long before = scripts();
        Attempt.Granted granted = (Attempt.Granted) waiter.attempt();
        assertThat(scripts()).isEqualTo(before);
        assertThat(granted.fencingToken().orElseThrow().value()).isGreaterThan(token);
        assertThat(tokenOfHolder()).isGreaterThan(token);
        assertThat(waiter.renew()).isInstanceOf(Renewal.Held.class);
        assertThat(waiter.release()).isEqualTo(Release.RELEASED);
    }

    private long tokenOfHolder() {
        return provider.holder("a").orElseThrow().fencingToken().orElseThrow().value();
    }

    @Proves("2.5")
    @Test
    void pushedGrantCountsFromTheLatestAttempt() {
        TestClaim holder = holder(provider, "a");
        TestClaim ear = ear();
        Claim waiter = refused(LONG);
        Duration passed = Duration.ofMillis(100);
        Waits.letPass(passed);
        holder.released();
        awaitSignals(ear, 2);

        Attempt.Granted granted = (Attempt.Granted) waiter.attempt();
        Duration most = request(LONG).validFor().minus(passed);
        assertThat(granted.validFor()).isLessThanOrEqualTo(most);
    }

    @Proves("1.1")
    @Test
    void messageThatNamesAnEarlierAttemptIsNotBelieved() {
        holder(provider, "a");
        TestClaim ear = ear();
        Claim waiter = refused(LONG);
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Contended.class);

        publish(1);
        awaitSignals(ear, 2);
        assertThat(waiter.attempt()).as("the server was asked").isInstanceOf(Attempt.Contended.class);

        // That was attempt 3: a message that names it is believed, so the number alone made the difference.
        publish(3);
        awaitSignals(ear, 3);
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Granted.class);
    }

    private void publish(int attempt) {
        String channel = (String) ((List<?>) server.command("PUBSUB", "CHANNELS", "holdfast:#granted:*")).get(0);
        assertThat(server.command("PUBLISH", channel, "client-1 " + attempt + " 17 1 1700000000000000"))
                .isEqualTo(1L);
    }

    @Test
    void messageOfAnotherProgramWakesAndNoMore() {
        holder(provider, "a");
        TestClaim waiter = settled(there, "a", 1);
        String channel = (String) ((List<?>) server.command("PUBSUB", "CHANNELS", "holdfast:#granted:*")).get(0);

        server.command("PUBLISH", channel, waiter.id + " two 17 1 x");
        awaitSignals(waiter, 2);
        assertThat(waiter.granted()).isFalse();
    }

    @Test
    void pushThatIsOldForItsLeaseIsVerified() {
        TestClaim holder = holder(provider, "a");
        Duration lease = Duration.ofSeconds(10);
        settled(there, "a", 1).released();
        Claim waiter = refused(lease);
        Waits.letPass(lease.dividedBy(10));
        holder.released();
        assertThat(holderId("a")).isEqualTo("client-1");

        long before = scripts();
        Attempt.Granted granted = (Attempt.Granted) waiter.attempt();
        assertThat(scripts()).isEqualTo(before + 1);
        assertThat(granted.validFor()).isGreaterThan(lease.multipliedBy(9).dividedBy(10));
    }

    @Test
    void claimOfAClientThatDoesNotListenIsPassedOver() {
        try (DeafClient deaf = new DeafClient()) {
            TestClaim holder = holder(provider, "a");
            TestClaim unheard = deaf.waiting("a");
            TestClaim next = settled(there, "a", 1);

            holder.released();
            awaitSignals(next, 2);
            assertThat(next.granted()).isTrue();
            assertThat(unheard.granted()).isFalse();

            next.released();
            assertThat(holderId("a")).as("nobody listens").isEmpty();
            assertThat(TestClaim.once(there, "a").granted())
                    .as("the other one came before")
                    .isFalse();
            assertThat(unheard.granted()).isTrue();
            unheard.released();
        }
    }

    /** Its client polls as it cannot subscribe. Passed over once, it gets the lock when it has attempted again. */
    @Proves("7.5")
    @Test
    void claimThatIsNeverHeardGetsItsTurn() {
        try (DeafClient deaf = new DeafClient()) {
            TestClaim holder = holder(provider, "a");
            TestClaim unheard = deaf.waiting("a");
            TestClaim next = settled(there, "a", 1);
            holder.released();
            awaitSignals(next, 2);
            assertThat(next.granted()).isTrue();
            assertThat(unheard.granted()).isFalse();

            TestClaim third = TestClaim.waiting(there, "a");
            assertThat(third.granted()).isFalse();
            next.released();
            assertThat(holderId("a"))
                    .as("free for the claim that was passed over")
                    .isEmpty();
            assertThat(third.granted()).isFalse();
            assertThat(unheard.granted()).isTrue();
            unheard.released();
        }
    }

    /** It counts for PUBLISH as a listener of each channel. */
    @Test
    void subscriberOfAPatternIsNotTakenForADeadClient() throws InterruptedException {
        JedisPubSub all = new JedisPubSub() {};
        try (Jedis monitor = new Jedis(server.host(), server.port())) {
            Thread reader = new Thread(() -> monitor.psubscribe(all, "holdfast:*"));
            reader.start();
            soon().until(() -> server.command("PUBSUB", "NUMPAT").equals(1L));
            TestClaim holder = holder(provider, "a");
            settled(there, "a", 1);
            there.close();
            awaitSubscribers("a", 0);

            holder.released();
            assertThat(holderId("a")).isEmpty();
            all.punsubscribe();
            reader.join();
        }
    }

    /** The message reaches subscribers of a replica, too: it must not be sent if the grant is taken back. */
    @Proves("1.1")
    @Test
    void clientThatListensToAReplicaAloneIsNotGrantedTheLock() {
        try (RedisServer replica = RedisServer.start(
                "--replicaof", server.host() + " " + server.port(), "--repl-diskless-sync-delay", "0")) {
            soon().until(() -> replica.command("INFO", "replication").toString().contains("master_link_status:up"));
            SubscriptionGate gate = new SubscriptionGate(provider.runner());
            gate.open(() -> new Connection(replica.host(), replica.port()));
            try (RedisLockProvider moved = behind(gate)) {
                TestClaim holder = holder(provider, "a");
                TestClaim waiter = TestClaim.waiting(moved, "a");
                assertThat(waiter.granted()).isFalse();
                awaitSignals(waiter, 1);
                assertThat(waiter.granted()).isFalse();

                holder.released();
                assertThat(holderId("a")).isEmpty();
                TestClaim rival = TestClaim.once(there, "a");
                soon().until(rival::granted);
                assertThat(waiter.granted()).isFalse();
                assertThat(waiter.mayBeFree).as("no message was sent").hasValue(1);
            }
        }
    }

    /** Both have their keys below the same name. */
    @Proves("1.1")
    @Test
    void prefixesThatShareTheirKeysHaveTheirOwnLines() {
        try (RedisLockProvider bare = RedisProviders.on(server, "prefix=")) {
            TestClaim bareHolder = holder(bare, "a");
            TestClaim holder = holder(provider, "a");
            TestClaim waiter = settled(there, "a", 1);

            bareHolder.released();
            assertThat(bare.holder("a")).isEmpty();
            assertThat(waiter.granted()).isFalse();
            assertThat(waiter.mayBeFree).hasValue(1);
            assertThat(holder.released()).isTrue();
            awaitSignals(waiter, 2);
            assertThat(waiter.granted()).isTrue();
        }
    }

    @Test
    void nextClaimIsServedWhenTheFirstThatWasNotHeardLeaves() {
        try (DeafClient deaf = new DeafClient()) {
            TestClaim holder = holder(provider, "a");
            TestClaim unheard = deaf.waiting("a");
            holder.released();
            TestClaim next = TestClaim.waiting(there, "a");
            assertThat(next.granted()).as("another claim came before").isFalse();
            awaitSubscribers("a", 1);

            assertThat(unheard.released()).isFalse();
            awaitSignals(next, 2);
            assertThat(next.granted()).isTrue();
        }
    }

    @Test
    void placeThatAnotherProgramHasChangedIsSkipped() {
        TestClaim holder = holder(provider, "a");
        TestClaim broken = settled(there, "a", 1);
        TestClaim next = settled(provider, "a", 2);
        server.command("HSET", "holdfast:#places:holdfast:a", broken.id, "no record");

        assertThat(holder.released()).isTrue();
        awaitSignals(next, 2);
        assertThat(next.granted()).isTrue();
    }

    /** The next claim cannot be given a token: that is no failure of the release. */
    @Proves("5.4")
    @Test
    void damagedCounterFailsNoRelease() {
        TestClaim holder = holder(provider, "a");
        settled(there, "a", 1);
        server.command("SET", "holdfast:#fence", "damaged");

        assertThat(holder.released()).isTrue();
        assertThat(holderId("a")).isEmpty();
    }

    @Test
    void claimOfADeadClientHoldsUpNobodyForLong() {
        TestClaim holder = holder(provider, "a");
        TestClaim dead = settled(there, "a", 1);
        there.close();
        awaitSubscribers("a", 0);
        holder.released();

        TestClaim next = TestClaim.once(provider, "a");
        Attempt.Contended refusal = next.refused();
        assertThat(refusal.retryAfter().orElseThrow()).isLessThanOrEqualTo(Duration.ofMillis(2_001));
        Waits.soon().until(next::granted);
        assertThat(dead.mayBeFree).hasValue(1);
    }

    @Tag("full")
    @Test
    void placeOfAClaimThatAttemptsNoMoreIsSkipped() {
        TestClaim holder = holder(provider, "a");
        TestClaim paused = settled(there, "a", 1);
        TestClaim next = TestClaim.waiting(provider, "a");
        // Longer than a place is kept.
        Waits.letPass(Duration.ofSeconds(8));
        Waits.letPass(Duration.ofSeconds(8));
        assertThat(next.granted()).isFalse();
        holder.held();
        holder.released();

        assertThat(next.granted()).isTrue();
        assertThat(paused.granted()).isFalse();
    }

    @Proves("1.5")
    @Test
    void claimThatGivesUpLeavesTheLine() {
        TestClaim holder = holder(provider, "a");
        TestClaim leaving = settled(there, "a", 1);
        assertThat(leaving.released()).isFalse();

        holder.released();
        assertThat(holderId("a")).isEmpty();
        assertThat(server.command("KEYS", "*")).isEqualTo(List.of("holdfast:#fence"));
    }

    @Proves("7.6")
    @Test
    void claimThatGivesUpAfterItsGrantPassesTheLockToTheNext() {
        TestClaim holder = holder(provider, "a");
        TestClaim leaving = settled(there, "a", 1);
        TestClaim next = settled(provider, "a", 2);
        holder.released();
        assertThat(leaving.released()).isTrue();

        awaitSignals(next, 2);
        assertThat(next.granted()).isTrue();
    }

    @Proves("4.6")
    @Test
    void otherWaitingClaimsOfTheNewHoldersOwnerAreWoken() {
        TestClaim holder = holder(provider, "a");
        TestClaim first = TestClaim.waitingAs(provider, "a", "workflow-17");
        TestClaim second = TestClaim.waitingAs(there, "a", "workflow-17");
        assertThat(first.granted()).isFalse();
        assertThat(second.granted()).isFalse();
        awaitSubscribers("a", 2);
        awaitSignals(first, 1);
        awaitSignals(second, 1);
        assertThat(first.granted()).isFalse();
        assertThat(second.granted()).isFalse();

        holder.released();
        awaitSignals(first, 2);
        awaitSignals(second, 2);
        assertThat(second.token()).isEqualTo(first.token());
        assertThat(first.released()).isTrue();
        assertThat(holderId("a")).isEqualTo("workflow-17");
        assertThat(second.released()).isTrue();
    }

    @Test
    void attemptThatFindsTheLeaseEndedGrantsTheLockToTheFirstOfTheLine() {
        holder(provider, "a");
        TestClaim first = settled(there, "a", 1);
        // Not before: a lease that is short enough to wait for may end while the claim takes its place.
        server.command("PEXPIRE", "holdfast:a", "1");
        soon().until(() -> holderId("a").isEmpty());

        assertThat(TestClaim.once(provider, "a").granted()).isFalse();
        awaitSignals(first, 2);
        assertThat(first.granted()).isTrue();
    }

    @Proves("2.3")
    @Test
    void fullServerRefusesNoAttemptForThePlace() {
        holder(provider, "a");
        server.command("CONFIG", "SET", "maxmemory", "1");
        try {
            TestClaim waiter = TestClaim.waiting(there, "a");
            assertThat(waiter.refused().retryAfter().orElseThrow()).isLessThanOrEqualTo(Duration.ofMillis(500));
        } finally {
            server.command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Proves("1.1")
    @Test
    void fullServerGrantsTheLockToTheNext() {
        TestClaim holder = holder(provider, "a");
        TestClaim waiter = settled(there, "a", 1);
        server.command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThat(holder.released()).isTrue();
            awaitSignals(waiter, 2);
            assertThat(waiter.granted()).isTrue();
            assertThat(waiter.held()).isTrue();
        } finally {
            server.command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void stringLayoutHasNoLine() {
        try (RedisLockProvider string = RedisProviders.on(server, Layout.STRING)) {
            holder(string, "a");
            assertThat(TestClaim.waiting(string, "a").granted()).isFalse();
            assertThat(server.command("KEYS", "holdfast:#line*")).isEqualTo(List.of());
        }
    }
}
