package io.holdfast.lock.jdbc;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The records of the table: what each statement of the dialect means. Thread-safe. */
final class LockRecords implements AutoCloseable {

    private final Connections connections;
    private final TableCreation creation;
    private final SqlDialect dialect;
    private final Sql acquire;
    private final Sql release;
    private final Sql renew;
    private final Sql holder;
    private final Sql sweep;

    LockRecords(Connections connections, SqlDialect dialect, LockTable table, TableCreation creation) {
        this.connections = connections;
        this.creation = creation;
        this.dialect = dialect;
        this.acquire = Sql.of(dialect.acquire(), table);
        this.release = Sql.of(dialect.release(), table);
        this.renew = Sql.of(dialect.renew(), table);
        this.holder = Sql.of(dialect.holder(), table);
        this.sweep = Sql.of(dialect.sweep(), table);
    }

    /**
     * The answer to a bid.
     *
     * @param token of the grant; empty if it was refused
     * @param remaining what the holder's lease has left; empty if that is not known
     */
    record Answer(Optional<FencingToken> token, Optional<Duration> remaining) {}

    /** The key of a lock: the same in all databases, whatever their collations, and short however long the name is. */
    static String hash(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException("There is no SHA-256 in this JDK", everyJdkHasIt);
        }
    }

    /** A number for the turns of bids; two names may share one. */
    private static int turn(String hash) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hash)).getInt();
    }

    /** What people read. PostgreSQL has no character 0, and only valid Unicode can be sent. */
    private static String legible(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).replace('\0', '\u2400');
    }

    Answer acquire(ClaimRequest request, String hash) {
        creation.ensure(connections);
        Map<String, Object> values = new HashMap<>();
        values.put("name_hash", hash);
        values.put("name", legible(request.name()));
        values.put("claim_id", request.claimId());
        values.put("owner_id", legible(request.ownerId()));
        values.put("host", legible(request.claimant().host()));
        values.put("pid", request.claimant().pid());
        values.put("thread", legible(request.claimant().thread()));
        values.put("lease", request.leaseTime().toMillis());
        values.put("turn", turn(hash));
        try {
            return connections.query(acquire, values, LockRecords::answer);
        } catch (SQLException failure) {
            if (dialect.contended(failure)) {
                return new Answer(Optional.empty(), Optional.empty());
            }
            throw connections.failures().of("acquire of lock '" + request.name() + "'", failure);
        }
    }

    private static Answer answer(ResultSet rows) throws SQLException {
        Optional<FencingToken> token = Optional.empty();
        Optional<Duration> remaining = Optional.empty();
        while (rows.next()) {
            long number = rows.getLong(1);
            if (!rows.wasNull()) {
                token = Optional.of(new FencingToken(number));
                continue;
            }
            long millis = rows.getLong(2);
            // A row that had ended when the statement began belongs to nobody, or now to somebody who has just got it.
            if (millis > 0) {
                remaining = Optional.of(Duration.ofMillis(millis));
            }
        }
        return new Answer(token, remaining);
    }

    Release release(ClaimRequest request, String hash) {
        creation.ensure(connections);
        Map<String, Object> values = Map.of("name_hash", hash, "claim_id", request.claimId());
        try {
            return connections.query(
                    release, values, rows -> rows.next() && rows.getBoolean(1) ? Release.RELEASED : Release.NOT_HELD);
        } catch (SQLException failure) {
            throw connections.failures().of("release of lock '" + request.name() + "'", failure);
        }
    }

    /** Renews claims; returns the ids of those that are in force. */
    Set<String> renew(List<JdbcClaim> claims) {
        Map<String, Object> values = Map.of(
                "name_hashes", claims.stream().map(JdbcClaim::hash).toArray(String[]::new),
                "claim_ids",
                        claims.stream().map(claim -> claim.request().claimId()).toArray(String[]::new),
                "leases",
                        claims.stream()
                                .map(claim -> claim.request().leaseTime().toMillis())
                                .toArray(Long[]::new));
        try {
            return connections.query(renew, values, LockRecords::texts);
        } catch (SQLException failure) {
            String what =
                    claims.size() == 1 ? "lock '" + claims.get(0).request().name() + "'" : claims.size() + " locks";
            throw connections.failures().of("renewal of " + what, failure);
        }
    }

    private static Set<String> texts(ResultSet rows) throws SQLException {
        Set<String> texts = new HashSet<>();
        while (rows.next()) {
            texts.add(rows.getString(1));
        }
        return texts;
    }

    Optional<LockHolder> holder(String name) {
        creation.ensure(connections);
        try {
            return connections.query(holder, Map.of("name_hash", hash(name)), LockRecords::holder);
        } catch (SQLException failure) {
            throw connections.failures().of("holder of lock '" + name + "'", failure);
        } catch (IllegalArgumentException tampered) {
            throw new LockStoreException("The record of lock '" + name + "' was changed by somebody else", tampered);
        }
    }

    private static Optional<LockHolder> holder(ResultSet rows) throws SQLException {
        if (!rows.next()) {
            return Optional.empty();
        }
        return Optional.of(new LockHolder(
                rows.getString(1),
                rows.getString(2),
                rows.getLong(3),
                rows.getString(4),
                Optional.of(rows.getObject(5, OffsetDateTime.class).toInstant()),
                Optional.of(new FencingToken(rows.getLong(6)))));
    }

    /** Removes records that ended long ago and that nobody has asked for since. */
    int sweep() throws SQLException {
        return connections.query(sweep, Map.of(), LockRecords::texts).size();
    }

    @Override
    public void close() {
        connections.close();
    }
}
