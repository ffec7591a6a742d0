package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The records of the lock table, by JDBC or by JPA. Thread-safe. A failing database is a
 * {@link io.holdfast.lock.LockStoreException}.
 */
public interface LockRecords extends AutoCloseable {

    /** Stands for the database's clock. There is one: a fail-over to a server whose clock differs is a step of it. */
    String CLOCK = "database";

    /** Refused, while the end of the holder's lease is unknown: ask again soon. */
    Attempt CONTENDED = new Attempt.Contended(Optional.of(Duration.ofMillis(500)));

    /**
     * As many tokens a grant has at most. In PostgreSQL each number of the sequence stands for so many; the other databases
     * reserve what a grant needs.
     */
    int MOST_TOKENS = 1_024;

    /**
     * Asks for the lock once.
     *
     * @param request of the claim
     * @param tokens how many to reserve with a grant, up to {@link #MOST_TOKENS}; the answer has the first of them
     * @param contended whether other clients wanted the lock a moment ago
     * @param sending called before the database may grant the lock; not called if nothing is sent
     * @return the answer
     */
    Attempt acquire(ClaimRequest request, int tokens, boolean contended, Runnable sending);

    /**
     * Renews claims, except those whose rows another transaction has locked.
     *
     * @param requests of the claims
     * @return the outcome
     */
    RenewalOutcome renew(List<ClaimRequest> requests);

    /**
     * Deletes the record of a claim, if there is one.
     *
     * @param request of the claim
     * @return what it found
     */
    ReleaseOutcome release(ClaimRequest request);

    /**
     * Reads who holds a lock.
     *
     * @param name of the lock
     * @return the holder; empty if the lock is free
     */
    Optional<LockHolder> holder(String name);

    /**
     * Reads a number that no token exceeds which was granted so far.
     *
     * @return the number; 0 if none was granted
     */
    long highestToken();

    /**
     * Makes every later grant have a greater token.
     *
     * @param above the number
     * @throws io.holdfast.lock.LockConfigurationException if it is too large
     */
    void raiseTokens(long above);

    /**
     * Removes up to 1,000 records that ended long ago and that nobody has asked for since. The release that triggers it waits, so
     * {@link Sweeper#LIMIT} bounds each statement by JDBC, and the provider's time-out each one by JPA.
     *
     * @return how many
     */
    int sweep();

    /**
     * Notes that a claim may hold its lock from now on.
     *
     * @param claim the claim
     */
    default void remember(Object claim) {}

    /**
     * Notes that a claim does not hold its lock, or not any more.
     *
     * @param claim the claim
     */
    default void forget(Object claim) {}

    /**
     * Explains failures of the database.
     *
     * @return what explains them
     */
    DatabaseFailures failures();

    @Override
    void close();

    /**
     * Names a renewal in failures.
     *
     * @param requests of the claims
     * @return the name
     */
    static String renewalOf(List<ClaimRequest> requests) {
        return "renewal of "
                + (requests.size() == 1 ? "lock '" + requests.get(0).name() + "'" : requests.size() + " locks");
    }
}
