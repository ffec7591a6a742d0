package io.holdfast.lock.redis;

import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The claims of a client that wait in lines at the server, and the grants of which the server has told them. Thread-safe.
 *
 * <p>A message names the claim's latest attempt that the server had carried out when it granted the lock. The grant came after that
 * attempt was sent, so its lease may be counted from there. A message that names another attempt proves nothing: it may be late, and
 * the lock somebody else's by now. The model {@code DirectGrant} of the folder {@code models} has the argument in all orders of events.
 */
final class PushedGrants {

    private static final int RADIX = 36;

    private final String client = Long.toString(new SecureRandom().nextLong() & Long.MAX_VALUE, RADIX);
    private final Map<String, Optional<Push>> waiting = new ConcurrentHashMap<>();

    /**
     * A grant of which the server has told.
     *
     * @param attempt the number of the claim's latest attempt before it
     * @param token the fencing token
     * @param tokens how many tokens the grant has
     * @param micros the server's clock
     */
    record Push(int attempt, long token, int tokens, long micros) {}

    /** Stands for the client in the names of channels. */
    String client() {
        return client;
    }

    /** A claim waits, and may be granted the lock from now on. */
    void expect(String claimId) {
        waiting.putIfAbsent(claimId, Optional.empty());
    }

    /** A claim waits no more. */
    void forget(String claimId) {
        waiting.remove(claimId);
    }

    /** The grant of which a claim was told last; empty if it was told of none. */
    Optional<Push> of(String claimId) {
        return waiting.getOrDefault(claimId, Optional.empty());
    }

    /** Takes note of a message. One that tells of no grant wakes its client, and no more. */
    void received(String message) {
        String[] parts = message.split(" ");
        if (parts.length == 5) {
            try {
                Push push = new Push(
                        Integer.parseInt(parts[1]),
                        Long.parseLong(parts[2]),
                        Integer.parseInt(parts[3]),
                        Long.parseLong(parts[4]));
                waiting.replace(parts[0], Optional.of(push));
            } catch (NumberFormatException foreign) {
                // Published by another program.
            }
        }
    }
}
