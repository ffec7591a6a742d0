package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProviderFactory;
import io.holdfast.parts.StoreAssertions;
import io.holdfast.servers.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.Map;
import java.util.ServiceLoader;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedissonUriTest {

    @ParameterizedTest
    @CsvSource({
        "redisson://localhost, localhost:6379, 0, , ",
        "redisson://localhost/, localhost:6379, 0, , ",
        "redisson://my_redis:7000/3, my_redis:7000, 3, , ",
        "redisson://[::1]:7000/15, [::1]:7000, 15, , ",
        "redisson://:secret@h?, h:6379, 0, , secret",
        "REDISSON://ann:a%2Fb@h/1000000, h:6379, 1000000, ann, a/b",
    })
    void readsAnAddress(String uri, String server, int database, String user, String password) {
        RedissonAddress address = RedissonAddress.of(URI.create(uri), ConnectionParameters.of("", Map.of()));

        assertThat(address.server()).hasToString(server);
        assertThat(address.database()).isEqualTo(database);
        assertThat(address.server().user().orElse(null)).isEqualTo(user);
        assertThat(address.server().password().orElse(null)).isEqualTo(password);
        assertThat(address.tls()).isFalse();
        assertThat(address.toString()).doesNotContain("secret").doesNotContain("a/b");
    }

    @Test
    void theSchemeChoosesTls() {
        assertThat(RedissonAddress.of(URI.create("redissons://h"), ConnectionParameters.of("", Map.of()))
                        .tls())
                .isTrue();
        assertThat(ServiceLoader.load(LockProviderFactory.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(RedissonLockProviderFactory.class::isInstance)
                        .findFirst()
                        .orElseThrow()
                        .schemes())
                .containsExactlyInAnyOrder("redisson", "redissons");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redisson:localhost | no host",
                "redisson://h:65536 | port of the Redisson URI is '65536'",
                "redisson://h/x | database of the Redisson URI is 'x'; allowed are whole numbers from 0 to 1000000",
                "redisson://h/-1 | database of the Redisson URI is '-1'; allowed are whole numbers from 0 to 1000000",
                "redisson://h// | database of the Redisson URI is '/'; allowed are whole numbers from 0 to 1000000",
                "redisson://h/1/ | database of the Redisson URI is '1/'; allowed are whole numbers from 0 to 1000000",
                "redisson://h/1000001 | database of the Redisson URI is '1000001'; allowed are whole numbers from 0 to 1000000",
                "redisson://h?a=1&&b=2 | name=value",
                "redisson://h?& | name=value",
                "redisson://h?timeout | parameter 'timeout' has no value; allowed is name=value",
                "redisson://h?clientName=%ff | not percent-encoded well",
                "redisson://ann@h | The user has no password",
                "redisson://h/1/2 | database of the Redisson URI is '1/2'; allowed are whole numbers from 0 to 1000000",
                "redisson://topsecret@h | :password@host",
                "redisson://h?timeout=0ms | 'timeout' is '0ms'; allowed are 1ms to 10m",
                "redisson://h?timeout=5 | 'timeout'",
                "redisson://h?connectTimeout=1h | 'connectTimeout'",
                "redisson://h?poolSize=0 | 'poolSize'",
                "redisson://h?layout=list | fenced, lock",
                "redisson://h?clientName=a%20b | 'clientName'",
                "redisson://h?colour=red | 'colour' is unknown",
                "redisson://h?trustStore=/none | 'trustStore' is unknown",
                "redissons://h?trustStore=/none/topsecret | key store file that can be read",
                "redissons://h?verify=maybe | ca, full, none",
            })
    void saysWhatIsWrongAndWhatIsAllowed(String uri, String message) {
        assertThatThrownBy(() -> RedissonProviders.at(uri))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redisson://ann:topsecret@h?poolSize=x",
                "redisson://ann:7/topsecret@h",
                "redisson://topsecret@h",
            })
    void neverRepeatsAPassword(String uri) {
        assertThatThrownBy(() -> RedissonProviders.at(uri)).satisfies(failure -> {
            for (Throwable each = failure; each != null; each = each.getCause()) {
                assertThat(each.toString()).doesNotContain("topsecret");
            }
        });
    }

    @Test
    @Tag("server")
    void aPropertyWinsOverTheUriAndNothingShowsIt() {
        try (RedisServer server = RedisServer.start()) {
            server.command("ACL", "SETUSER", "bob", "on", ">topsecret", "~*", "&*", "+@all");
            String uri = "redisson://ann:wrong@127.0.0.1:" + server.port();
            try (RedissonLockProvider provider =
                    RedissonProviders.at(uri, Map.of("user", "bob", "password", "topsecret"))) {
                StoreAssertions.assertWorks(provider);
                assertThat(provider.toString()).doesNotContain("topsecret").doesNotContain("wrong");
            }
            try (RedissonLockProvider provider = RedissonProviders.at(uri, Map.of("user", "bob"))) {
                assertThatThrownBy(() -> StoreAssertions.assertWorks(provider))
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("WRONGPASS")
                        .hasMessageNotContaining("wrong@");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redisson://ann:s3cr3t@h",
                "REDISSON://ann:s3cr3t@h",
                "redissons://:s3cr3t@h",
                "redisson://h?user=ann&password=s3cr3t",
                "redisson://h?password=s3cr3t&x=y",
                "redisson://ann:s3cr3t@h?x=y",
                "redisson://s3cr3t@h",
                "redisson:ann:s3cr3t@h",
                "redisson:/ann:s3cr3t@h",
                "redisson://ann:s3cr3t",
                "redisson://ann:s3cr3t:6379",
                "redisson://ann:s3cr3t,x",
                "redisson://ann:s3cr3t@",
                "redisson://ann:s3cr3t@:6379",
                "redisson://ann:s3cr3t@a,b",
                "redisson://ann:s3cr3t@h:x",
                "redisson://ann:s3cr3t@h/x",
                "redisson://ann:s3cr3t@h?lease=5",
                "redisson://ann:x?s3cr3t@h",
                "redisson://ann:x?s3cr3t=@h",
                "redisson://ann:7?poolSize=s3cr3t@h",
                "redisson://ann:x#s3cr3t@h",
                "redisson://ann:7#s3cr3t@h",
                "redisson://ann:x/s3cr3t@h",
                "redisson://ann:7/s3cr3t@h",
                "redisson://ann:x@s3cr3t@h",
                "redisson://ann:x:s3cr3t@h",
                "redisson://ann:x s3cr3t@h",
                "redisson://ann:s3cr3t%zz@h",
                "redisson://ann:s3cr3t%ff@h",
                "redisson://s3cr3t!/y@h",
                "redisson://:s3cr3t/@h",
                "redissons://h?trustStorePassword=s3cr3t&trustStore=/none",
                "redissons://h?keyStorePassword=s3cr3t&keyStore=/none",
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
        RedissonLockProviderFactory factory = new RedissonLockProviderFactory();
        refuses("uri", () -> factory.create(null, ConnectionParameters.of("", Map.of())));
        refuses("parameters", () -> factory.create(URI.create("redisson://h"), null));
        refuses("redisson", () -> RedissonLockProvider.over(null));
    }

    private static void refuses(String parameter, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(parameter);
    }

    @Test
    void makingAProviderDoesNotConnect() {
        RedissonProviders.at("redisson://127.0.0.1:1").close();
    }
}
