package io.holdfast.lock.redisson;

import io.holdfast.lock.LockConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.config.BaseConfig;
import org.redisson.config.Config;

/**
 * The differences between the supported versions of Redisson. The code is compiled against the newest; what others have
 * elsewhere, or lack, is looked up by name here.
 */
final class RedissonVersion {

    private static final String SUPPORTED = "3.27 to 3.52 and 4.0 to 4.7";

    /** New in Redisson 3.27, and used by its own classes, so that no tool removes it from a jar. */
    private static final String SINCE_3_27 = "org.redisson.api.listener.TrackingListener";

    private static final String PROPERTIES = "/META-INF/maven/org.redisson/redisson/pom.properties";

    private RedissonVersion() {}

    /**
     * How a client maps the names of its objects.
     *
     * @param map from name to key
     * @param unmap from key to name
     */
    record Mapping(UnaryOperator<String> map, UnaryOperator<String> unmap) {}

    /**
     * To be called before any other use of Redisson.
     *
     * @throws LockConfigurationException if Redisson is too old
     */
    static void requireSupported() {
        try {
            Class.forName(SINCE_3_27, false, Redisson.class.getClassLoader());
        } catch (ClassNotFoundException tooOld) {
            throw unknownVersion(tooOld);
        }
    }

    /**
     * The version, for messages only: it may be missing if an application has Redisson in its own jar, whose manifest is the
     * application's.
     */
    static String found() {
        Properties properties = new Properties();
        try (InputStream stream = Redisson.class.getResourceAsStream(PROPERTIES)) {
            if (stream != null) {
                properties.load(stream);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("The jar of Redisson cannot be read", broken);
        }
        return properties.getProperty("version", "of an unknown version");
    }

    /**
     * The mapping that a client uses. Before 4.0 that of its servers. Since then that of the {@link Config}, else that of the
     * servers; an instance of Redisson's {@code DefaultNameMapper}, or of a subclass, is ignored.
     */
    static Mapping mapping(Config config) {
        Optional<Object> ofServers = get(servers(config), "getNameMapper");
        if (get(config, "getNameMapper").isEmpty()) {
            return mapping(ofServers.orElseThrow());
        }
        return Stream.of(get(config, "getNameMapper"), ofServers)
                .flatMap(Optional::stream)
                .filter(mapper -> !defaultMapper().isInstance(mapper))
                .findFirst()
                .map(RedissonVersion::mapping)
                .orElseGet(() -> new Mapping(UnaryOperator.identity(), UnaryOperator.identity()));
    }

    private static Mapping mapping(Object mapper) {
        return new Mapping(direction("map", mapper), direction("unmap", mapper));
    }

    private static Class<?> defaultMapper() {
        try {
            Class<?> type = mapperType();
            return Class.forName(type.getPackageName() + ".DefaultNameMapper", false, type.getClassLoader());
        } catch (ReflectiveOperationException unknown) {
            throw unknownVersion(unknown);
        }
    }

    /** The interface, whose package depends on the version. */
    private static Class<?> mapperType() throws NoSuchMethodException {
        return BaseConfig.class.getMethod("getNameMapper").getReturnType();
    }

    private static UnaryOperator<String> direction(String name, Object mapper) {
        try {
            // Of the interface: the class may not be public.
            Method method = mapperType().getMethod(name, String.class);
            return text -> (String) call(method, mapper, text);
        } catch (NoSuchMethodException unknown) {
            throw unknownVersion(unknown);
        }
    }

    /** Whether locks publish to sharded channels: in a cluster, unless that is switched off, which 3.30 and newer can. */
    static boolean publishesToShards(Config config) {
        return config.isClusterConfig()
                && get(servers(config), "getShardedSubscriptionMode")
                        .filter(mode -> mode.toString().equals("OFF"))
                        .isEmpty();
    }

    /** Whether there is a class in {@code org.redisson.config}. */
    static boolean has(String simpleName) {
        return Redisson.class.getResource("config/" + simpleName + ".class") != null;
    }

    /** Calls a setter of {@link Config}, where it is in 4.0 and newer, or of the servers' part, where it was before. */
    static void set(Config config, String setter, Object value) {
        Object target = Stream.of(config, servers(config))
                .filter(part -> setter(part, setter).isPresent())
                .findFirst()
                .orElseThrow();
        call(setter(target, setter).orElseThrow(), target, value);
    }

    private static Optional<Method> setter(Object part, String name) {
        return Arrays.stream(part.getClass().getMethods())
                .filter(each -> each.getName().equals(name) && each.getParameterCount() == 1)
                .findFirst();
    }

    private static Optional<Object> get(Object target, String getter) {
        return Arrays.stream(target.getClass().getMethods())
                .filter(each -> each.getName().equals(getter) && each.getParameterCount() == 0)
                .findFirst()
                .map(method -> call(method, target));
    }

    /** Without side effect on a complete configuration. */
    private static BaseConfig<?> servers(Config config) {
        if (config.isSingleConfig()) {
            return config.useSingleServer();
        }
        if (config.isClusterConfig()) {
            return config.useClusterServers();
        }
        if (config.isSentinelConfig()) {
            return config.useSentinelServers();
        }
        try {
            return config.useMasterSlaveServers();
        } catch (IllegalStateException others) {
            return config.useReplicatedServers();
        }
    }

    private static Object call(Method method, Object target, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failure) {
            if (failure.getCause() instanceof RuntimeException thrown) {
                throw thrown;
            }
            throw unknownVersion(failure);
        } catch (IllegalAccessException failure) {
            throw unknownVersion(failure);
        }
    }

    private static LockConfigurationException unknownVersion(ReflectiveOperationException failure) {
        return new LockConfigurationException(
                "The Redisson of the application is " + found() + "; allowed are " + SUPPORTED, failure);
    }
}
