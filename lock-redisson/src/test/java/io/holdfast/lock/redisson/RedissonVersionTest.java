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

    /** Which is where all versions before 4.0 have it, and where later ones look for it, too. */
    @Test
    @Tag("server")
    void theNameMapperOfTheServersIsRespected() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            Config config = Redissons.config(server.port());
            // The interface is in one package before 4.0, and in another one since.
            Class<?> type = BaseConfig.class.getMethod("getNameMapper").getReturnType();
            SingleServerConfig.class.getMethod("setNameMapper", type).invoke(config.useSingleServer(), prefixing(type));
            RedissonClient redisson = Redisson.create(config);
            try (RedissonLockProvider provider =
                    RedissonLockProvider.over(redisson).build()) {
                TestClaim bidder = TestClaim.once(provider, "a");
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
