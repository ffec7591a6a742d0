package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** The supported versions of Redisson. The profile {@code full} runs this, and a core of the tests, with older ones. */
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

    /** All versions before 4.0 have it there, and later ones look there, too. */
    @Test
    @Tag("server")
    void nameMapperOfTheServersIsRespected() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            Config config = Redissons.config(server.port());
            // The package of the interface has changed in 4.0.
            Class<?> type = BaseConfig.class.getMethod("getNameMapper").getReturnType();
            SingleServerConfig.class.getMethod("setNameMapper", type).invoke(config.useSingleServer(), prefixing(type));
            RedissonClient redisson = Redisson.create(config);
            try (RedissonLockProvider provider =
                    RedissonLockProvider.over(redisson).build()) {
                TestClaim claim = TestClaim.once(provider, "a");
                assertThat(claim.granted()).isTrue();
                assertThat(server.command("EXISTS", "app:a")).isEqualTo(1L);
                assertThat(redisson.getLock("a").tryLock()).isFalse();
                assertThat(claim.held()).isTrue();
                assertThat(claim.released()).isTrue();
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
