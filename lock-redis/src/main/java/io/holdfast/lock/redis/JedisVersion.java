package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import redis.clients.jedis.Protocol;

/** Refuses by name a Jedis that is too old, which would fail with a missing class or method later. */
final class JedisVersion {

    /** What to say of versions. */
    static final String SUPPORTED = "lock-redis works with Jedis 6.0 to 8";

    /** What Jedis 6.0 brought, and lock-redis needs. */
    private static final String SINCE_6_0 = "redis.clients.jedis.SslOptions";

    private static final String PROPERTIES = "/META-INF/maven/redis.clients/jedis/pom.properties";

    private JedisVersion() {}

    static void requireSupported() {
        try {
            Class.forName(SINCE_6_0);
        } catch (ClassNotFoundException tooOld) {
            throw new LockConfigurationException("Jedis " + found() + " is too old: " + SUPPORTED, tooOld);
        }
    }

    private static String found() {
        Properties properties = new Properties();
        try (InputStream stream = Protocol.class.getResourceAsStream(PROPERTIES)) {
            if (stream != null) {
                properties.load(stream);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("The jar of Jedis cannot be read", broken);
        }
        return properties.getProperty("version", "of an unknown version");
    }
}
