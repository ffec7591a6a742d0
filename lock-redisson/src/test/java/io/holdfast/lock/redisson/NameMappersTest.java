package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** The backend uses the same name mapper as Redisson. */
@Tag("server")
class NameMappersTest {

    private static RedisServer server;
    private static URLClassLoader mappers;

    /** What an application may set. Redisson 4 ignores a {@code DefaultNameMapper}, older versions do not. */
    enum Kind {
        NONE,
        OF_ITS_OWN,
        BELOW_THE_DEFAULT,
        NAMED_LIKE_THE_DEFAULT
    }

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException, URISyntaxException {
        server = RedisServer.start();
        // Compiled here, as the package of their superclass has changed in 4.0.
        String redisson = type().getPackageName();
        Path own = write(folder, "OwnMapper", "implements " + redisson + ".NameMapper");
        Path below = write(folder, "BelowMapper", "extends " + redisson + ".DefaultNameMapper");
        Path named = write(folder, "DefaultNameMapper", "implements " + redisson + ".NameMapper");
        URL jar = type().getProtectionDomain().getCodeSource().getLocation();
        int result = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "-classpath",
                        Path.of(jar.toURI()).toString(),
                        "-d",
                        folder.toString(),
                        own.toString(),
                        below.toString(),
                        named.toString());
        assertThat(result).isZero();
        mappers = new URLClassLoader(new URL[] {folder.toUri().toURL()}, type().getClassLoader());
    }

    @AfterAll
    static void stop() throws IOException {
        mappers.close();
        server.close();
    }

    static Stream<Arguments> settings() {
        return Arrays.stream(Kind.values())
                .flatMap(config -> Arrays.stream(Kind.values()).map(servers -> Arguments.of(config, servers)));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void lockAndRLockExcludeEachOther(Kind ofConfig, Kind ofServers) throws ReflectiveOperationException {
        Config config = Redissons.config(server.port());
        if (ofServers != Kind.NONE) {
            SingleServerConfig.class
                    .getMethod("setNameMapper", type())
                    .invoke(config.useSingleServer(), mapper(ofServers, "servers:"));
        }
        if (ofConfig != Kind.NONE) {
            RedissonVersion.set(config, "setNameMapper", mapper(ofConfig, "config:"));
        }
        String name = ofConfig + "-" + ofServers;
        RedissonClient redisson = Redisson.create(config);
        try (RedissonLockProvider provider = RedissonLockProvider.over(redisson).build()) {
            TestClaim claim = TestClaim.once(provider, name);
            assertThat(claim.granted()).isTrue();
            assertThat(redisson.getLock(name).tryLock()).isFalse();
            assertThat(claim.released()).isTrue();

            assertThat(redisson.getLock(name).tryLock()).isTrue();
            assertThat(TestClaim.once(provider, name).granted()).isFalse();
        } finally {
            redisson.shutdown();
        }
    }

    private static Class<?> type() {
        try {
            return BaseConfig.class.getMethod("getNameMapper").getReturnType();
        } catch (NoSuchMethodException unknown) {
            throw new AssertionError(unknown);
        }
    }

    private static Object mapper(Kind kind, String prefix) throws ReflectiveOperationException {
        String name = switch (kind) {
            case OF_ITS_OWN -> "OwnMapper";
            case BELOW_THE_DEFAULT -> "BelowMapper";
            case NAMED_LIKE_THE_DEFAULT -> "DefaultNameMapper";
            case NONE -> throw new IllegalArgumentException("no mapper");
        };
        return mappers.loadClass("app." + name).getConstructor(String.class).newInstance(prefix);
    }

    private static Path write(Path folder, String name, String supertype) throws IOException {
        String source = """
                package app;
                public class NAME SUPERTYPE {
                    private final String prefix;
                    public NAME(String prefix) {
                        this.prefix = prefix;
                    }
                    @Override
                    public String map(String name) {
                        return prefix + name;
                    }
                    @Override
                    public String unmap(String name) {
                        return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
                    }
                }
                """.replace("NAME", name).replace("SUPERTYPE", supertype);
        return Files.writeString(folder.resolve(name + ".java"), source);
    }
}
