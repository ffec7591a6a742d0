package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.jdbc.jpa.JpaSweeping;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The statements of each operation by JPA, the locks they take, and what is left in the table. */
@Tag("server")
class JpaStatementsTest {

    /** The unit of each URL. The tests share it, as opening one takes a second. */
    private static final Map<String, RecordedUnit> UNITS = new HashMap<>();

    private static final int CLAIMS = 200;

    /** Long enough that the first of many claims is still in force when the last one is granted, on a slow machine. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private final String name = "name-" + UUID.randomUUID();
    private RecordingDataSource recording;

    @AfterAll
    static void close() {
        UNITS.values().forEach(RecordedUnit::close);
        UNITS.clear();
    }

    private JpaLockProvider provider(String url, Strategy strategy) {
        RecordedUnit unit = UNITS.computeIfAbsent(url, RecordedUnit::open);
        recording = unit.source();
        JpaLockProvider provider = JpaSweeping.never(unit.factory(), strategy);
        // The first grant also checks that the table is the entity's.
        TestClaim first = TestClaim.once(provider, "first-" + name);
        assertThat(first.granted()).isTrue();
        assertThat(first.released()).isTrue();
        recording.statements().clear();
        return provider;
    }

    private List<String> newStatements() {
        List<String> statements = recording.statements().stream()
                .map(each -> each.toLowerCase(Locale.ROOT))
                .toList();
        recording.statements().clear();
        return statements;
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void operationBorrowsOneConnection(String url, Strategy strategy) {
        try (JpaLockProvider provider = provider(url, strategy)) {
            int before = recording.borrowed();
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            assertThat(TestClaim.once(provider, name).granted()).isFalse();
            assertThat(holder.held()).isTrue();
            assertThat(holder.released()).isTrue();
            assertThat(recording.borrowed() - before).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void operationTakesAFewStatements(String url, Strategy strategy) {
        boolean bounded = url.contains("postgresql");
        try (JpaLockProvider provider = provider(url, strategy)) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            // Read, token, row, clock, write.
            assertThat(newStatements()).hasSize(5).last().asString().startsWith("insert into holdfast_lock");
            assertThat(TestClaim.once(provider, name).granted()).isFalse();
            assertThat(newStatements()).hasSize(1).noneMatch(each -> each.contains("for update"));
            assertThat(holder.held()).isTrue();
            assertThat(newStatements()).hasSize(bounded ? 2 : 1);
            assertThat(holder.released()).isTrue();
            assertThat(newStatements()).hasSize(bounded ? 2 : 1);
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void takeoverLocksTheRowOrComparesItsVersion(String url, Strategy strategy) {
        try (JpaLockProvider provider = provider(url, strategy)) {
            assertThat(TestClaim.once(provider, name).granted()).isTrue();
            Databases.expire(url, name, Duration.ofSeconds(1));
            newStatements();
            TestClaim next = TestClaim.once(provider, name);
            assertThat(next.granted()).isTrue();
            List<String> statements = newStatements();
            assertThat(statements)
                    .hasSize(5)
                    .last()
                    .asString()
                    .startsWith("update holdfast_lock")
                    .endsWith("and version=?");
            assertThat(statements.stream().filter(each -> each.contains("skip locked")))
                    .hasSize(strategy == Strategy.PESSIMISTIC ? 1 : 0);
            assertThat(next.released()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void refusedAttemptIsReleasedWithoutAStatement(String url, Strategy strategy) {
        try (JpaLockProvider provider = provider(url, strategy)) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            TestClaim refused = TestClaim.once(provider, name);
            refused.refused();
            newStatements();
            assertThat(refused.released()).isFalse();
            assertThat(newStatements()).isEmpty();
            assertThat(holder.released()).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void oneTransactionRenewsAllClaims(String url, Strategy strategy) {
        try (JpaLockProvider provider = provider(url, strategy)) {
            List<Claim> claims = new ArrayList<>();
            for (int i = 0; i < CLAIMS; i++) {
                TestClaim claim = TestClaim.once(provider, name + "-" + i, LONG);
                assertThat(claim.granted()).isTrue();
                claims.add(claim.claim);
            }
            newStatements();
            assertThat(provider.renewAll(claims)).hasSize(CLAIMS).allMatch(Renewal.Held.class::isInstance);
            assertThat(newStatements()).hasSize(url.contains("postgresql") ? 2 : 1);
            claims.get(1).release();
            Databases.expire(url, name + "-2", Duration.ofSeconds(1));
            newStatements();
            List<Renewal> renewals = provider.renewAll(claims);
            assertThat(newStatements()).hasSize(url.contains("postgresql") ? 2 : 1);
            assertThat(renewals).hasSize(CLAIMS);
            for (int i = 0; i < CLAIMS; i++) {
                assertThat(renewals.get(i)).isInstanceOf(i == 1 || i == 2 ? Renewal.Lost.class : Renewal.Held.class);
            }
            assertThat(Databases.ask(
                            url,
                            "SELECT count(*) FROM holdfast_lock WHERE name = '" + name
                                    + "-2' AND expires_at > CURRENT_TIMESTAMP"))
                    .isEqualTo("0");
            Databases.run(url, "DELETE FROM holdfast_lock WHERE name LIKE '" + name + "%'");
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void sweepRemovesLongExpiredRows(String like, Strategy strategy) {
        // A separate database: the sweeps of other tests would come first.
        String url = like.contains("postgresql") ? Databases.newPostgreSql() : Databases.h2();
        Databases.createTable(url);
        try (JpaLockProvider provider = provider(url, strategy)) {
            for (String each : List.of("-old", "-held", "-recent")) {
                assertThat(TestClaim.once(provider, name + each).granted()).isTrue();
            }
            Databases.expire(url, name + "-old", Duration.ofMinutes(2));
            Databases.expire(url, name + "-recent", Duration.ZERO);
            assertThat(JpaSweeping.sweep(provider)).isEqualTo(1);
            assertThat(Databases.ask(url, "SELECT count(*) FROM holdfast_lock WHERE name = '" + name + "-old'"))
                    .isEqualTo("0");
            assertThat(Databases.ask(url, "SELECT count(*) FROM holdfast_lock WHERE name LIKE '" + name + "%'"))
                    .isEqualTo("2");
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.JpaUnits#all")
    void everyWriteChangesTheVersion(String url, Strategy strategy) {
        try (JpaLockProvider provider = provider(url, strategy)) {
            List<String> versions = new ArrayList<>();
            TestClaim first = TestClaim.once(provider, name);
            first.granted();
            versions.add(version(url));
            first.granted();
            versions.add(version(url));
            first.held();
            versions.add(version(url));
            Databases.expire(url, name, Duration.ofSeconds(1));
            TestClaim second = TestClaim.once(provider, name);
            second.granted();
            versions.add(version(url));
            second.released();
            second.granted();
            versions.add(version(url));
            second.released();
            assertThat(versions).doesNotHaveDuplicates().doesNotContain("0", "1");
        }
    }

    private String version(String url) {
        return Databases.ask(url, "SELECT version FROM holdfast_lock WHERE name = '" + name + "'");
    }
}
