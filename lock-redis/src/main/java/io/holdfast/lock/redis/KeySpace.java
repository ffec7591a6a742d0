package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import java.nio.charset.StandardCharsets;

/**
 * How names become keys and channels: prefix and name as UTF-8, nothing escaped, so different names have different keys.
 *
 * @param prefix what all keys begin with; may be empty, to share keys with other programs
 */
record KeySpace(String prefix) {

    static final String DEFAULT_PREFIX = "holdfast:";

    /** The longest prefix, so that a key stays a handful of bytes beside a name. */
    private static final int MAX_PREFIX = 256;

    KeySpace {
        if (prefix.length() > MAX_PREFIX) {
            throw new LockConfigurationException(
                    "The parameter 'prefix' has " + prefix.length() + " characters; allowed are 0 to " + MAX_PREFIX);
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(prefix)) {
            throw new LockConfigurationException(
                    "The parameter 'prefix' has an unpaired surrogate; allowed is any valid Unicode text");
        }
    }

    String lockKey(String name) {
        String key = prefix + name;
        if (key.equals(counterKey(key))) {
            throw new LockConfigurationException("The lock name '" + name + "' is not allowed with the prefix '"
                    + prefix + "': the key " + key + " holds the fencing counter; allowed is any other name");
        }
        return key;
    }

    /**
     * The key of the fencing counter that a lock's tokens come from: one for all locks of a single server. In a cluster it
     * would be one per hash slot, hence the parameter.
     */
    @SuppressWarnings("UnusedVariable") // The seam for the cluster.
    String counterKey(String lockKey) {
        return owned() + "#fence";
    }

    /** The channel that the release of a lock is published on. All databases of a server share their channels. */
    String channel(String name) {
        return owned() + "#free:" + name;
    }

    /** With an empty prefix lock keys are shared with other programs, but these names must still be ours. */
    private String owned() {
        return prefix.isEmpty() ? DEFAULT_PREFIX : prefix;
    }
}
