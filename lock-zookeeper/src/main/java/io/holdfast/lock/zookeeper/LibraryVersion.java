package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockConfigurationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * The version of a library. The application's build chooses it, and a version that is too old would fail at its first use with a
 * {@link NoSuchMethodError}.
 *
 * @param library the name of the library
 * @param found the version in its manifest; null if there is none, as when the classes were repackaged
 */
record LibraryVersion(String library, @Nullable String found) {

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\b.*");

    /**
     * Refuses libraries that are too old.
     *
     * @throws LockConfigurationException if one is
     */
    static void requireSupported() {
        of("Curator", CuratorFramework.class).requireAtLeast(5, 1);
        of("the ZooKeeper client", ZooKeeper.class).requireAtLeast(3, 6);
    }

    private static LibraryVersion of(String library, Class<?> type) {
        return new LibraryVersion(library, type.getPackage().getImplementationVersion());
    }

    void requireAtLeast(int major, int minor) {
        Matcher numbers = NUMBERS.matcher(found == null ? "" : found);
        if (!numbers.matches()) {
            return;
        }
        int foundMajor = Integer.parseInt(numbers.group(1));
        int foundMinor = Integer.parseInt(numbers.group(2));
        if (foundMajor < major || (foundMajor == major && foundMinor < minor)) {
            throw new LockConfigurationException(
                    "The version of " + library + " is " + found + "; allowed is " + major + "." + minor + " or newer");
        }
    }
}
