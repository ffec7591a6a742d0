package io.holdfast.wrong.text;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import io.holdfast.parts.Providers;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The classes of the backends a second time, with one text changed. Classes of the backends and their resources come from here;
 * the SPI, the drivers and everything else come from the class loader of the tests. Thread-safe.
 */
final class ChangedBackend extends ClassLoader {

    private static final List<String> BACKENDS = List.of("io.holdfast.lock.redis.", "io.holdfast.lock.jdbc.");

    /** The scripts that handle the ordinary case of another one, by the end of their names, and what leaves all cases to that. */
    private static final Map<String, String> SHORT_WAYS = Map.of(
            "-acquire-fast.lua",
            allLeft("#KEYS / 2"),
            "-release-fast.lua",
            allLeft("#KEYS"),
            "-renew-fast.lua",
            "\n",
            "-all.lua",
            "local none = {} for i = 1, #KEYS do none[i] = 0 end return none");

    /** What all scripts share, behind and around the short ways. */
    private static final Set<String> AROUND_SHORT_WAYS = Set.of("clock.lua", "many-begin.lua", "many-end.lua");

    static {
        registerAsParallelCapable();
    }

    private final String changedFile;
    private final byte[] changed;

    private ChangedBackend(String changedFile, byte[] changed) {
        super(ChangedBackend.class.getClassLoader());
        this.changedFile = changedFile;
        this.changed = changed;
    }

    private static String allLeft(String claims) {
        return "local answers, left, claims = {}, {}, " + claims
                + " local each = #ARGV / claims for i = 1, claims do left[i] = i end\n";
    }

    /**
     * Prepares the backends with a change.
     *
     * @param change the change
     * @return the backends
     * @throws IllegalArgumentException if the text to change does not occur exactly once
     */
    static ChangedBackend with(TextChange change) {
        // At once, and not when the file is first read: a change that does not apply must not
        // look like a provider without a fault.
        return new ChangedBackend(change.file(), change.applied());
    }

    /** The backends as they are, for controls. */
    static ChangedBackend unchanged() {
        return new ChangedBackend("", new byte[0]);
    }

    /**
     * Opens a provider.
     *
     * @param factory the name of the backend's factory
     * @param uri the URI of the store
     * @param properties parameters that are not in the URI
     * @return the provider
     */
    LockProvider open(String factory, String uri, Map<String, String> properties) {
        try {
            LockProviderFactory made = (LockProviderFactory)
                    loadClass(factory).getDeclaredConstructor().newInstance();
            return Providers.open(made, uri, properties);
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("There is no factory " + factory, missing);
        }
    }

    /** The text of a resource, changed if it is the one that is changed. */
    String text(String resource) {
        return new String(bytes(resource), StandardCharsets.UTF_8);
    }

    private byte[] bytes(String file) {
        if (file.equals(changedFile)) {
            return Arrays.copyOf(changed, changed.length);
        }
        return isLeftOut(file) ? leavingAll(file).getBytes(StandardCharsets.UTF_8) : TextChange.bytes(file);
    }

    /** The ordinary case of a script is decided before its changed part would run. */
    private boolean isLeftOut(String file) {
        return isShortWay(file)
                && changedFile.endsWith(".lua")
                && !isShortWay(changedFile)
                && AROUND_SHORT_WAYS.stream().noneMatch(changedFile::endsWith);
    }

    private static boolean isShortWay(String file) {
        return SHORT_WAYS.keySet().stream().anyMatch(file::endsWith);
    }

    private static String leavingAll(String file) {
        return SHORT_WAYS.entrySet().stream()
                .filter(way -> file.endsWith(way.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (BACKENDS.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            return Optional.<Class<?>>ofNullable(findLoadedClass(name)).orElseGet(() -> define(name));
        }
    }

    private Class<?> define(String name) {
        byte[] file = bytes(name.replace('.', '/') + ".class");
        return defineClass(name, file, 0, file.length);
    }

    @Override
    public InputStream getResourceAsStream(String name) {
        return name.equals(changedFile) || isLeftOut(name)
                ? new ByteArrayInputStream(bytes(name))
                : Optional.ofNullable(super.getResourceAsStream(name)).orElseThrow();
    }
}
