package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUriTest {

    @ParameterizedTest
    @CsvSource({
        "redis://localhost, localhost, 6379, 0, , ",
        "redis://localhost/, localhost, 6379, 0, , ",
        "redis://my_redis:7000/3, my_redis, 7000, 3, , ",
        "redis://[::1]:7000, ::1, 7000, 0, , ",
        "redis://[fe80::1], fe80::1, 6379, 0, , ",
        "redis://:secret@h, h, 6379, 0, , secret",
        "redis://ann:s%40c%2Fr%3Ae%25t+@h, h, 6379, 0, ann, s@c/r:e%t+",
        "REDIS://ann:a:b@h, h, 6379, 0, ann, a:b",
    })
    void readsAnAddress(String uri, String host, int port, int database, String user, String password) {
        RedisAddress address = RedisAddress.of(URI.create(uri));

        assertThat(address.host()).isEqualTo(host);
        assertThat(address.port()).isEqualTo(port);
        assertThat(address.database()).isEqualTo(database);
        assertThat(address.user().orElse(null)).isEqualTo(user);
        assertThat(address.password().orElse(null)).isEqualTo(password);
        assertThat(address.tls()).isFalse();
        assertThat(address.toString())
                .doesNotContain("secret")
                .doesNotContain("s@c")
                .doesNotContain("a:b");
    }

    @Test
    void theSchemeChoosesTls() {
        assertThat(RedisAddress.of(URI.create("rediss://h")).tls()).isTrue();
        assertThat(ServiceLoader.load(LockProviderFactory.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(RedisLockProviderFactory.class::isInstance)
                        .findFirst()
                        .orElseThrow()
                        .schemes())
                .containsExactlyInAnyOrder("redis", "rediss");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis:localhost | no host",
                "redis:///3 | no host",
                "redis://:topsecret@ | no host",
                "redis://h:0 | port of the Redis URI is 0; allowed are whole numbers from 1 to 65535",
                "redis://h:65536 | port of the Redis URI is 65536",
                "redis://h:seven | port of the Redis URI is no number; allowed are 1 to 65535",
                "redis://h: | port of the Redis URI is no number",
                "redis://h/x | database of the Redis URI is no number",
                "redis://h/-1 | database of the Redis URI is no number",
                "redis://h/1/2 | database of the Redis URI is no number",
                "redis://h#x | fragment",
                "redis://topsecret@h | property 'password'",
                "redis://h?timeout=0ms | 'timeout' is 0 ms; allowed are 1 to 600000 ms",
                "redis://h?timeout=5 | 'timeout'",
                "redis://h?connectTimeout=1h | 'connectTimeout'",
                "redis://h?poolSize=0 | 'poolSize'",
                "redis://h?poolWait=0s | 'poolWait'",
                "redis://h?layout=list | hash, string",
                "redis://h?clientName=a%20b | 'clientName'",
                "redis://h?colour=red | 'colour' is unknown",
                "redis://h?trustStore=/none | 'trustStore' is unknown",
                "rediss://h?trustStore=/none/topsecret | key store file that can be read",
                "rediss://h?verify=maybe | ca, full, none",
            })
    void saysWhatIsWrongAndWhatIsAllowed(String uri, String message) {
        assertThatThrownBy(() -> Providers.at(uri))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:topsecret@h:x",
                "redis://ann:topsecret@h?poolSize=x",
                "redis://ann:topsecret@/1",
                "redis://ann:topsecret?x@h",
                "redis://ann:x?topsecret@h",
                "redis://ann:7?topsecret@h",
                "redis://ann:7/topsecret@h",
                "redis://ann:7#topsecret@h",
            })
    void neverRepeatsAPassword(String uri) {
        assertThatThrownBy(() -> Providers.at(uri)).satisfies(failure -> {
            for (Throwable each = failure; each != null; each = each.getCause()) {
                assertThat(each.toString()).doesNotContain("topsecret");
            }
        });
    }

    @Test
    void aPropertyWinsOverTheUriAndNothingShowsIt() {
        try (RedisLockProvider provider =
                Providers.at("redis://ann:wrong@h", Map.of("user", "bob", "password", "topsecret"))) {
            assertThat(provider.toString()).doesNotContain("topsecret").doesNotContain("wrong");
        }
    }

    @Test
    void makingAProviderDoesNotConnect() {
        Providers.at("redis://127.0.0.1:1").close();
    }
}
