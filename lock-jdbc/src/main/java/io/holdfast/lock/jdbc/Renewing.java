package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.LockTable;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The renewal of claims: one statement, which waits for no row that somebody else has locked, and further ones where the database
 * leaves open what has become of which claim. Thread-safe.
 */
final class Renewing {

    /** In a database whose bids lock the row that they look at, the holder may meet one. The next look mostly does not. */
    private static final int LOOKS = 10;

    private final Connections connections;
    private final Outcomes outcomes;
    private final Sql renew;
    private final Optional<Sql> inForce;

    Renewing(Connections connections, SqlDialect dialect, LockTable table) {
        this.connections = connections;
        this.outcomes = dialect.outcomes();
        this.renew = Sql.of(dialect.renew(), table);
        this.inForce = dialect.inForce().map(statement -> Sql.of(statement, table));
    }

    Renewed of(List<JdbcClaim> claims) throws SQLException {
        Renewed renewed = halving(claims);
        return inForce.isPresent() && renewed.prolonged().size() < claims.size()
                ? lookedAt(claims, renewed, inForce.get())
                : renewed;
    }

    /**
     * Where the database only tells how many claims were prolonged, and it is some of them, the halves are asked again: a claim
     * was lost or its row is locked, which is rare.
     */
    private Renewed halving(List<JdbcClaim> claims) throws SQLException {
        Map<String, Object> values = values(claims);
        Set<String> ids = Set.of((String[]) values.get("claim_ids"));
        Optional<Renewed> known =
                connections.run(renew, values, outcomes::prepare, statement -> outcomes.renewed(statement, ids));
        if (known.isPresent()) {
            return known.get();
        }
        int half = claims.size() / 2;
        return halving(claims.subList(0, half)).and(halving(claims.subList(half, claims.size())));
    }

    /** Tells lost claims from those whose rows were locked, by what can be read without a lock, and tries the latter again. */
    private Renewed lookedAt(List<JdbcClaim> claims, Renewed before, Sql look) throws SQLException {
        Renewed renewed = before;
        for (int looks = 1; ; looks++) {
            List<JdbcClaim> open = without(claims, renewed.prolonged());
            Set<String> found = connections.query(look, values(open), ReturnedRows::texts);
            if (found.isEmpty() || looks == LOOKS) {
                return new Renewed(renewed.prolonged(), found);
            }
            renewed = renewed.and(halving(
                    open.stream().filter(claim -> found.contains(claim.id())).toList()));
            if (renewed.prolonged().size() == claims.size()) {
                return renewed;
            }
        }
    }

    private static List<JdbcClaim> without(List<JdbcClaim> claims, Set<String> ids) {
        return claims.stream().filter(claim -> !ids.contains(claim.id())).toList();
    }

    private static Map<String, Object> values(List<JdbcClaim> claims) {
        return Map.of(
                "name_hashes", claims.stream().map(JdbcClaim::hash).toArray(String[]::new),
                "claim_ids", claims.stream().map(JdbcClaim::id).toArray(String[]::new),
                "leases",
                        claims.stream()
                                .map(claim -> claim.request().leaseTime().toMillis())
                                .toArray(Long[]::new));
    }
}
