package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProviderFactory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.Map;
import java.util.ServiceLoader;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.RedisClient;

class RedisUriTest {

    @ParameterizedTest
    @CsvSource({
        "redis://localhost, localhost:6379, 0, , ",
        "redis://localhost/, localhost:6379, 0, , ",
        "redis://my_redis:7000/3, my_redis:7000, 3, , ",
        "redis://[::1]:7000/15, [::1]:7000, 15, , ",
        "redis://:secret@h?, h:6379, 0, , secret",
        "REDIS://ann:a%2Fb@h/1000000, h:6379, 1000000, ann, a/b",
    })
    void readsAnAddress(String uri, String server, int database, String user, String password) {
        RedisAddress address = RedisAddress.of(URI.create(uri), ConnectionParameters.of("", Map.of()));

        assertThat(address.server()).hasToString(server);
        assertThat(address.database()).isEqualTo(database);
        assertThat(address.server().user().orElse(null)).isEqualTo(user);
        assertThat(address.server().password().orElse(null)).isEqualTo(password);
        assertThat(address.tls()).isFalse();
        assertThat(address.toString()).doesNotContain("secret").doesNotContain("a/b");
    }

    @Test
    void theSchemeChoosesTls() {
        assertThat(RedisAddress.of(URI.create("rediss://h"), ConnectionParameters.of("", Map.of()))
                        .tls())
                .isTrue();
        assertThat(ServiceLoader.load(LockProviderFactory.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(RedisLockProviderFactory.class::isInstance)
                        .findFirst()
                        .orElseThrow()
                        .schemes())
                .containsExactlyInAnyOrder(
                        "redis", "rediss", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis:localhost | no host",
                "redis://h:65536 | port of the Redis URI is '65536'",
                "redis://h/x | database of the Redis URI is 'x'; allowed are whole numbers from 0 to 1000000",
                "redis://h/-1 | database of the Redis URI is '-1'; allowed are whole numbers from 0 to 1000000",
                "redis://h// | database of the Redis URI is '/'; allowed are whole numbers from 0 to 1000000",
                "redis://h/1/ | database of the Redis URI is '1/'; allowed are whole numbers from 0 to 1000000",
                "redis://h/1000001 | database of the Redis URI is '1000001'; allowed are whole numbers from 0 to 1000000",
                "redis://h?a=1&&b=2 | name=value",
                "redis://h?& | name=value",
                "redis://h?timeout | parameter 'timeout' has no value; allowed is name=value",
                "redis://h?prefix=%ff | not percent-encoded well",
                "redis://ann@h | The user has no password",
                "redis://h/1/2 | database of the Redis URI is '1/2'; allowed are whole numbers from 0 to 1000000",
                "redis://topsecret@h | :password@host",
                "redis://h?failover=1s | parameter 'failover' is unknown",
                "redis://h?db=1 | parameter 'db' is unknown",
                "redis-sentinel://h | no name of a master; allowed is redis-sentinel://",
                "redis-sentinel://h,/m | no host",
                "redis-sentinel://h/m?failover=11m | 'failover' is '11m'; allowed are 0h to 10m",
                "redis-sentinel://h/m?db=x | 'db'",
                "redis-sentinel://h/m?sentinelUser=ann | 'sentinelUser' stands without 'sentinelPassword'",
                "redis://h?timeout=0ms | 'timeout' is '0ms'; allowed are 1ms to 10m",
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
        assertThatThrownBy(() -> RedisProviders.at(uri))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://ann:topsecret@h?poolSize=x",
                "redis://ann:7/topsecret@h",
                "redis://topsecret@h",
            })
    void neverRepeatsAPassword(String uri) {
        assertThatThrownBy(() -> RedisProviders.at(uri)).satisfies(failure -> {
            for (Throwable each = failure; each != null; each = each.getCause()) {
                assertThat(each.toString()).doesNotContain("topsecret");
            }
        });
    }

    @Test
    void aPropertyWinsOverTheUriAndNothingShowsIt() {
        try (RedisLockProvider provider =
                RedisProviders.at("redis://ann:wrong@h", Map.of("user", "bob", "password", "topsecret"))) {
            assertThat(provider.toString()).doesNotContain("topsecret").doesNotContain("wrong");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://ann:s3cr3t@h",
                "REDIS://ann:s3cr3t@h",
                "rediss://:s3cr3t@h",
                "redis://h?user=ann&password=s3cr3t",
                "redis://h?password=s3cr3t&x=y",
                "redis://ann:s3cr3t@h?x=y",
                "redis://s3cr3t@h",
                "redis:ann:s3cr3t@h",
                "redis:/ann:s3cr3t@h",
                "redis://ann:s3cr3t",
                "redis://ann:s3cr3t:6379",
                "redis://ann:s3cr3t,x",
                "redis://ann:s3cr3t@",
                "redis://ann:s3cr3t@:6379",
                "redis://ann:s3cr3t@a,b",
                "redis://ann:s3cr3t@h:x",
                "redis://ann:s3cr3t@h/x",
                "redis://ann:s3cr3t@h?lease=5",
                "redis://ann:x?s3cr3t@h",
                "redis://ann:x?s3cr3t=@h",
                "redis://ann:7?poolSize=s3cr3t@h",
                "redis://ann:x#s3cr3t@h",
                "redis://ann:7#s3cr3t@h",
                "redis://ann:x/s3cr3t@h",
                "redis://ann:7/s3cr3t@h",
                "redis://ann:x@s3cr3t@h",
                "redis://ann:x:s3cr3t@h",
                "redis://ann:x s3cr3t@h",
                "redis://ann:s3cr3t%zz@h",
                "redis://ann:s3cr3t%ff@h",
                "redis://s3cr3t!/y@h",
                "redis://:s3cr3t/@h",
                "redis-sentinel://ann:s3cr3t@h,i/m",
                "redis-sentinel://ann:s3cr3t@h,i",
                "redis-sentinel://ann:x/s3cr3t@h/m",
                "redis-sentinel://h/m?sentinelPassword=s3cr3t",
                "redis-sentinel://h/m?sentinelPassword=s3cr3t&x=y",
                "rediss://h?trustStorePassword=s3cr3t&trustStore=/none",
                "rediss://h?keyStorePassword=s3cr3t&keyStore=/none",
            })
    void aClientShowsNoPasswordNorDoesTheErrorInItsPlace(String uri) {
        LockClient.Builder builder;
        try {
            builder = LockClient.builder(uri);
            assertThat(builder).asString().doesNotContain("s3cr3t");
            try (LockClient client = builder.build()) {
                assertThat(client).asString().doesNotContain("s3cr3t");
            }
        } catch (LockConfigurationException failure) {
            StringWriter texts = new StringWriter();
            failure.printStackTrace(new PrintWriter(texts, true));
            assertThat(texts.toString()).doesNotContain("s3cr3t");
        }
    }

    @Test
    void nullIsRefusedAtOnceAndTheParameterIsNamed() {
        RedisLockProviderFactory factory = new RedisLockProviderFactory();
        refuses("uri", () -> factory.create(null, ConnectionParameters.of("", Map.of())));
        refuses("parameters", () -> factory.create(URI.create("redis://h"), null));
        refuses("client", () -> RedisLockProvider.over(null));
        try (RedisClient client = RedisClient.create("redis://127.0.0.1:1")) {
            refuses("chosen", () -> RedisLockProvider.over(client).layout(null));
            refuses("prefix", () -> RedisLockProvider.over(client).prefix(null));
        }
    }

    private static void refuses(String parameter, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(parameter);
    }

    @Test
    void makingAProviderDoesNotConnect() {
        RedisProviders.at("redis://127.0.0.1:1").close();
    }
}
