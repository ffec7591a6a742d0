package io.holdfast.parts;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.servers.CommandCount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A Redis server that can be watched, and cut off, through a proxy. */
public abstract class RedisProxyScene extends RedisServerScene {

    private static final int RENEWALS = 1_000;
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final int CUTS = 3;
    private static final Duration QUIET = Duration.ofMillis(700);

    /** What clients connect to. */
    protected TcpProxy proxy;

    /** For the tests of a backend. */
    protected RedisProxyScene() {}

    @BeforeEach
    void startProxy() {
        proxy = TcpProxy.to(server.host(), server.port());
    }

    @AfterEach
    void stopProxy() {
        proxy.close();
    }

    /**
     * Sets the server's counts of commands to zero.
     *
     * @return the round trips until now
     */
    protected long resetCounts() {
        server.command("CONFIG", "RESETSTAT");
        return proxy.roundTrips();
    }

    /**
     * Asserts what was sent since the last {@link #resetCounts}: each command in a round trip of its own.
     *
     * @param before the round trips before that
     * @param roundTrips how many there may have been since
     */
    protected void assertCost(long before, int roundTrips) {
        assertThat(proxy.roundTrips() - before).isEqualTo(roundTrips);
        assertThat(CommandCount.ofClients(server)).isEqualTo(roundTrips);
    }

    /**
     * Asserts that a claim which certainly holds nothing is released without a request.
     *
     * @param provider a provider that is connected
     */
    protected void assertReleaseOfARefusedClaimCostsNothing(LockProvider provider) {
        TestClaim.once(provider, "a").granted();
        TestClaim refused = TestClaim.once(provider, "a");
        refused.granted();
        refused.granted();
        long before = resetCounts();

        assertThat(refused.released()).isFalse();
        assertThat(TestClaim.once(provider, "a").released()).isFalse();
        assertCost(before, 0);
    }

    /**
     * Renews a thousand locks in batches of 500, of which one was removed.
     *
     * @param provider the provider
     * @param prefix what its keys begin with
     * @return the round trips
     */
    protected long roundTripsOfAThousandRenewals(LockProvider provider, String prefix) {
        List<Claim> claims = IntStream.range(0, RENEWALS)
                // A slow machine needs many seconds for so many.
                .mapToObj(i -> TestClaim.once(provider, "lock-" + i, Duration.ofMinutes(5)))
                .filter(TestClaim::granted)
                .map(claim -> claim.claim)
                .toList();
        server.command("DEL", prefix + "lock-7");
        int batch = provider.renewalBatch();
        assertThat(batch).isEqualTo(RENEWALS / 2);
        // Lets the first batch send the scripts.
        provider.renewAll(claims.subList(0, 1));
        // Replies that come while requests are still being sent would count as further round trips.
        proxy.delay(Direction.REPLIES, Duration.ofMillis(700));
        long before = proxy.roundTrips();

        for (int from = 0; from < claims.size(); from += batch) {
            List<Renewal> renewals = provider.renewAll(claims.subList(from, from + batch));
            assertThat(renewals).filteredOn(Renewal.Lost.class::isInstance).hasSize(from == 0 ? 1 : 0);
            assertThat(renewals).filteredOn(Renewal.Held.class::isInstance).hasSize(from == 0 ? batch - 1 : batch);
        }
        return proxy.roundTrips() - before;
    }

    /**
     * Asserts that waiters survive cuts of all connections, and get their locks.
     *
     * @param holder a client that is not connected through the proxy
     * @param waiting a client that is
     * @param lastFault happens when all waiters are subscribed again, after the cuts
     * @throws Exception if a waiter fails
     */
    protected void assertWaitersOutliveCuts(LockClient holder, LockClient waiting, Runnable lastFault)
            throws Exception {
        List<LockHandle> held = new ArrayList<>();
        for (String name : NAMES) {
            held.add(holder.lock(name).acquire());
        }
        long asked = attempts();
        List<CompletableFuture<LockHandle>> waits = Stream.concat(NAMES.stream(), NAMES.stream())
                .map(name -> waiting.lock(name).acquireAsync())
                .toList();
        for (int round = 1; round <= CUTS; round++) {
            awaitSubscriptions(round, asked);
            asked = attempts();
            // The subscription, and the connections that the waiters will ask on.
            proxy.reset();
        }
        awaitSubscriptions(CUTS + 1, asked);
        lastFault.run();
        assertThat(waits).noneMatch(CompletableFuture::isDone);

        held.forEach(LockHandle::close);

        for (CompletableFuture<LockHandle> wait : waits) {
            wait.get(30, TimeUnit.SECONDS).close();
        }
    }

    /**
     * How many scripts the server was sent: attempts, and now and then a renewal.
     *
     * @return the number
     */
    protected long attempts() {
        return server.calls("evalsha") + server.calls("eval");
    }

    /**
     * Waits until all names were subscribed to so often, and until no attempt is in flight: its outcome would be unknown. Each
     * confirmation has a waiter attempt, perhaps on a connection that is opened again seconds later.
     */
    private void awaitSubscriptions(int times, long askedBefore) {
        int subscribed = NAMES.size() * times;
        soon().until(() -> server.calls("subscribe") >= subscribed);
        soon().until(() -> attempts() >= askedBefore + NAMES.size());
        awaitNoMoreAttempts();
    }

    /** Waits until no attempt came for longer than a waiter pauses between two polls: then the feed listens to all. */
    protected void awaitNoMoreAttempts() {
        AtomicLong last = new AtomicLong(-1);
        soon().pollInterval(QUIET).until(() -> {
            long now = attempts();
            return last.getAndSet(now) == now;
        });
    }
}
