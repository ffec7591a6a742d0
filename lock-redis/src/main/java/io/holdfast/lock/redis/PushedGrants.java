package io.holdfast.lock.redis;

import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The claims of a provider that wait in lines at the server, and the grants of which the server has told them. Thread-safe.
 *
 * <p>A message names the claim's latest attempt that the server had carried out when it granted the lock. The grant came after
 * that attempt was sent, so its lease may be counted from there. A message that names another attempt proves nothing: it may be
 * late, and the lock somebody else's by now. The model {@code DirectGrant} of the folder {@code models} has the argument in all
 * orders of events.
 */
final class PushedGrants {

    private static final int RADIX = 36;

    /** Claim, attempt, token, how many tokens, and the server's clock in micros. */
    private static final Pattern GRANT = Pattern.compile("(\\S+) (\\d{1,9}) (\\d{1,18}) (\\d{1,9}) (\\d{1,18})");

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

    /** Stands for the provider in the names of channels. */
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
        Matcher grant = GRANT.matcher(message);
        if (grant.matches()) {
            Push push = new Push(
                    Integer.parseInt(grant.group(2)),
                    Long.parseLong(grant.group(3)),
                    Integer.parseInt(grant.group(4)),
                    Long.parseLong(grant.group(5)));
            waiting.replace(grant.group(1), Optional.of(push));
        }
    }
}
