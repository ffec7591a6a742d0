package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.StoreTime;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Outcomes of statements that return rows. */
public final class ReturnedRows implements Outcomes {

    ReturnedRows() {}

    @Override
    public Attempt acquired(PreparedStatement statement, ClaimRequest request) throws SQLException {
        Attempt answer = LockRecords.CONTENDED;
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                long token = rows.getLong(1);
                boolean granted = !rows.wasNull();
                if (token < 0) {
                    throw DatabaseFailures.tokensAreMissing();
                }
                if (granted) {
                    return new Attempt.Granted(Optional.of(new FencingToken(token)), request.validFor(), time(rows));
                }
                long millis = rows.getLong(2);
                // A row whose lease had ended when the statement began is free, or was taken over
                // by another claim just now.
                if (millis > 0) {
                    answer = new Attempt.Contended(Optional.of(Duration.ofMillis(millis)));
                }
            }
        }
        return answer;
    }

    @Override
    public ReleaseOutcome released(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? new ReleaseOutcome(rows.getBoolean(1), rows.getBoolean(2)) : ReleaseOutcome.NO_RECORD;
        }
    }

    @Override
    public Optional<RenewalOutcome> renewed(PreparedStatement statement, Set<String> claimIds) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return Optional.of(renewed(rows));
        }
    }

    /**
     * Reads claims that are in force, whether each was prolonged, and the time.
     *
     * @param rows of {@link SqlDialect#renew} or {@link SqlDialect#inForce}
     * @return the outcome
     * @throws SQLException if that fails
     */
    public static RenewalOutcome renewed(ResultSet rows) throws SQLException {
        Set<String> prolonged = new HashSet<>();
        Set<String> locked = new HashSet<>();
        Optional<StoreTime> time = Optional.empty();
        while (rows.next()) {
            (rows.getBoolean(2) ? prolonged : locked).add(rows.getString(1));
            if (time.isEmpty()) {
                time = time(rows);
            }
        }
        // Some databases report a prolonged claim among those in force as well.
        locked.removeAll(prolonged);
        return new RenewalOutcome(prolonged, locked, time);
    }

    private static Optional<StoreTime> time(ResultSet rows) throws SQLException {
        long micros = rows.getLong(3);
        return rows.wasNull()
                ? Optional.empty()
                : Optional.of(new StoreTime(LockRecords.CLOCK, Instant.EPOCH.plus(micros, ChronoUnit.MICROS)));
    }

    /**
     * Reads the holder.
     *
     * @param rows of {@link SqlDialect#holder}
     * @return the holder; empty if the lock is free
     * @throws SQLException if that fails
     */
    public static Optional<LockHolder> holder(ResultSet rows) throws SQLException {
        if (!rows.next()) {
            return Optional.empty();
        }
        return Optional.of(LockHolder.of(rows.getString(1))
                .withHost(rows.getString(2))
                .withPid(rows.getLong(3))
                .withThread(rows.getString(4))
                .withSince(Instant.EPOCH.plus(rows.getLong(5), ChronoUnit.MICROS))
                .withFencingToken(new FencingToken(rows.getLong(6))));
    }

    /**
     * Reads the keys of removed records.
     *
     * @param rows of {@link SqlDialect#sweep}
     * @return the hashes
     * @throws SQLException if that fails
     */
    public static Set<String> hashes(ResultSet rows) throws SQLException {
        Set<String> hashes = new HashSet<>();
        while (rows.next()) {
            hashes.add(rows.getString(1));
        }
        return hashes;
    }
}
