package io.holdfast.lock.redisson;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.redisson.config.Config;

/**
 * The names in Redis: the lock, its channel and its token counter as Redisson names them ({@code RedissonLock}, {@code
 * RedissonFencedLock}, {@code RedissonObject.prefixName}), and our own keys.
 *
 * @param mapping of the client, which Redisson applies to the lock's name before it derives other names
 * @param topology of the client, on which further conditions on names depend
 * @param layout where tokens come from: {@code FENCED} also draws from the counter of {@code RFencedLock}
 */
record LockNaming(RedissonVersion.Mapping mapping, Topology topology, Layout layout) {

    private static final String CHANNEL = "redisson_lock__channel";
    private static final String COUNTER = "redisson_lock_token";
    /** The prefix of our own keys, which no lock's key may have. */
    private static final String OURS = "holdfast_redisson:";

    /** How the servers of a client are arranged. */
    enum Topology {
        CLUSTER,
        SINGLE
    }

    static LockNaming of(Config config, Layout layout) {
        return new LockNaming(
                RedissonVersion.mapping(config), config.isClusterConfig() ? Topology.CLUSTER : Topology.SINGLE, layout);
    }

    /**
     * The key of the lock.
     *
     * @throws LockConfigurationException if the key may be that of something else, or if the keys of the lock would be on several
     *     nodes
     */
    String lock(String name) {
        String key = mapping.map().apply(name);
        if (key.startsWith(OURS) || (key.startsWith(COUNTER + ":") && key.indexOf('{') >= 0)) {
            throw new LockConfigurationException("The lock name '" + name + "' is not allowed, as its key " + key
                    + " may be the key of a counter of tokens; allowed are names whose key does not begin with '" + OURS
                    + "', nor with '" + COUNTER + ":' if it has a brace");
        }
        if (topology == Topology.CLUSTER && !sharesItsSlot(key)) {
            throw new LockConfigurationException("The lock name '" + name
                    + "' is not allowed in a Redis Cluster, as its key "
                    + key + " and the names that Redisson derives from it belong to different slots; allowed are names"
                    + " without braces, and names with a text between { and }");
        }
        return key;
    }

    /** Whether {@link #derived} names are in the slot of the key, which Redis computes from what the first braces enclose. */
    private static boolean sharesItsSlot(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}');
        return open < 0 ? close < 0 : close > open + 1;
    }

    private static String derived(String prefix, String key) {
        return key.indexOf('{') >= 0 ? prefix + ":" + key : prefix + ":{" + key + "}";
    }

    /** The channel that Redisson publishes a release on. */
    String channel(String key) {
        return derived(CHANNEL, key);
    }

    /** The name by which Redisson's topic API, which maps names as well, reaches a lock's channel. */
    Optional<String> topic(String key) {
        String channel = channel(key);
        String unmapped = mapping.unmap().apply(channel);
        return channel.equals(mapping.map().apply(unmapped)) ? Optional.of(unmapped) : Optional.empty();
    }

    /**
     * The counters that tokens come from, except those of {@code RFencedLock}.
     *
     * @throws UnsupportedCapabilityException if Redisson would look for them elsewhere, as it maps each name by which it finds a
     *     node
     */
    List<String> counters() {
        if (topology == Topology.SINGLE) {
            return List.of(OURS + "token");
        }
        return SlotTags.all().map(this::counter).toList();
    }

    private String counter(String tag) {
        String counter = OURS + "{" + tag + "}:token";
        if (!SlotTags.of(mapping.map().apply(counter)).equals(tag)) {
            throw new UnsupportedCapabilityException(
                    "The tokens of this client can be neither raised nor looked up: its name"
                            + " mapper puts names into another slot of the cluster; allowed is one that adds no braces");
        }
        return counter;
    }

    /** The keys of the acquire script. */
    List<String> keys(String key, String claimId) {
        // All keys of a script have to be in one slot.
        String ours = topology == Topology.CLUSTER ? OURS + "{" + SlotTags.of(key) + "}:" : OURS;
        List<String> keys = new ArrayList<>(List.of(key, ours + "withdrawn:" + claimId, ours + "token"));
        if (layout == Layout.FENCED) {
            keys.add(derived(COUNTER, key));
        }
        return keys;
    }
}
