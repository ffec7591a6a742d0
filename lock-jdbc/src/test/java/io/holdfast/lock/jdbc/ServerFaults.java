package io.holdfast.lock.jdbc;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.parts.Bidder;
import io.holdfast.parts.Waits;
import io.holdfast.servers.DatabaseServer;
import java.time.Duration;

/** What a server that stops does to its clients, whatever they are built on. */
final class ServerFaults {

    private ServerFaults() {}

    /** Pauses the server during a bid, which has to fail within a time; afterwards all is well again. */
    static void assertAPauseFailsTheCall(LockProvider provider, DatabaseServer server, String name, Duration within) {
        assertWorksAgain(provider, name);
        // A bid that the server reads when it goes on is granted after all; the engine releases such a claim.
        Bidder bidder = Bidder.once(provider, "paused-" + name);
        long before = System.nanoTime();
        server.pause();
        try {
            assertFails(bidder::granted, name);
        } finally {
            server.resume();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(within);
        assertWorksAgain(provider, name);
    }

    /** Kills the server while a lock is held: it still is after the restart, and its token is lower than the next. */
    static void assertLocksAndTokensSurviveACrash(LockProvider provider, DatabaseServer server, String name) {
        Bidder holder = Bidder.once(provider, name);
        long token = holder.token();
        server.kill();
        assertFails(holder::held, name);
        server.restart();
        Waits.answered().until(holder::held);
        assertThat(holder.token()).isEqualTo(token);
        Bidder rival = Bidder.once(provider, name);
        assertThat(rival.granted()).isFalse();
        assertThat(holder.released()).isTrue();
        assertThat(rival.token()).isGreaterThan(token);
        assertThat(rival.released()).isTrue();
    }
}
