package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.parts.Bidder;
import io.holdfast.servers.RedisServer;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** Which versions of Redisson there are locks with. The profile {@code full} runs it, and a core of the tests, with older ones. */
class RedissonVersionTest {

    private static final String WANTED = System.getProperty("line.version");

    @Test
    void theVersionThatIsTestedIsTheOneThatRuns() {
        assertThat(RedissonVersion.found()).isEqualTo(WANTED);
        assertThat(Redisson.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .endsWith("/redisson-" + WANTED + ".jar");
        assertThatCode(RedissonVersion::requireSupported).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.26.1", "3.9.0", "3.1.0-SNAPSHOT", "2.27.0"})
    void anOlderOneIsRefusedByItsName(String version) {
        assertThatThrownBy(() -> RedissonVersion.requireSupported(version))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll(version, "3.27 to 3.52", "4.0 to");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.27.0", "3.100.0", "4.0.0", "4.8.0-SNAPSHOT", "10.1", "unknown"})
    void anotherOneIsNot(String version) {
        assertThatCode(() -> RedissonVersion.requireSupported(version)).doesNotThrowAnyException();
    }

    /** Which is where all versions before 4.0 have it, and where later ones look for it, too. */
    @Test
    void theNameMapperOfTheServersIsRespected() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            Config config = Redissons.config(server.port());
            // The interface is in one package before 4.0, and in another one since.
            Class<?> type = BaseConfig.class.getMethod("getNameMapper").getReturnType();
            SingleServerConfig.class.getMethod("setNameMapper", type).invoke(config.useSingleServer(), prefixing(type));
            RedissonClient redisson = Redisson.create(config);
            try (RedissonLockProvider provider =
                    RedissonLockProvider.over(redisson).build()) {
                Bidder bidder = Bidder.once(provider, "a");
                assertThat(bidder.granted()).isTrue();
                assertThat(server.command("EXISTS", "app:a")).isEqualTo(1L);
                assertThat(redisson.getLock("a").tryLock()).isFalse();
                assertThat(bidder.held()).isTrue();
                assertThat(bidder.released()).isTrue();
                assertThat(redisson.getLock("a").tryLock()).isTrue();
            } finally {
                redisson.shutdown();
            }
        }
    }

    private static Object prefixing(Class<?> type) {
        String prefix = "app:";
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            String text = (String) arguments[0];
            boolean maps = method.getName().equals("map");
            return maps ? prefix + text : text.substring(text.startsWith(prefix) ? prefix.length() : 0);
        });
    }
}
