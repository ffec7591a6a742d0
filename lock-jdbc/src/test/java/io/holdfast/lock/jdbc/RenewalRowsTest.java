package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows that a renewal writes, and those that it leaves alone. */
@Tag("server")
class RenewalRowsTest {

    private final String name = "name-" + UUID.randomUUID();

    private static List<String> row(String url, String name) {
        List<String> values = new ArrayList<>();
        try (Connection connection = Databases.connect(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT claim_id, token, version, acquired_at, expires_at FROM holdfast_lock WHERE name = '"
                                + name + "'")) {
            while (row.next()) {
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    values.add(row.getString(i));
                }
            }
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
        return values;
    }

    @Proves({"3.1", "5.2"})
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void takenOverRowIsLeftAlone(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            TestClaim lost = TestClaim.once(provider, name);
            TestClaim kept = TestClaim.once(provider, name + "-kept");
            assertThat(lost.granted() && kept.granted()).isTrue();
            Databases.expire(url, name, Duration.ofSeconds(1));
            TestClaim next = TestClaim.once(provider, name);
            assertThat(next.granted()).isTrue();
            List<String> before = row(url, name);
            List<String> keptBefore = row(url, name + "-kept");

            List<Renewal> renewals = provider.renewAll(List.of(lost.claim, kept.claim));
            assertThat(renewals.get(0)).isInstanceOf(Renewal.Lost.class);
            assertThat(renewals.get(1)).isInstanceOf(Renewal.Held.class);
            assertThat(lost.held()).isFalse();

            assertThat(row(url, name)).isEqualTo(before).isNotEmpty();
            assertThat(row(url, name + "-kept")).isNotEqualTo(keptBefore);
            assertThat(next.released()).isTrue();
            assertThat(kept.released()).isTrue();
        }
    }

    @Proves("3.2")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void expiredRowIsLeftAlone(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            TestClaim lost = TestClaim.once(provider, name);
            assertThat(lost.granted()).isTrue();
            Databases.expire(url, name, Duration.ofSeconds(1));
            List<String> before = row(url, name);
            assertThat(lost.held()).isFalse();
            assertThat(row(url, name)).isEqualTo(before).isNotEmpty();
        }
    }

    /** All in one statement: a claim with another's lease would end early or late. */
    @Proves("2.2")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#all")
    void renewalProlongsEachClaimByItsOwnLease(String url) {
        try (JdbcLockProvider provider = Databases.at(url)) {
            TestClaim brief = TestClaim.once(provider, name, Duration.ofMinutes(1));
            TestClaim lasting = TestClaim.once(provider, name + "-lasting", Duration.ofMinutes(100));
            assertThat(brief.granted() && lasting.granted()).isTrue();
            assertThat(provider.renewAll(List.of(lasting.claim, brief.claim))).allMatch(Renewal.Held.class::isInstance);
            assertThat(left(provider, name)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(61));
            assertThat(left(provider, name + "-lasting")).isBetween(Duration.ofMinutes(90), Duration.ofSeconds(6_001));
            assertThat(brief.released() && lasting.released()).isTrue();
        }
    }

    /** The rest of a lease, from a refused attempt. */
    private static Duration left(JdbcLockProvider provider, String name) {
        return TestClaim.once(provider, name).refused().retryAfter().orElseThrow();
    }
}
