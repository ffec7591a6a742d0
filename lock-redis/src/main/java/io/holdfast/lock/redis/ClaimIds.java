package io.holdfast.lock.redis;

import io.holdfast.lock.redis.QuorumOutcome.Contended;
import io.holdfast.lock.redis.QuorumOutcome.Granted;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The ids by which the nodes of a quorum know a claim. Each attempt that does not repeat a granted one has another id, so that
 * what an earlier one left behind on a slow node is neither taken for a vote nor in the way of its removal. Not thread-safe.
 */
final class ClaimIds {

    private final String claimId;
    private int attempts;
    private Optional<String> known = Optional.empty();
    private OptionalLong token = OptionalLong.empty();

    ClaimIds(String claimId) {
        this.claimId = claimId;
    }

    /** The id of the attempt that begins. */
    String forAttempt() {
        if (token.isEmpty()) {
            attempts++;
            known = Optional.of(claimId + "-" + attempts);
        }
        return known.orElseThrow();
    }

    /** The token that the claim was granted with; empty if it is not. */
    OptionalLong token() {
        return token;
    }

    /** The latest attempt has ended. */
    void ended(QuorumOutcome outcome) {
        if (outcome instanceof Granted granted) {
            token = OptionalLong.of(granted.token());
        } else if (outcome instanceof Contended) {
            // Each grant of this attempt is taken back, also one that comes late, unless it repeated a granted one.
            known = token.isEmpty() ? Optional.empty() : known;
            token = OptionalLong.empty();
        }
    }

    /** The nodes do not know the claim any more. */
    void released() {
        token = OptionalLong.empty();
        known = Optional.empty();
    }

    /** The id that nodes may know; empty if there is nothing to release. */
    Optional<String> known() {
        return known;
    }
}
