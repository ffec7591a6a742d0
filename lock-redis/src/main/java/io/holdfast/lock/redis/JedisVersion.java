package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import redis.clients.jedis.Protocol;

/** Refuses a Jedis that is too old, which would fail later with a missing class or method. */
final class JedisVersion {

    /** The supported versions, for errors. */
    static final String SUPPORTED = "lock-redis works with Jedis 6.0 to 8";

    /** New in Jedis 6.0, and needed here. */
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
