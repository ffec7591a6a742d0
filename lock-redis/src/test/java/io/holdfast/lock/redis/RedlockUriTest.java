package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.parts.Providers;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.UnifiedJedis;

class RedlockUriTest {

    private static RedlockLockProvider at(String uri) {
        return (RedlockLockProvider) Providers.open(new RedlockLockProviderFactory(), uri, Map.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redlock://a | servers of Redlock are 1; allowed is an odd number, at least 3",
                "redlock://a,b | servers of Redlock are 2; allowed is an odd number, at least 3",
                "redlock://a,b,c,d | servers of Redlock are 4; allowed is an odd number, at least 3",
                "redlock://a,,c | The Redis URI has no host; allowed is redlock://",
                "redlock://a,b,c/x | database of the Redis URI is 'x'; allowed are whole numbers from 0 to 1000000",
                "redlock://a,b:0,c | port of the Redis URI is '0'",
                "redlock://ann@a,b,c | The user has no password",
                "redlock://a,b,c?timeout=0ms | 'timeout' is '0ms'; allowed are 1ms to 1m",
                "redlock://a,b,c?driftPercent=51 | The parameter 'driftPercent' is '51'; allowed are",
                "redlock://a,b,c?drift=2m | 'drift' is '2m'; allowed are 0h to 1m",
                "redlock://a,b,c?longestLease=0ms | The parameter 'longestLease' is '0ms'; allowed are",
                "redlock://a,b,c?persistence=everysec | allowed are always, none",
                "redlock://a,b,c?layout=hash | 'layout' is unknown",
                "redlock://a,b,c?poolSize=2 | 'poolSize' is unknown",
                "redlock://a,b,c?trustStore=/none | 'trustStore' is unknown",
                "redlocks://a,b,c?trustStore=/none | key store file that can be read",
            })
    void saysWhatIsWrongAndWhatIsAllowed(String uri, String message) {
        assertThatThrownBy(() -> at(uri))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(message);
    }

    @Test
    void strengthOfTokensFollowsThePersistence() {
        try (RedlockLockProvider provider = at("redlock://a,b,c")) {
            assertThat(provider.capabilities().fencing()).isEqualTo(Fencing.CLOCKED);
        }
        try (RedlockLockProvider provider = at("redlock://a,b,c?persistence=always")) {
            assertThat(provider.capabilities().fencing()).isEqualTo(Fencing.STRICT);
        }
    }

    @Test
    void leaseThatIsLongerThanTheLongestIsRefusedUnlessServersForgetNothing() {
        try (RedlockLockProvider provider = at("redlock://a,b,c?longestLease=5s")) {
            assertThatThrownBy(() -> TestClaim.once(provider, "a", Duration.ofSeconds(6)))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("The lease is PT6S, and longestLease is PT5S");
        }
        try (RedlockLockProvider provider = at("redlock://a,b,c?longestLease=5s&persistence=always")) {
            assertThatCode(() -> TestClaim.once(provider, "a", Duration.ofSeconds(6)))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void fewClientsAreRefused() {
        List<UnifiedJedis> none = List.of();
        assertThatThrownBy(() -> RedlockLockProvider.over(none))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("servers of Redlock are 0");
    }
}
