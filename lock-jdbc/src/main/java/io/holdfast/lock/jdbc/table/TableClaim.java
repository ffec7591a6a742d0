package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;

/**
 * One claim for one lock in the table. It remembers only whether the database may know it, and whether it marked its row itself.
 */
public final class TableClaim implements Claim {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    /**
     * The last repetition begins within this time: as long as one attempt may take that waits for a connection and for the
     * database. A cut shows at once, but a busy machine may need seconds to open the connections of a pool anew.
     */
    private static final Duration REPEATED_WITHIN = Timeouts.POOL_WAIT.plus(Timeouts.ofNetwork(Timeouts.USUAL));

    private final LockRecords records;
    private final Sweeper sweeper;
    private final ContendedLocks contended;
    private final ClaimRequest request;
    private boolean databaseMayKnow;

    /** Whether the row of this claim says from the beginning that others wait: then its mark is no sign of them. */
    private boolean marked;

    /**
     * A new claim, which the database does not know.
     *
     * @param records of the table
     * @param sweeper is asked after each release
     * @param contended the contended locks of the provider
     * @param request of the claim
     */
    public TableClaim(LockRecords records, Sweeper sweeper, ContendedLocks contended, ClaimRequest request) {
        this.records = records;
        this.sweeper = sweeper;
        this.contended = contended;
        this.request = request;
    }

    /**
     * Asks for the lock once. If the connection was lost while the database is up, a claim that waits repeats that on another
     * one: an attempt may be repeated (rule 1.3). A claim that does not wait sends one request.
     */
    @Override
    public Attempt attempt() {
        return attemptFor(1);
    }

    @Override
    public Attempt attemptFor(int tokens) {
        if (request.intent() == Intent.WAIT) {
            contended.letOthersGoFirst(request.name());
        }
        int reserved = Math.min(tokens, LockRecords.MOST_TOKENS);
        Stopwatch tried = new Stopwatch();
        for (int sent = 1; ; sent++) {
            try {
                return attemptOnce(reserved);
            } catch (LockStoreException failure) {
                boolean again = request.intent() == Intent.WAIT
                        && sent < Pooled.MOST_TRIED
                        && !tried.hasRunFor(REPEATED_WITHIN);
                if (!again || !DatabaseFailures.isLostConnection(failure)) {
                    throw failure;
                }
                LOG.log(Level.DEBUG, "A connection was lost; the waiting acquire uses another one", failure);
            }
        }
    }

    private Attempt attemptOnce(int tokens) {
        boolean knownBefore = databaseMayKnow;
        marked = request.intent() == Intent.WAIT && contended.hasRival(request.name());
        Attempt answer;
        try {
            answer = records.acquire(request, tokens, marked, () -> databaseMayKnow(true));
        } catch (LockStoreException failure) {
            if (DatabaseFailures.isRefusal(failure)) {
                databaseMayKnow(knownBefore);
            }
            throw failure;
        }
        if (answer instanceof Attempt.Contended) {
            contended.noteRival(request.name());
            // Only this request was answered: an earlier one without an answer may still take effect.
            databaseMayKnow(knownBefore);
        }
        if (answer instanceof Attempt.Granted granted && !knownBefore) {
            // Only then it is certain that this request drew the tokens: an earlier one may have asked for fewer.
            return granted.withTokens(tokens);
        }
        return answer;
    }

    private void databaseMayKnow(boolean mayKnow) {
        databaseMayKnow = mayKnow;
        if (mayKnow) {
            records.remember(this);
        } else {
            records.forget(this);
        }
    }

    @Override
    public Renewal renew() {
        Renewal renewal = answer(records.renew(List.of(request)));
        if (renewal instanceof Renewal.Unknown unknown) {
            throw unknown.failure();
        }
        return renewal;
    }

    /**
     * Renews several claims in one call.
     *
     * @param records of the table
     * @param claims all of this class
     * @return one answer for each, in the same order
     */
    public static List<Renewal> renewAll(LockRecords records, List<Claim> claims) {
        if (claims.isEmpty()) {
            return List.of();
        }
        List<TableClaim> ours = claims.stream().map(TableClaim.class::cast).toList();
        RenewalOutcome outcome =
                records.renew(ours.stream().map(claim -> claim.request).toList());
        return ours.stream().map(claim -> claim.answer(outcome)).toList();
    }

    private Renewal answer(RenewalOutcome outcome) {
        if (outcome.prolonged().contains(request.claimId())) {
            return new Renewal.Held(request.validFor(), outcome.time());
        }
        if (outcome.locked().contains(request.claimId())) {
            String what = LockRecords.renewalOf(List.of(request));
            return new Renewal.Unknown(records.failures().because(what, "another transaction has locked its row"));
        }
        records.forget(this);
        return new Renewal.Lost(LossCause.TAKEN_OVER);
    }

    @Override
    public Release release() {
        if (!databaseMayKnow) {
            return Release.NOT_HELD;
        }
        ReleaseOutcome outcome = records.release(request);
        if (outcome.announced()) {
            contended.noteRelease(request.name());
            if (!marked) {
                contended.noteRival(request.name());
            }
        }
        sweeper.afterRelease(records);
        // Not before the sweep, which need not wait for the pool then.
        records.forget(this);
        return outcome.wasInForce() ? Release.RELEASED : Release.NOT_HELD;
    }
}
