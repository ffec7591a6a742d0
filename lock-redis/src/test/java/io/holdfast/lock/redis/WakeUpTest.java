package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.TcpProxy;
import io.holdfast.servers.TcpProxy.Direction;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisConnectionException;

@Isolated("it looks at all threads of the JVM")
class WakeUpTest {

    private static final Duration BOUND = Duration.ofSeconds(20);
    /** Well below the 4 s after which a waiting claim bids again by itself at the earliest. */
    private static final Duration PROMPT = Duration.ofSeconds(2);

    private static final int ROUNDS_OF_SHORT_WAITS = 40;

    private RedisServer server;
    private RedisLockProvider provider;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        provider = Providers.on(server, "");
    }

    @AfterEach
    void stop() {
        provider.close();
        server.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(BOUND).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
    }

    private static Bidder holder(RedisLockProvider provider, String name) {
        Bidder holder = Bidder.once(provider, name);
        assertThat(holder.granted()).isTrue();
        return holder;
    }

    /** A claim that has been refused, and whose channel is subscribed to. */
    private Bidder waiter(RedisLockProvider provider, String name) {
        Bidder waiter = Bidder.waiting(provider, name);
        assertThat(waiter.granted()).isFalse();
        awaitSubscribers(name, 1);
        return waiter;
    }

    private void awaitSubscribers(String name, long count) {
        awaitSubscribers(name, count, BOUND);
    }

    private void awaitSubscribers(String name, long count, Duration bound) {
        soon().atMost(bound)
                .until(() -> server.command("PUBSUB", "NUMSUB", "holdfast:#free:" + name)
                        .equals(List.of("holdfast:#free:" + name, count)));
    }

    private static void awaitSignals(Bidder waiter, int least) {
        soon().until(() -> waiter.mayBeFree.get() >= least);
    }

    @ParameterizedTest
    @EnumSource
    void aReleaseWakesTheClaimsThatWaitForThatLockAlone(Layout layout) {
        try (RedisLockProvider here = Providers.on(server, layout);
                RedisLockProvider there = Providers.on(server, layout)) {
            Bidder holder = holder(there, "a");
            holder(there, "b");
            Bidder waiter = waiter(here, "a");
            Bidder other = waiter(here, "b");
            awaitSignals(waiter, 1);
            awaitSignals(other, 1);

            holder.released();

            awaitSignals(waiter, 2);
            assertThat(waiter.granted()).isTrue();
            assertThat(other.mayBeFree).hasValue(1);
        }
    }

    @Test
    void theConfirmationOfTheSubscriptionWakesOnceBecauseAReleaseMayHaveGoneByBefore() {
        holder(provider, "a");
        Bidder first = waiter(provider, "a");
        awaitSignals(first, 1);
        Bidder second = waiter(provider, "a");

        assertThat(second.granted()).isFalse();
        assertThat(first.mayBeFree).hasValue(1);
        assertThat(second.mayBeFree).as("it was covered before its bid").hasValue(0);
    }

    @Test
    void aSingleBidNeverSubscribes() {
        holder(provider, "a");
        Bidder.once(provider, "a").granted();

        assertThat(CommandCount.byName(server)).doesNotContainKey("subscribe");
    }

    @Test
    void aWaitThatIsGrantedAtOnceNeverSubscribes() {
        Bidder waiter = Bidder.waiting(provider, "a");
        assertThat(waiter.granted()).isTrue();
        waiter.released();

        assertThat(CommandCount.byName(server)).doesNotContainKey("subscribe");
    }

    @Test
    void handingALockOnSubscribesOnce() {
        Bidder holder = holder(provider, "a");
        for (int i = 0; i < 20; i++) {
            Bidder next = waiter(provider, "a");
            holder.released();
            assertThat(next.granted()).isTrue();
            holder = next;
        }
        assertThat(server.calls("subscribe")).isEqualTo(1);
        assertThat(server.calls("unsubscribe")).isZero();
    }

    @Test
    void onlyABoundedNumberOfChannelsStaySubscribedWhenNobodyWaits() {
        for (int i = 0; i < WakeUps.MOST_IDLE + 20; i++) {
            holder(provider, "lock-" + i);
            waiter(provider, "lock-" + i).released();
        }

        soon().untilAsserted(() ->
                assertThat((List<?>) server.command("PUBSUB", "CHANNELS")).hasSize(WakeUps.MOST_IDLE));
        assertThat(provider.holder("lock-0")).isPresent();
        awaitSignals(waiter(provider, "lock-0"), 1);
    }

    private RedisLockProvider behind(SubscriptionGate gate) {
        return new RedisLockProvider(gate, Layout.HASH, provider.keys(), Subscription.SILENCE);
    }

    @Test
    void aClaimThatEndsBeforeTheConnectionStandsLeavesTheNextOneToSubscribe() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            Bidder holder = holder(provider, "a");
            Bidder hasty = Bidder.waiting(gated, "a");
            assertThat(hasty.granted()).isFalse();
            soon().until(() -> gate.asked.get() == 1);
            hasty.released();
            gate.open();
            soon().until(() -> wakeUpThreadIsIn("getUnflushedObject"));

            Bidder next = waiter(gated, "a");
            awaitSignals(next, 1);
            holder.released();
            awaitSignals(next, 2);
        }
    }

    @Test
    void aClaimThatEndsWhileTheConnectionFailsLeavesTheNextOneToSubscribe() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            Bidder holder = holder(provider, "a");
            Bidder hasty = Bidder.waiting(gated, "a");
            assertThat(hasty.granted()).isFalse();
            soon().until(() -> gate.asked.get() == 1);
            hasty.released();
            gate.open(() -> {
                throw new JedisConnectionException("refused by the test");
            });
            soon().until(() -> wakeUpThreadIsIn("awaitUninterruptibly"));

            gate.open();
            Bidder next = waiter(gated, "a");
            awaitSignals(next, 1);
            holder.released();
            awaitSignals(next, 2);
        }
    }

    private static boolean wakeUpThreadIsIn(String method) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(each -> each.getKey().getName().equals("holdfast-redis-wakeup"))
                .flatMap(each -> Arrays.stream(each.getValue()))
                .anyMatch(frame -> frame.getMethodName().equals(method));
    }

    @Test
    void anErrorInTheWakeUpThreadIsAFailureLikeAnyOther() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        try (RedisLockProvider gated = behind(gate)) {
            holder(provider, "a");
            gate.open(() -> {
                throw new NoClassDefFoundError("thrown by the test");
            });
            gate.open();
            awaitSignals(waiter(gated, "a"), 1);
        }
    }

    @Test
    void closesWhollyAlthoughTheConnectionRefusesToBeCutOff() {
        SubscriptionGate gate = new SubscriptionGate(provider.runner());
        RedisLockProvider gated = behind(gate);
        holder(provider, "a");
        gate.open(() -> new Connection(server.host(), server.port()) {
            @Override
            public void forceDisconnect() throws IOException {
                super.forceDisconnect();
                throw new IOException("thrown by the test");
            }
        });
        waiter(gated, "a");

        gated.close();

        assertThat(wakeUpThreadIsIn("run")).isFalse();
        assertThat(gate.closed).isTrue();
    }

    @Test
    void aLongWaitThatFollowsAVeryShortOneIsWokenByTheRelease() throws Exception {
        String uri = "redis://" + server.host() + ":" + server.port();
        for (int round = 0; round < ROUNDS_OF_SHORT_WAITS; round++) {
            String name = "lock-" + round;
            try (LockClient here = LockClient.connect(uri);
                    LockClient there = LockClient.connect(uri)) {
                LockHandle held = there.lock(name).acquire();
                // The first wait of a client opens its connection, which takes about as long as these waits.
                here.lock("warm").tryAcquire().orElseThrow().release();
                assertThat(here.lock(name).tryAcquire(Duration.ofMillis(1 + round % 5)))
                        .isEmpty();

                CompletableFuture<LockHandle> next = here.lock(name).acquireAsync();
                awaitSubscribers(name, 1, PROMPT);
                held.release();
                next.get(PROMPT.toMillis(), TimeUnit.MILLISECONDS).release();
            }
        }
    }

    @LockRule("7.2")
    @Test
    void killedSubscriptionsComeBackAndWakeEverybodyWhoWaits() {
        Bidder holder = holder(provider, "a");
        Bidder waiter = waiter(provider, "a");
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
        Bidder waiter = waiter(provider, "a");
        awaitSignals(waiter, 1);

        server.restartWithoutData();

        awaitSignals(waiter, 2);
        // The connection that was open before fails once.
        soon().ignoreExceptionsInstanceOf(LockStoreException.class).until(waiter::granted);
    }

    @Test
    void whileTheSubscriptionIsDownWaitingClaimsAskAgainByThemselves() {
        try (RedisServer closed = RedisServer.start();
                RedisLockProvider there = Providers.on(closed, "")) {
            closed.command("ACL", "SETUSER", "default", "resetchannels");
            holder(there, "a");
            Bidder waiter = Bidder.waiting(there, "a");
            assertThat(waiter.refused().retryAfter().orElseThrow()).isGreaterThan(Duration.ofSeconds(20));

            soon().untilAsserted(() -> assertThat(waiter.refused().retryAfter()).hasValue(Duration.ofMillis(500)));
            closed.command("ACL", "SETUSER", "default", "allchannels");
            awaitSignals(waiter, 1);
            assertThat(waiter.refused().retryAfter().orElseThrow()).isGreaterThan(Duration.ofSeconds(1));
        }
    }

    @LockRule("9.6")
    @Test
    void worksOverAGivenClientInBothProtocolsAndNeverClosesIt() {
        for (boolean resp3 : new boolean[] {false, true}) {
            DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder();
            try (RedisClient jedis = RedisClient.builder()
                    .hostAndPort(server.host(), server.port())
                    .clientConfig((resp3 ? config.resp3() : config.resp2()).build())
                    .build()) {
                try (RedisLockProvider given = RedisLockProvider.over(jedis)
                        .layout(Layout.STRING)
                        .prefix("given:")
                        .build()) {
                    Bidder holder = holder(given, "a");
                    assertThat(jedis.get("given:a")).startsWith(holder.id);
                    Bidder waiter = Bidder.waiting(given, "a");
                    waiter.granted();
                    awaitSignals(waiter, 1);
                    holder.released();
                    awaitSignals(waiter, 2);
                    assertThat(waiter.granted()).isTrue();
                    assertThat(waiter.released()).isTrue();
                }
                assertThat(jedis.ping()).isEqualTo("PONG");
                assertThat(jedis.getPool().getNumActive()).isZero();
            }
        }
    }

    @Test
    void aSubscriptionThatHearsNothingIsReplacedWhileSomebodyWaitsAndClosedWhenNobodyDoes() {
        try (RedisLockProvider impatient = impatient(server.port())) {
            holder(impatient, "a");
            Bidder waiter = waiter(impatient, "a");
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
            Bidder holder = holder(provider, "a");
            Bidder waiter = waiter(impatient, "a");
            awaitSignals(waiter, 1);
            proxy.swallow(Direction.REPLIES);
            int before = waiter.mayBeFree.get();
            holder.released();
            long accepted = proxy.accepted();
            soon().until(() -> proxy.accepted() > accepted);
            assertThat(waiter.mayBeFree).hasValue(before);

            proxy.pass(Direction.REPLIES);
            awaitSignals(waiter, before + 1);
        }
    }

    private static RedisLockProvider impatient(int port) {
        return RedisSettings.of(URI.create("redis://127.0.0.1:" + port), ConnectionParameters.of("", Map.of()))
                .open(Duration.ofMillis(300));
    }

    @Test
    void closingLeavesNoConnectionSubscriptionOrThread() {
        List<Bidder> holders = IntStream.range(0, 10)
                .mapToObj(i -> holder(provider, "lock-" + i))
                .toList();
        IntStream.range(0, 10).forEach(i -> waiter(provider, "lock-" + i));
        holders.forEach(Bidder::released);

        provider.close();
        provider.close();

        soon().untilAsserted(() -> {
            assertThat((String) server.command("CLIENT", "LIST")).doesNotContain("name=holdfast");
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("holdfast") || name.startsWith("commons-pool"));
        });
        assertThat(server.command("PUBSUB", "CHANNELS")).isEqualTo(List.of());
    }

    @Test
    void closesPromptlyWhileTheServerIsPaused() {
        holder(provider, "a");
        waiter(provider, "a");
        server.pause();

        long before = System.nanoTime();
        provider.close();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
        server.resume();
    }

    @Test
    void closesPromptlyWhileTheConnectionIsABlackHole() {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port())) {
            RedisLockProvider far = Providers.at("redis://127.0.0.1:" + proxy.port());
            holder(far, "a");
            waiter(far, "a");
            proxy.swallow(Direction.REQUESTS);
            proxy.swallow(Direction.REPLIES);

            long before = System.nanoTime();
            far.close();

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
        }
    }
}
