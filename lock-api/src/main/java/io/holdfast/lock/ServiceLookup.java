package io.holdfast.lock;

import io.holdfast.lock.engine.LockEngine;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the engine and the backends. The loader of the calling thread is asked first, as containers expect, and the loader that
 * this class came from if that one knows none.
 */
final class ServiceLookup {

    /** The artifact of this project that brings a scheme. A new backend adds its schemes here. */
    static final Map<String, String> ARTIFACTS = Map.ofEntries(
            Map.entry("memory", "lock-core"),
            Map.entry("migrate", "lock-core"),
            Map.entry("jdbc", "lock-jdbc"),
            Map.entry("jpa", "lock-jdbc"),
            Map.entry("redis", "lock-redis"),
            Map.entry("rediss", "lock-redis"),
            Map.entry("redis-sentinel", "lock-redis"),
            Map.entry("rediss-sentinel", "lock-redis"),
            Map.entry("redis-cluster", "lock-redis"),
            Map.entry("rediss-cluster", "lock-redis"),
            Map.entry("redlock", "lock-redis"),
            Map.entry("redlocks", "lock-redis"),
            Map.entry("redisson", "lock-redisson"),
            Map.entry("redissons", "lock-redisson"),
            Map.entry("zookeeper", "lock-zookeeper"));

    private ServiceLookup() {}

    static LockEngine engine() {
        List<LockEngine> engines = load(LockEngine.class);
        if (engines.isEmpty()) {
            throw new LockConfigurationException(
                    "There is no lock engine on the class path; add the artifact io.holdfast:lock-core");
        }
        if (engines.size() > 1) {
            throw new LockConfigurationException(
                    "There are several lock engines on the class path, allowed is one: " + classNames(engines));
        }
        return engines.get(0);
    }

    static LockProvider provider(ConnectionUri uri, Map<String, String> properties) {
        List<LockProviderFactory> all = load(LockProviderFactory.class);
        List<LockProviderFactory> matching = all.stream()
                .filter(factory -> factory.schemes().contains(uri.scheme()))
                .toList();
        if (matching.isEmpty()) {
            String artifact = ARTIFACTS.get(uri.scheme());
            Set<String> present = schemes(all);
            // The scheme alone: what follows it is in nobody's known form, so a password may stand anywhere in it.
            throw new LockConfigurationException("There is no backend for the scheme '" + uri.scheme() + "'; "
                    + (artifact == null
                            ? "a URI begins with one, such as redis://localhost:6379"
                            : "add the artifact io.holdfast:" + artifact)
                    + "; the schemes on the class path are " + (present.isEmpty() ? "none" : String.join(", ", present))
                    + (artifact == null ? otherSchemes(present) : ""));
        }
        if (matching.size() > 1) {
            throw new LockConfigurationException("There are several backends for the scheme '" + uri.scheme()
                    + "', allowed is one: " + classNames(matching));
        }
        return matching.get(0).create(uri.backendUri(), uri.parameters(properties));
    }

    private static <S> List<S> load(Class<S> service) {
        List<S> found = foundByCaller(service);
        return found.isEmpty() ? providers(service, ServiceLookup.class.getClassLoader()) : found;
    }

    private static <S> List<S> foundByCaller(Class<S> service) {
        try {
            return providers(service, Thread.currentThread().getContextClassLoader());
        } catch (ServiceConfigurationError strangers) {
            // The loader of a plug-in container may have another copy of this library, whose services are not ours.
            return List.of();
        }
    }

    /** Two loaders of one class path may both offer a service: one class counts once. */
    private static <S> List<S> providers(Class<S> service, ClassLoader loader) {
        return ServiceLoader.load(service, loader).stream()
                .collect(Collectors.toMap(ServiceLoader.Provider::type, p -> p, (first, second) -> first))
                .values()
                .stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** The end of a sentence: what the artifacts would bring that are not on the class path. */
    private static String otherSchemes(Set<String> present) {
        TreeMap<String, TreeSet<String>> byArtifact = new TreeMap<>();
        ARTIFACTS.forEach((scheme, artifact) -> {
            if (!present.contains(scheme)) {
                byArtifact.computeIfAbsent(artifact, first -> new TreeSet<>()).add(scheme);
            }
        });
        return byArtifact.entrySet().stream()
                .map(other -> "; io.holdfast:" + other.getKey() + " has " + String.join(", ", other.getValue()))
                .collect(Collectors.joining());
    }

    private static Set<String> schemes(List<LockProviderFactory> factories) {
        TreeSet<String> schemes = new TreeSet<>();
        factories.forEach(factory -> schemes.addAll(factory.schemes()));
        return schemes;
    }

    private static String classNames(List<?> services) {
        return services.stream()
                .map(service -> service.getClass().getName())
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
