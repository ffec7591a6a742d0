package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockConfigurationException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.common.PathUtils;

/**
 * The paths of locks: each lock has a node below the base path, and the claims for it are that node's children.
 *
 * <p>A name becomes one path segment. Letters, digits, {@code -}, {@code _} and {@code .} stay; every other byte of its UTF-8
 * form, the percent sign included, is percent-encoded. So different names are different segments, and ZooKeeper refuses none of
 * them.
 */
final class LockPaths {

    static final String DEFAULT_BASE = "/holdfast";

    private static final int MOST_BASE = 1_024;
    private static final String PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
    private static final String HEXADECIMAL = "0123456789ABCDEF";
    private static final int NIBBLE = 4;
    private static final int LOW = 0xF;

    private final String base;

    /**
     * Checks a base path.
     *
     * @param base the path below which the locks are, as the connection sees it
     */
    LockPaths(String base) {
        this.base = valid(base);
    }

    private static String valid(String base) {
        String allowed = "; allowed are 1 to " + MOST_BASE
                + " characters, beginning with / and not ending with it, without control characters and without the segments"
                + " '.' and '..', such as " + DEFAULT_BASE;
        try {
            PathUtils.validatePath(base);
        } catch (IllegalArgumentException invalid) {
            throw new LockConfigurationException("The base path is '" + base + "'" + allowed, invalid);
        }
        if (base.equals("/") || base.length() > MOST_BASE) {
            throw new LockConfigurationException("The base path is '" + base + "'" + allowed);
        }
        return base;
    }

    /** These paths as a connection sees them that hides a namespace, which is a path without its first slash, or empty. */
    LockPaths below(String namespace) {
        return namespace.isEmpty() ? this : new LockPaths("/" + namespace + base);
    }

    String base() {
        return base;
    }

    /** The node of the tokens' offset. No lock has it: in the name of a lock's node a # is encoded. */
    String tokens() {
        return base + "/#tokens";
    }

    /** The node of a lock. */
    String lock(String name) {
        return base + "/" + segment(name);
    }

    /** The node of a lock and all above it, from the top. */
    static List<String> withParents(String path) {
        List<String> paths = new ArrayList<>();
        for (int slash = path.indexOf('/', 1); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            paths.add(path.substring(0, slash));
        }
        paths.add(path);
        return paths;
    }

    static String segment(String name) {
        if (name.equals(".") || name.equals("..")) {
            return name.replace(".", "%2E");
        }
        StringBuilder segment = new StringBuilder(name.length());
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            if (PLAIN.indexOf(each) >= 0) {
                segment.append((char) each);
            } else {
                segment.append('%')
                        .append(HEXADECIMAL.charAt(each >> NIBBLE & LOW))
                        .append(HEXADECIMAL.charAt(each & LOW));
            }
        }
        return segment.toString();
    }
}
