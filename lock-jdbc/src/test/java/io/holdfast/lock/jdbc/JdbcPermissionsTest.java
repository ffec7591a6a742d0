package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.parts.TestClaim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The privileges that the backend's page lists, read from the page. */
@Tag("server")
class JdbcPermissionsTest {

    private static final Pattern GRANT = Pattern.compile("(?m)^(GRANT .* TO locks);$");

    private static List<String> documented(String section) throws IOException {
        String page = Files.readString(Path.of("..", "docs", "backends", "jdbc.md"));
        String part = page.substring(page.indexOf("In " + section + ":", page.indexOf("## Privileges")));
        String block = part.substring(0, part.indexOf("```\n\n") < 0 ? part.length() : part.indexOf("```\n\n"));
        return GRANT.matcher(block)
                .results()
                .map((MatchResult grant) -> grant.group(1))
                .toList();
    }

    private static void useEverything(JdbcLockProvider provider) throws SQLException {
        TestClaim holder = TestClaim.once(provider, "a");
        assertThat(holder.granted()).isTrue();
        assertThat(holder.granted()).isTrue();
        assertThat(holder.held()).isTrue();
        assertThat(provider.holder("a")).isPresent();
        TestClaim waiter = TestClaim.waiting(provider, "a");
        assertThat(waiter.granted()).isFalse();
        assertThat(holder.released()).isTrue();
        assertThat(waiter.granted()).isTrue();
        assertThat(waiter.released()).isTrue();
        provider.records().sweep();
    }

    @Test
    void documentedPrivilegesAreSufficientAndNecessaryInPostgreSql() throws Exception {
        String url = Databases.SharedPostgreSql.URL;
        List<String> grants = documented("PostgreSQL");
        assertThat(grants).hasSizeGreaterThanOrEqualTo(2);
        String asLocks = url.replace("user=postgres", "user=locks");
        Databases.run(url, "CREATE ROLE locks LOGIN");
        Databases.run(url, grants.toArray(String[]::new));
        try (JdbcLockProvider provider = Databases.at(asLocks)) {
            useEverything(provider);
            for (String grant :
                    grants.stream().flatMap(JdbcPermissionsTest::single).toList()) {
                Databases.run(url, grant.replace("GRANT", "REVOKE").replace(" TO ", " FROM "));
                assertThatThrownBy(() -> useEverything(provider))
                        .as(grant)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("a privilege is missing");
                Databases.run(url, grant, "DELETE FROM holdfast_lock WHERE name = 'a'");
            }
        }
    }

    /** Splits a grant of several privileges. */
    private static Stream<String> single(String grant) {
        int on = grant.indexOf(" ON ");
        return Stream.of(grant.substring("GRANT ".length(), on).split(", "))
                .map(privilege -> "GRANT " + privilege + grant.substring(on));
    }

    @NeedsMariaDb
    @Test
    void documentedPrivilegesAreSufficientAndNecessaryInMariaDb() throws Exception {
        String url = Databases.SharedMariaDb.URL;
        List<String> grants = documented("MariaDB and MySQL");
        assertThat(grants).hasSize(1);
        Databases.run(url, "CREATE USER locks@'%'");
        Databases.run(url, grants.get(0));
        for (String privilege : List.of("SELECT", "INSERT", "UPDATE", "DELETE")) {
            assertThat(grants.get(0)).contains(privilege);
            // A new provider each time: connections keep the privileges that they began with.
            try (JdbcLockProvider provider = Databases.at(url.replace("user=root", "user=locks"))) {
                useEverything(provider);
                Databases.run(url, "REVOKE " + privilege + " ON holdfast_lock FROM locks@'%'");
                assertThatThrownBy(() -> useEverything(provider))
                        .as(privilege)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContaining("a privilege is missing");
                Databases.run(url, grants.get(0), "DELETE FROM holdfast_lock WHERE name = 'a'");
            }
        }
    }

    /** Those of a guard, by its table. */
    private static Map<String, String> ofGuards() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "backends", "jdbc.md"));
        return Pattern.compile("`(GRANT [A-Z, ]+ ON ([a-z_]+) TO shop)`")
                .matcher(page.substring(page.indexOf("## Guards")))
                .results()
                .collect(Collectors.toMap(grant -> grant.group(2), grant -> grant.group(1)));
    }

    private static String asShop(String url) {
        return switch (Databases.named(url)) {
            case POSTGRESQL -> url.replace("user=postgres", "user=shop");
            case H2 -> url.replace(";DB_CLOSE_DELAY=-1", "") + ";USER=shop;PASSWORD=secret";
            default -> url.replace("user=root", "user=shop");
        };
    }

    private static void guard(String table, Connection connection, NamedToken token) throws SQLException {
        try {
            switch (table) {
                case "stock" -> {
                    RowFence fence = RowFence.table(table).lockNamed(key -> "a").build();
                    fence.enter(connection, 1, token);
                    fence.update(connection, 1, token, "units = ?", 2);
                }
                case "holdfast_fence" -> TableFence.table(table).enter(connection, "a", token);
                default -> OwnershipGuard.table(table).requireHeld(connection, "a", token);
            }
            connection.commit();
        } catch (SQLException denied) {
            connection.rollback();
            throw denied;
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void documentedPrivilegesOfGuardsAreSufficientAndInPostgreSqlNecessary(String url) throws Exception {
        Map<String, String> grants = ofGuards();
        assertThat(grants).containsOnlyKeys("stock", "holdfast_fence", "holdfast_lock");
        Databases.run(
                url,
                "CREATE TABLE stock (id INT PRIMARY KEY, units INT, fence BIGINT DEFAULT 0 NOT NULL)",
                "INSERT INTO stock (id, units) VALUES (1, 1)",
                switch (Databases.named(url)) {
                    case POSTGRESQL -> "CREATE ROLE shop LOGIN";
                    case H2 -> "CREATE USER shop PASSWORD 'secret'";
                    default -> "CREATE USER shop@'%'";
                });
        try (Connection operator = Databases.connect(url);
                JdbcLockProvider locks = Databases.at(url)) {
            TableFence.table("holdfast_fence").create(operator);
            Databases.run(url, grants.values().toArray(String[]::new));
            NamedToken token = new NamedToken(
                    "a", 0, new FencingToken(TestClaim.once(locks, "a").token()));
            try (Connection shop = Databases.connect(asShop(url))) {
                shop.setAutoCommit(false);
                for (String table : grants.keySet()) {
                    guard(table, shop, token);
                    guard(table, shop, token);
                    if (Databases.named(url) == Database.POSTGRESQL) {
                        for (String grant : single(grants.get(table)).toList()) {
                            Databases.run(url, grant.replace("GRANT", "REVOKE").replace(" TO ", " FROM "));
                            assertThatThrownBy(() -> guard(table, shop, token))
                                    .as(grant)
                                    .isInstanceOf(SQLException.class)
                                    .hasMessageContaining("permission denied");
                            Databases.run(url, grant);
                        }
                    }
                }
            }
        }
    }

    @Test
    void documentedPrivilegesAreSufficientInH2() throws Exception {
        String url = Databases.h2();
        Databases.createTable(url);
        Databases.run(url, "CREATE USER locks PASSWORD 'secret'");
        Databases.run(url, documented("H2").toArray(String[]::new));
        // Only an administrator may say when the database is closed.
        String asLocks = url.replace(";DB_CLOSE_DELAY=-1", "");
        try (JdbcLockProvider provider = Databases.at(asLocks, "user", "locks", "password", "secret")) {
            useEverything(provider);
        }
    }
}
