package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.spi.ClaimRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The values of claims for the parameters of a {@link SqlDialect}'s statements. */
public final class ClaimValues {

    private ClaimValues() {}

    /**
     * The values of one claim.
     *
     * @param request of the claim
     * @return the values, to which others may be added
     */
    public static Map<String, Object> of(ClaimRequest request) {
        LockKey key = LockKey.of(request.name());
        Map<String, Object> values = new HashMap<>();
        values.put("name_hash", key.hash());
        values.put("name", LockKey.legible(request.name()));
        values.put("claim_id", request.claimId());
        values.put("owner_id", LockKey.legible(request.ownerId()));
        values.put("host", LockKey.legible(request.claimant().host()));
        values.put("pid", request.claimant().pid());
        values.put("thread", LockKey.legible(request.claimant().thread()));
        values.put("lease", request.leaseTime().toMillis());
        values.put("advisory_id", key.advisoryId());
        values.put("counter", key.counter());
        values.put("version", LockKey.newVersion());
        return values;
    }

    /**
     * The values of a claim that attempts.
     *
     * @param request of the claim
     * @param tokens how many to reserve
     * @param waits whether it waits for a message
     * @param marksItsRow whether its own row says from the beginning that others wait
     * @return the values, to which others may be added
     */
    public static Map<String, Object> of(ClaimRequest request, int tokens, boolean waits, boolean marksItsRow) {
        Map<String, Object> values = of(request);
        values.put("tokens", tokens);
        values.put("waits", waits);
        values.put("waited", marksItsRow);
        return values;
    }

    /**
     * The values of several claims, as arrays.
     *
     * @param requests of the claims
     * @return the values
     */
    public static Map<String, Object> of(List<ClaimRequest> requests) {
        return Map.of(
                "name_hashes",
                        requests.stream()
                                .map(request -> LockKey.of(request.name()).hash())
                                .toArray(String[]::new),
                "claim_ids", requests.stream().map(ClaimRequest::claimId).toArray(String[]::new),
                "leases",
                        requests.stream()
                                .map(request -> request.leaseTime().toMillis())
                                .toArray(Long[]::new),
                "version", LockKey.newVersion());
    }
}
