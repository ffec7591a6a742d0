package io.holdfast.parts;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.letPass;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** What every backend on a Redis server has to do when that server fails. */
public final class RedisFaults {

    private RedisFaults() {}

    /**
     * Asserts that a lock is held with a token.
     *
     * @param provider the provider
     * @param token the token of the holder of lock {@code a}
     */
    public static void assertHolderHas(LockProvider provider, long token) {
        assertThat(provider.holder("a")
                        .orElseThrow()
                        .fencingToken()
                        .orElseThrow()
                        .value())
                .isEqualTo(token);
    }

    /**
     * All calls but the release, each of which succeeds on a server that works.
     *
     * @param provider the provider
     * @param holder the holder of lock {@code a}
     * @return the calls, with assertions
     */
    public static List<Runnable> calls(LockProvider provider, TestClaim holder) {
        return List.of(
                () -> assertWorks(provider),
                () -> assertThat(provider.holder("a")).isPresent(),
                () -> assertThat(TestClaim.once(provider, "a").granted()).isFalse(),
                () -> assertThat(holder.held()).isTrue(),
                () -> assertThat(provider.renewAll(List.of(holder.claim)))
                        .singleElement()
                        .isInstanceOf(Renewal.Held.class));
    }

    /**
     * Asserts that a lock is still held after a crash.
     *
     * @param server a server that keeps its data
     * @param provider a provider over it
     * @param whileDown asserts more about the holder while the server is down
     */
    public static void assertLockSurvivesACrash(
            RedisServer server, LockProvider provider, Consumer<TestClaim> whileDown) {
        TestClaim holder = TestClaim.once(provider, "a");
        long token = holder.token();
        server.kill();
        assertFails(holder::held, "renewal of lock 'a'", "127.0.0.1:" + server.port());
        whileDown.accept(holder);

        server.restart();

        answered().until(holder::held);
        assertThat(TestClaim.once(provider, "a").granted()).isFalse();
        assertHolderHas(provider, token);
        assertThat(holder.released()).isTrue();
    }

    /**
     * Loses a lock with the data of its server.
     *
     * @param server a server
     * @param provider a provider over it
     * @return the token of the lost lock
     */
    public static long loseData(RedisServer server, LockProvider provider) {
        TestClaim holder = TestClaim.once(provider, "a");
        long token = holder.token();

        server.restartWithoutData();

        answered().until(() -> !holder.held());
        assertThat(holder.released()).isFalse();
        return token;
    }

    /**
     * Asserts that a refused connection is reported with its address, and that calls succeed once the server is up.
     *
     * @param server a server
     * @param provider a provider over it
     * @param parts what the failure of an attempt says
     */
    public static void assertRefusedConnectionPasses(RedisServer server, LockProvider provider, String... parts) {
        server.kill();
        assertFails(TestClaim.once(provider, "a")::granted, parts);
        assertFails(() -> provider.holder("a"), "holder of lock 'a'");
        server.restart();

        assertWorks(provider);
    }

    /**
     * Asserts that scripts which the server has forgotten are sent again.
     *
     * @param server a server
     * @param provider a provider over it
     */
    public static void assertForgottenScriptsAreSentAgain(RedisServer server, LockProvider provider) {
        List<TestClaim> mine = List.of(TestClaim.once(provider, "a"), TestClaim.once(provider, "b"));
        List<Claim> claims = mine.stream().map(claim -> claim.claim).toList();
        assertWorks(provider);
        server.command("SCRIPT", "FLUSH");
        assertThat(mine).allMatch(TestClaim::granted);
        assertThat(provider.renewAll(claims)).hasSize(2).allMatch(Renewal.Held.class::isInstance);
        server.command("SCRIPT", "FLUSH");
        assertThat(provider.renewAll(claims)).hasSize(2).allMatch(Renewal.Held.class::isInstance);
        server.command("SCRIPT", "FLUSH");
        assertThat(mine).allMatch(TestClaim::released);
    }

    /**
     * Asserts that a lock is lost on a server that is paused past its lease.
     *
     * @param server a server
     * @param provider a provider over it, whose calls time out within the lease
     * @param lease the lease
     */
    public static void assertLockIsLostDuringAPause(RedisServer server, LockProvider provider, Duration lease) {
        TestClaim holder = TestClaim.once(provider, "a", lease);
        long token = holder.token();
        server.pause();
        assertFails(holder::held, "renewal of lock 'a'", "timed out");
        assertFails(() -> provider.renewAll(List.of(holder.claim)), "renewal of lock 'a'", "timed out");
        letPass(lease.plusMillis(100));
        server.resume();

        answered().until(() -> !holder.held());
        TestClaim next = TestClaim.once(provider, "a");
        assertThat(next.token()).isGreaterThan(token);
        assertThat(holder.released()).isFalse();
        assertThat(next.held()).isTrue();
    }
}
