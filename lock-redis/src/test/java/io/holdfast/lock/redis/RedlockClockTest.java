package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Redlock whose servers' clocks are set while a lock is held: they free it too early. */
class RedlockClockTest extends RedlockScene {

    private static final Duration STEP = Duration.ofMinutes(1);

    private final List<TcpProxy> proxies = new ArrayList<>();
    private final List<ShiftedTime> times = new ArrayList<>();
    private String addresses;
    private TestClaim holder;

    @BeforeEach
    void startBehindProxies() {
        nodes = nodes(3);
        addresses = nodes.all().stream()
                .map(server -> closing(TcpProxy.to(server.host(), server.port())))
                .peek(proxy -> {
                    proxies.add(proxy);
                    times.add(new ShiftedTime(proxy));
                })
                .map(proxy -> "127.0.0.1:" + proxy.port())
                .collect(Collectors.joining(","));
        provider = at("redlock://" + addresses + "?" + PATIENT + "&longestLease=4s");
    }

    private void hold(Duration lease) {
        holder = TestClaim.once(provider, name, lease);
        assertThat(holder.granted()).isTrue();
        awaitLockedOnAll();
        awaitReadingsOfAll();
    }

    /** Two answers are enough for a grant. A step shows in a clock only against an earlier reading. */
    private void awaitReadingsOfAll() {
        Waits.soon().until(() -> proxies.stream().allMatch(proxy -> proxy.answers() >= proxy.roundTrips()));
        Waits.letPass(Duration.ofMillis(100));
    }

    /** What the step does to the locks of a server whose clock is set forward, and how its replies change. */
    private void setForward(int node) {
        times.get(node).step(STEP);
        nodes.get(node).command("DEL", KeySpace.DEFAULT_PREFIX + name);
    }

    private boolean isLockedOnAny(int... which) {
        for (int node : which) {
            RedisServer server = nodes.get(node);
            if (isLockedOn(server)) {
                return true;
            }
        }
        return false;
    }

    @Proves({"1.1", "1.6"})
    @Test
    void serversWhoseClocksWereSetForwardGrantNothingForTheLongestLease() {
        hold(Duration.ofSeconds(3));
        setForward(0);
        setForward(1);

        assertThatThrownBy(TestClaim.once(provider, name)::granted)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("its clock went ahead by")
                .hasMessageContaining("it takes part in");
        Waits.soon().until(() -> !isLockedOnAny(0, 1));

        TestClaim later = TestClaim.once(provider, name, Duration.ofSeconds(3));
        Waits.soon().ignoreException(LockStoreException.class).until(later::granted);
        assertThat(holder.held())
                .as("its lease is over, whatever the clocks say")
                .isFalse();
    }

    @Test
    void oneClockStopsNothing() {
        hold(TestClaim.LEASE);
        setForward(2);

        assertThat(TestClaim.once(provider, "other-" + name).granted()).isTrue();
        assertThat(holder.held()).isTrue();
        assertThat(TestClaim.once(provider, name).granted()).isFalse();
    }

    @Test
    void slowAnswersAreNoSteps() {
        hold(TestClaim.LEASE);
        proxies.forEach(proxy -> proxy.delay(Direction.REPLIES, Duration.ofMillis(400)));
        assertThat(holder.held()).isTrue();
        proxies.forEach(proxy -> proxy.pass(Direction.REPLIES));

        assertThat(TestClaim.once(provider, "next-" + name).granted()).isTrue();
        assertThat(TestClaim.once(provider, "last-" + name).granted()).isTrue();
    }

    /** Long before the next renewal. */
    @Proves("8.5")
    @Test
    void holderLearnsOfTheLossWhenAnyCallShowsTheSteps() throws Exception {
        try (LockClient client = LockClient.connect("redlock://" + addresses + "?" + PATIENT + "&lease=1m")) {
            LockHandle held = client.lock("held-" + name).acquire();
            Waits.soon()
                    .until(() -> nodes.all().stream()
                            .allMatch(server -> server.command("EXISTS", "holdfast:held-" + name)
                                    .equals(1L)));
            awaitReadingsOfAll();
            for (int node : new int[] {0, 1}) {
                times.get(node).step(STEP);
                nodes.get(node).command("DEL", "holdfast:held-" + name);
            }
            assertThatThrownBy(() -> client.lock(name + "-other").tryAcquire()).isInstanceOf(LockStoreException.class);

            assertThat(held.lost().toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isEqualTo(LossCause.TAKEN_OVER);
        }
    }
}
