package io.holdfast.examples.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.spi.ServerAddress;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kit cannot show: what memcached's clock, its memory and its connections do to locks. */
class MemcachedTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LATE = Duration.ofMillis(990);

    private final AtomicLong nanoseconds = new AtomicLong();
    private final MemcachedServer server = MemcachedServer.start(new MemcachedClock(nanoseconds::get));
    private final MemcachedProvider provider = provider(server.port(), Duration.ofSeconds(5));

    @AfterEach
    void close() {
        provider.close();
        server.close();
    }

    @Test
    void theBackendIsFoundByItsScheme() throws InterruptedException {
        String uri = "memcached://127.0.0.1:" + server.port() + "?prefix=a:&timeout=5s";
        try (LockClient client = LockClient.connect(uri);
                LockClient other = LockClient.connect(uri);
                LockHandle held = client.lock("a lock").acquire()) {
            assertThat(held.isHeld()).isTrue();
            assertThat(other.lock("a lock").tryAcquire()).isEmpty();
            assertThat(other.holder("a lock"))
                    .hasValueSatisfying(holder -> assertThat(holder.pid())
                            .hasValue(ProcessHandle.current().pid()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "memcached://host/0, The memcached URI has a path",
        "memcached://user:secret@host, The memcached URI has a user or a password",
        "memcached://host?prefix=a%20b, 'The parameter ''prefix'' is ''a b''; allowed are 1 to 64 letters'",
        "memcached://host?timeout=1ms, allowed are 10ms to 1m",
        "memcached://host?retries=3, The parameter 'retries' is unknown",
    })
    void aWrongUriIsRefused(String uri, String message) {
        assertThatExceptionOfType(LockConfigurationException.class)
                .isThrownBy(() -> LockClient.connect(uri))
                .withMessageContaining(message)
                .withMessageNotContaining("secret");
    }

    /** At each place in the second, and where the server's count misses one; also if its timer was late by most of a second. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 500, 999, 1000, 1427, 1428, 1429})
    void anItemOutlivesItsLease(long seconds) {
        for (long millis = 0; millis < 1000; millis += 111) {
            nanoseconds.set(TimeUnit.SECONDS.toNanos(seconds) + TimeUnit.MILLISECONDS.toNanos(millis));
            Claim claim = claim(SECOND);
            assertThat(claim.attempt()).isInstanceOf(Attempt.Granted.class);

            nanoseconds.addAndGet(SECOND.plus(LATE).toNanos());

            assertThat(provider.holder("a lock")).isPresent();
            assertThat(claim.release()).isEqualTo(Release.RELEASED);
        }
    }

    @Test
    void anItemOutlivesItsLeaseByFourSecondsAtMost() {
        assertThat(claim(Duration.ofMillis(1)).attempt()).isInstanceOf(Attempt.Granted.class);

        nanoseconds.addAndGet(TimeUnit.MILLISECONDS.toNanos(4_004));

        assertThat(claim(SECOND).attempt()).isInstanceOf(Attempt.Granted.class);
    }

    @Test
    void aRepeatedAttemptBeginsTheLeaseAnew() {
        Claim claim = claim(SECOND);
        claim.attempt();
        nanoseconds.addAndGet(SECOND.multipliedBy(2).toNanos());

        assertThat(claim.attempt()).isInstanceOf(Attempt.Granted.class);

        nanoseconds.addAndGet(SECOND.multipliedBy(2).plusMillis(500).toNanos());
        assertThat(provider.holder("a lock")).isPresent();
    }

    @Test
    void aLeaseOfMoreThanThirtyDaysIsADateOfTheServer() {
        Claim claim = claim(Duration.ofDays(365));
        assertThat(claim.attempt()).isInstanceOf(Attempt.Granted.class);

        nanoseconds.addAndGet(TimeUnit.DAYS.toNanos(365));
        assertThat(provider.holder("a lock")).isPresent();

        nanoseconds.addAndGet(TimeUnit.SECONDS.toNanos(6));
        assertThat(provider.holder("a lock")).isEmpty();
    }

    @Test
    void aFlushEndsALockAndItsHolderIsToldByTheNextRenewal() {
        Claim claim = claim(SECOND);
        long token = token(claim.attempt());

        say("flush_all");

        assertThat(claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
        assertThat(claim.release()).isEqualTo(Release.NOT_HELD);
        assertThat(token(claim(SECOND).attempt())).isGreaterThan(token);
    }

    @Test
    void aRestartEndsLocksAndBeginsTheTokensAnew() {
        Claim first = claim(SECOND);
        first.attempt();
        first.release();
        long token = token(claim(SECOND).attempt());

        try (MemcachedServer another = MemcachedServer.start();
                MemcachedProvider there = provider(another.port(), Duration.ofSeconds(5))) {
            Claim later = there.newClaim(request(SECOND), new Silent());
            assertThat(token(later.attempt())).isLessThan(token);
        }
    }

    @Test
    void theHighestTokenIsAboveEveryToken() {
        long token = token(claim(SECOND).attempt());

        assertThat(provider.highestToken()).isGreaterThan(token);
    }

    @Test
    void whatSomebodyElseWroteIsAnErrorAndNoFreeLock() {
        say("set " + provider.key("a lock") + " 0 0 5", "hello");

        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> claim(SECOND).attempt())
                .withMessageContaining("no record of a lock");
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> provider.holder("a lock"));
    }

    @Test
    void aConnectionThatTheServerHasClosedIsNoFailure() {
        Claim claim = claim(SECOND);
        claim.attempt();

        server.closeConnections();

        assertThat(claim.renew()).isInstanceOf(Renewal.Held.class);
    }

    @Test
    void aClosedProviderLeavesNoConnection() {
        provider.holder("a lock");
        assertThat(server.connections()).isEqualTo(1);

        provider.close();

        await("the end of the connection").atMost(Duration.ofSeconds(20)).until(() -> server.connections() == 0);
    }

    @Test
    void aLostReplyToARemovalIsUnknownAndNotAnswered() {
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                MemcachedProvider through = provider(proxy.port(), Duration.ofSeconds(5))) {
            Claim claim = through.newClaim(request(SECOND), new Silent());
            claim.attempt();
            between(proxy, proxy::dropNextReply);

            assertThatExceptionOfType(LockStoreException.class).isThrownBy(claim::release);
            assertThat(provider.holder("a lock")).isEmpty();
        }
    }

    @Test
    void aReleaseThatIsOvertakenFreesNoLockOfAnother() {
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                MemcachedProvider through = provider(proxy.port(), Duration.ofSeconds(5))) {
            Claim late = through.newClaim(request(SECOND), new Silent());
            late.attempt();
            Claim next = claim(SECOND);
            between(proxy, () -> handOverTo(next));

            assertThat(late.release()).isEqualTo(Release.NOT_HELD);
            assertThat(next.renew()).isInstanceOf(Renewal.Held.class);
        }
    }

    @Test
    void aRenewalThatIsOvertakenIsLost() {
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                MemcachedProvider through = provider(proxy.port(), Duration.ofSeconds(5))) {
            Claim late = through.newClaim(request(SECOND), new Silent());
            late.attempt();
            Claim next = claim(SECOND);
            between(proxy, () -> handOverTo(next));

            assertThat(late.renew()).isInstanceOf(Renewal.Lost.class);
            assertThat(next.renew()).isInstanceOf(Renewal.Held.class);
        }
    }

    /** The server may have been restarted by that, and then counts from one again. */
    @Test
    void aNumberIsNotUsedOnAnotherConnection() {
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                MemcachedProvider through = provider(proxy.port(), Duration.ofSeconds(5))) {
            Claim claim = through.newClaim(request(SECOND), new Silent());
            claim.attempt();
            between(proxy, server::closeConnections);

            assertThatExceptionOfType(LockStoreException.class).isThrownBy(claim::release);
            assertThat(provider.holder("a lock")).isPresent();
        }
    }

    @Test
    void aSilentServerIsAnErrorWithinTheTimeout() {
        try (TcpProxy proxy = TcpProxy.to("127.0.0.1", server.port());
                MemcachedProvider through = provider(proxy.port(), Duration.ofMillis(200))) {
            proxy.swallow(Direction.REPLIES);
            long start = System.nanoTime();

            assertThatExceptionOfType(LockStoreException.class)
                    .isThrownBy(() -> through.holder("a lock"))
                    .withMessageStartingWith("memcached at 127.0.0.1:" + proxy.port() + " failed: ");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void theRecordKeepsWhatItIsGiven() {
        ClaimRequest.Claimant claimant = new ClaimRequest.Claimant("höst", -1, "a thread\r\nEND +%");
        ClaimRequest request =
                new ClaimRequest("\u0001 \n", "claim", "owner / ö", SECOND, ClaimRequest.Intent.TRY_ONCE, claimant);
        provider.newClaim(request, new Silent()).attempt();

        assertThat(provider.holder("\u0001 \n")).hasValueSatisfying(holder -> {
            assertThat(holder.owner()).isEqualTo("owner / ö");
            assertThat(holder.host()).hasValue("höst");
            assertThat(holder.thread()).hasValue("a thread\r\nEND +%");
        });
    }

    /** Does something between the first reply and what the client sends next. */
    private static void between(TcpProxy proxy, Runnable what) {
        proxy.changeReplies(reply -> {
            proxy.changeReplies(same -> same);
            what.run();
            return reply;
        });
    }

    /** Takes the lock from its holder as the end of its lease would. */
    private void handOverTo(Claim next) {
        say("delete " + provider.key("a lock"));
        assertThat(next.attempt()).isInstanceOf(Attempt.Granted.class);
    }

    private void say(String... lines) {
        try (MemcachedConsole console = MemcachedConsole.of(server)) {
            console.say(lines);
        }
    }

    private Claim claim(Duration lease) {
        return provider.newClaim(request(lease), new Silent());
    }

    private static ClaimRequest request(Duration lease) {
        ClaimRequest.Claimant claimant = new ClaimRequest.Claimant("host", 1, "thread");
        String id = UUID.randomUUID().toString();
        return new ClaimRequest("a lock", id, id, lease, ClaimRequest.Intent.TRY_ONCE, claimant);
    }

    private static long token(Attempt attempt) {
        return ((Attempt.Granted) attempt).fencingToken().orElseThrow().value();
    }

    private static MemcachedProvider provider(int port, Duration timeout) {
        return new MemcachedProvider(
                new ServerAddress(Optional.empty(), Optional.empty(), "127.0.0.1", port), "test:", timeout);
    }

    /** Memcached tells nothing by itself. */
    private static final class Silent implements ClaimSignals {
        @Override
        public void mayBeFree() {
            throw new AssertionError("nothing can have told that the lock is free");
        }

        @Override
        public void lost(LossCause cause) {
            throw new AssertionError("nothing can have told that the lock is lost");
        }
    }
}
