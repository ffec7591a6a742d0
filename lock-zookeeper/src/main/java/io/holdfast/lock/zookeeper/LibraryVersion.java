package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockConfigurationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * A version of a library that the provider is used with. The application's build decides which one that is, and may choose one that lacks a
 * method: that shows at the first use of it, as a {@link NoSuchMethodError}.
 *
 * @param library the name of the library
 * @param found the version that its archive tells; null if it tells none, as when the classes were repackaged
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
