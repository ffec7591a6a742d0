package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.parts.Refusals;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.DatabaseServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What a stopped server does to its clients, the same for all providers. */
final class DatabaseOutages {

    private static final Duration BRIEFLY = Duration.ofMillis(500);

    /** Longer than an outage, also on a slow machine. */
    private static final Duration LONG_LEASE = Duration.ofMinutes(2);

    private DatabaseOutages() {}

    /** Pauses the server during an attempt, which has to fail in time; afterwards all works again. */
    static void assertPauseFailsTheCall(LockProvider provider, DatabaseServer server, String name, Duration within) {
        assertWorksAgain(provider, name);
        // The server may grant the attempt when it goes on; the engine releases such a claim.
        TestClaim claim = TestClaim.once(provider, "paused-" + name);
        Duration taken;
        server.pause();
        try {
            long before = System.nanoTime();
            assertFails(claim::granted, name);
            taken = Duration.ofNanos(System.nanoTime() - before);
        } finally {
            server.resume();
        }
        assertThat(taken).isLessThan(within);
        assertWorksAgain(provider, name);
    }

    static Fault pause(DatabaseServer server) {
        return new Fault(server::pause, server::resume);
    }

    /** Only missing answers show the outage. A waiter behind another must not rely on an older answer. */
    static void assertWaitersFailWhile(Fault outage, LockProvider provider, LockProvider other, String name)
            throws InterruptedException {
        Refusals refusals = new Refusals();
        try (LockClient client = LockClient.builder(provider).listener(refusals).build()) {
            TestClaim holder = TestClaim.once(other, name, LONG_LEASE);
            assertThat(holder.granted()).isTrue();
            CompletableFuture<LockHandle> first = client.lock(name).acquireAsync();
            refusals.await(1);
            assertThat(client.lock(name).tryAcquire(BRIEFLY)).isEmpty();

            outage.begin().run();
            try {
                for (int call = 0; call < 3; call++) {
                    assertThatThrownBy(() -> client.lock(name).tryAcquire(BRIEFLY))
                            .isInstanceOf(LockStoreException.class);
                }
            } finally {
                outage.end().run();
            }
            Waits.soon().until(first::isDone);
            assertThat(first).isCompletedExceptionally();
            Waits.answered().until(holder::released);
        }
    }

    /**
     * Kills the server while a lock is held: after the restart the lock is held, and the next token is greater than its own and
     * than what the tokens were raised to.
     */
    static void assertLocksAndTokensSurviveCrash(LockProvider provider, DatabaseServer server, String name) {
        TestClaim holder = TestClaim.once(provider, name, LONG_LEASE);
        long token = holder.token();
        long raised = token + 1_000_000_000_000L;
        provider.raiseTokens(raised);
        server.kill();
        assertFails(holder::held, name);
        server.restart();
        Waits.answered().until(holder::held);
        assertThat(holder.token()).isEqualTo(token);
        TestClaim rival = TestClaim.once(provider, name);
        assertThat(rival.granted()).isFalse();
        assertThat(holder.released()).isTrue();
        assertThat(rival.token()).isGreaterThan(raised);
        assertThat(rival.released()).isTrue();
    }
}
