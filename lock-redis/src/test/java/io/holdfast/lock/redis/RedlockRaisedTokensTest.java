package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.Waits.answered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisNodes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Raising the tokens of a majority of servers. */
class RedlockRaisedTokensTest extends RedlockScene {

    /** Ahead of all clocks, so that tokens come from the counters alone. */
    private static final long ABOVE = 8_000_000_000_000_000L;

    /** Than a server's counter after all attempts of a test, also those that found no majority. */
    private static final long HIGHER = ABOVE + 1_000_000;

    @Test
    @Proves("6.7")
    void grantOfAnyMajorityIsAboveTokensThatAnotherOneRaised() {
        RedisNodes servers = nodes(3);
        RedlockLockProvider provider = provider(servers, PATIENT);
        assertThat(TestClaim.once(provider, "known").granted()).isTrue();
        servers.get(2).kill();
        provider.raiseTokens(ABOVE);
        servers.get(2).restart();
        servers.get(0).kill();

        RedlockLockProvider other = provider(servers, PATIENT);
        TestClaim next = TestClaim.once(other, name);
        long token = next.token();
        assertThat(token).isGreaterThan(ABOVE);
        assertThat(next.released()).isTrue();
        servers.get(0).restart();
        servers.get(1).kill();
        RedlockLockProvider third = provider(servers, PATIENT);
        assertThat(third.highestToken()).isEqualTo(token);
        third.raiseTokens(5);
        assertThat(TestClaim.once(third, name).token()).isGreaterThan(token);
    }

    @Test
    void raiseAndLookUpNeedAMajority() {
        RedisNodes servers = nodes(3);
        RedlockLockProvider provider = provider(servers, PATIENT);
        servers.get(0).command("SET", "holdfast:#fence", "apple");
        provider.raiseTokens(ABOVE);
        assertThat(provider.highestToken()).isEqualTo(ABOVE);

        servers.get(1).kill();
        assertFails(() -> provider.raiseTokens(ABOVE), "raise of", "fewer than 2 of 3", "#fence is 'apple'");
        assertFails(provider::highestToken, "look-up of", "fewer than 2 of 3", "#fence is 'apple'");
    }

    @Test
    void raiseAboveTheLimitIsRefused() {
        RedlockLockProvider provider = at("redlock://a,b,c?" + ALWAYS);
        assertThatThrownBy(() -> provider.raiseTokens((1L << 53) - 1))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll("9007199254740991", "9007199254740990");
    }

    /** It has forgotten how high they were. */
    @Test
    void serverThatIsKeptOutIsRaisedButNotAskedHowHighTokensAre() {
        RedisNodes servers = forgetfulNodes(3);
        RedlockLockProvider provider = provider(servers, "longestLease=4s&timeout=5s");
        provider.raiseTokens(ABOVE);
        answered()
                .until(() ->
                        TestClaim.once(provider, name, Duration.ofSeconds(3)).granted());
        servers.get(0).restartWithoutData();
        servers.get(1).kill();
        // The connection to the restarted server may still be opened.
        answered().until(() -> {
            provider.raiseTokens(HIGHER);
            return true;
        });
        assertThat(servers.get(0).command("GET", "holdfast:#fence")).isEqualTo(Long.toString(HIGHER));
        assertFails(provider::highestToken, "fewer than 2 of 3", "it was started lately");
        answered().until(() -> provider.highestToken() == HIGHER);
    }
}
