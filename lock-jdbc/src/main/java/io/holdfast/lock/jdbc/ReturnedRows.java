package io.holdfast.lock.jdbc;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.jdbc.table.AcquireResult;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Outcomes of statements that change rows and return what has become of them. */
final class ReturnedRows implements Outcomes {

    @Override
    public PreparedStatement prepare(Connection connection, String text) throws SQLException {
        return connection.prepareStatement(text);
    }

    @Override
    public AcquireResult acquired(PreparedStatement statement) throws SQLException {
        Optional<FencingToken> token = Optional.empty();
        Optional<Duration> remaining = Optional.empty();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                long number = rows.getLong(1);
                if (number < 0) {
                    throw DatabaseFailures.inOurWords(
                            "the row that tokens come from is missing: run the shipped script again");
                }
                if (!rows.wasNull()) {
                    token = Optional.of(new FencingToken(number));
                    continue;
                }
                long millis = rows.getLong(2);
                // A row that had ended when the statement began is nobody's, or was just taken over by somebody.
                if (millis > 0) {
                    remaining = Optional.of(Duration.ofMillis(millis));
                }
            }
        }
        return new AcquireResult(token, remaining);
    }

    @Override
    public boolean released(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    @Override
    public Optional<RenewalOutcome> renewed(PreparedStatement statement, Set<String> claimIds) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            return Optional.of(renewed(rows));
        }
    }

    /** Each row is a claim that is in force, and whether it was prolonged. */
    static RenewalOutcome renewed(ResultSet rows) throws SQLException {
        Set<String> prolonged = new HashSet<>();
        Set<String> inForce = new HashSet<>();
        while (rows.next()) {
            (rows.getBoolean(2) ? prolonged : inForce).add(rows.getString(1));
        }
        return RenewalOutcome.among(prolonged, inForce);
    }

    static Set<String> texts(ResultSet rows) throws SQLException {
        Set<String> texts = new HashSet<>();
        while (rows.next()) {
            texts.add(rows.getString(1));
        }
        return texts;
    }
}
