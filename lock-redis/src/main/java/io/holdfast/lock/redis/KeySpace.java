package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * How names become keys and channels: prefix and name as UTF-8, nothing escaped, so different names have different keys.
 * Immutable.
 */
final class KeySpace {

    static final String DEFAULT_PREFIX = "holdfast:";

    /** The longest prefix, so that a key stays a handful of bytes beside a name. */
    private static final int MAX_PREFIX = 256;

    /** What the keys of a prefix are spread over. */
    enum Spread {
        /** One server has them all. */
        ONE_SERVER,
        /** The slots of a cluster. A script may only use keys and channels of one slot: that of the lock's key. */
        SLOTS
    }

    private final String prefix;
    private final Spread spread;

    /** What each kind of key and channel begins with. */
    private final String counter;

    private final String line;
    private final String places;
    private final String free;
    private final String granted;

    private KeySpace(String prefix, Spread spread) {
        if (prefix.length() > MAX_PREFIX) {
            throw new LockConfigurationException(
                    "The parameter 'prefix' has " + prefix.length() + " characters; allowed are 0 to " + MAX_PREFIX);
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(prefix)) {
            throw new LockConfigurationException(
                    "The parameter 'prefix' has an unpaired surrogate; allowed is any valid Unicode text");
        }
        if (spread == Spread.SLOTS && prefix.indexOf('{') >= 0 && !hasTag(prefix)) {
            throw new LockConfigurationException(
                    "The parameter 'prefix' has a '{' that begins no hash tag, so that names"
                            + " could end it; allowed in a cluster is a prefix without '{', or with a tag such as {app}");
        }
        this.prefix = prefix;
        this.spread = spread;
        // With an empty prefix lock keys are shared with other programs, but these names must still be ours.
        String owned = prefix.isEmpty() ? DEFAULT_PREFIX : prefix;
        this.counter = owned + "#fence";
        this.line = owned + "#line";
        this.places = owned + "#places";
        this.free = owned + "#free";
        this.granted = owned + "#granted";
    }

    /**
     * In one server.
     *
     * @param prefix what all keys begin with; may be empty, to share keys with other programs
     */
    KeySpace(String prefix) {
        this(prefix, Spread.ONE_SERVER);
    }

    KeySpace inCluster() {
        return new KeySpace(prefix, Spread.SLOTS);
    }

    String prefix() {
        return prefix;
    }

    Spread spread() {
        return spread;
    }

    String lockKey(String name) {
        String key = prefix + name;
        if (key.equals(counterKey(name))) {
            throw new LockConfigurationException("The lock name '" + name + "' is not allowed with the prefix '"
                    + prefix + "': the key " + key + " holds the fencing counter; allowed is any other name");
        }
        requireOutside(line, key, name);
        requireOutside(places, key, name);
        return key;
    }

    private void requireOutside(String kind, String key, String name) {
        if (key.startsWith(kind) && key.startsWith(":", kind.length())) {
            throw new LockConfigurationException("The lock name '" + name + "' is not allowed with the prefix '"
                    + prefix + "': keys that begin with " + kind
                    + ": are for claims that wait; allowed is any other name");
        }
    }

    /**
     * The key of the claims that wait for a lock, in their order. Named by the lock's key, as prefixes may share what they own.
     */
    String lineKey(String name) {
        return line + tag(name) + ":" + prefix + name;
    }

    /** The key of what the claims that wait for a lock ask for. */
    String placesKey(String name) {
        return places + tag(name) + ":" + prefix + name;
    }

    /** The key of the fencing counter that a lock's tokens come from: one for all locks of a server, or of a slot. */
    String counterKey(String name) {
        return counter + tag(name);
    }

    /** The keys of all fencing counters of the prefix. */
    List<String> counterKeys() {
        // A hash tag in the prefix puts all keys into one slot.
        return spread == Spread.ONE_SERVER || hasTag(prefix)
                ? List.of(counterKey(""))
                : IntStream.range(0, HashTags.SLOTS)
                        .mapToObj(slot -> counter + tagOf(slot))
                        .toList();
    }

    /**
     * The key of the floor that guards a key of the application, in the slot of that key. Named alike in a server and in a
     * cluster: data that are moved to a cluster keep their floors.
     */
    static String floorKey(String key) {
        return DEFAULT_PREFIX + "#floor" + tagOf(JedisClusterCRC16.getSlot(ScriptCall.bytes(key))) + ":" + key;
    }

    /** The channel that the release of a lock is published on. All databases of a server share their channels. */
    String channel(String name) {
        return free + tag(name) + ":" + name;
    }

    /** The channel on which a client learns that one of its claims was granted a lock. */
    String channel(String name, String client) {
        return granted + tag(name) + ":" + client + ":" + name;
    }

    /** The command that publishes on the channel. */
    Command publish() {
        return spread == Spread.SLOTS ? Command.SPUBLISH : Command.PUBLISH;
    }

    /** What puts a key into the slot of a lock's key, unless the prefix has a tag, which puts all keys into one slot. */
    private String tag(String name) {
        return spread == Spread.ONE_SERVER ? "" : tagOf(JedisClusterCRC16.getSlot(ScriptCall.bytes(prefix + name)));
    }

    private static String tagOf(int slot) {
        return ":{" + HashTags.of(slot) + "}";
    }

    /** Whether the first brace begins a hash tag, which alone then decides on the slot. */
    private static boolean hasTag(String text) {
        int open = text.indexOf('{');
        return open >= 0 && text.indexOf('}', open) > open + 1;
    }
}
