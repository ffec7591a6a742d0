package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.PostgreSqlServer;
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
        assertThatOnlyTheWrongOrderLosesUpdates("jdbc:h2:mem:transactions");
    }

    @Test
    @Tag("full")
    void inPostgreSql() throws Exception {
        try (PostgreSqlServer server = PostgreSqlServer.start("fsync=off")) {
            assertThatOnlyTheWrongOrderLosesUpdates(server.url());
        }
    }
}
