package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.servers.PostgreSqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class LockAroundTransactionTest {

    private static final int ALL = 200;

    private static void assertThatOnlyTheWrongOrderLosesUpdates(String url) throws Exception {
        assertThat(LockAroundTransaction.count(LockAroundTransaction::inside, url))
                .as("free before the commit")
                .isLessThan(ALL);
        assertThat(LockAroundTransaction.count(LockAroundTransaction::insideButFenced, url))
                .as("the guard orders the transactions")
                .isEqualTo(ALL);
        assertThat(LockAroundTransaction.count(LockAroundTransaction::around, url))
                .as("free after the commit")
                .isEqualTo(ALL);
    }

    @Test
    void inH2() throws Exception {
        assertThatOnlyTheWrongOrderLosesUpdates("jdbc:h2:mem:transactions;LOCK_TIMEOUT=20000");
    }

    /** Of a refused transaction nothing is left when the next holder comes, also no lock of the row. */
    @Test
    void refusedTransactionIsRolledBackBeforeTheRelease() throws Exception {
        String url = "jdbc:h2:mem:refused;LOCK_TIMEOUT=1";
        try (Connection connection = DriverManager.getConnection(url);
                Connection next = DriverManager.getConnection(url);
                Statement statement = next.createStatement();
                LockClient client = LockClient.builder("jdbc:h2:mem:refused")
                        .property("createTable", "true")
                        .build()) {
            LockAroundTransaction.createStock(next);
            statement.executeUpdate("UPDATE stock SET fence = " + Long.MAX_VALUE);
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> LockAroundTransaction.around(client.lock("stock:42"), connection))
                    .isInstanceOf(StaleTokenException.class);
            assertThat(statement.executeUpdate("UPDATE stock SET units = 7")).isEqualTo(1);
        }
    }

    @Test
    @Tag("full")
    void inPostgreSql() throws Exception {
        try (PostgreSqlServer server = PostgreSqlServer.start("fsync=off")) {
            assertThatOnlyTheWrongOrderLosesUpdates(server.url());
        }
    }
}
