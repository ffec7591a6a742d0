package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.parts.Proves;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The guard of a row of the application's table. */
@Tag("server")
class RowFenceTest {

    private static final RowFence FENCE = RowFence.table("stock")
            .key("item")
            .lockNamed(item -> "stock:" + item)
            .build();
    private static final RowFence EPOCHS = RowFence.table("stock")
            .key("item")
            .epoch("fence_epoch")
            .lockNamed(item -> "stock:" + item)
            .build();

    private static NamedToken token(long number) {
        return new NamedToken("stock:lamp", 0, new FencingToken(number));
    }

    private static Connection shop(String url) throws SQLException {
        Databases.run(
                url,
                "DROP TABLE IF EXISTS stock",
                "CREATE TABLE stock (item VARCHAR(50) PRIMARY KEY, units INT NOT NULL,"
                        + " fence BIGINT DEFAULT 0 NOT NULL, fence_epoch INT DEFAULT 0 NOT NULL)",
                "INSERT INTO stock (item, units) VALUES ('lamp', 100), ('chair', 7)");
        Connection connection = Databases.connect(url);
        connection.setAutoCommit(false);
        return connection;
    }

    private static String lamps(String url) {
        return Databases.ask(url, "SELECT units FROM stock WHERE item = 'lamp'");
    }

    @Proves("6.4")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void updateBelowTheFloorIsRefusedAndChangesNothing(String url) throws SQLException {
        try (Connection connection = shop(url)) {
            FENCE.update(connection, "lamp", token(10), "units = ?", 50);
            FENCE.update(connection, "lamp", token(10), "units = units - ?", 1);
            connection.commit();

            assertThatThrownBy(() -> FENCE.update(connection, "lamp", token(9), "units = ?", 99))
                    .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                        assertThat(stale.token()).isEqualTo(token(9));
                        assertThat(stale.floor()).isEqualTo(10);
                    });
            connection.commit();
            assertThat(lamps(url)).isEqualTo("49");
        }
    }

    @Proves("6.6")
    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void enteringRaisesTheFloorAndRefusesEarlierHolders(String url) throws SQLException {
        try (Connection connection = shop(url)) {
            FENCE.enter(connection, "lamp", token(10));
            FENCE.enter(connection, "lamp", token(10));
            connection.commit();

            assertThatThrownBy(() -> FENCE.update(connection, "lamp", token(9), "units = ?", 99))
                    .isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> FENCE.enter(connection, "lamp", token(9))).isInstanceOf(StaleTokenException.class);
            connection.rollback();
            FENCE.update(connection, "lamp", token(Long.MAX_VALUE), "units = ?", 1);
            connection.commit();
            assertThatThrownBy(() -> FENCE.enter(connection, "lamp", token(Long.MAX_VALUE - 1)))
                    .isInstanceOf(StaleTokenException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void tokenOfALaterEpochIsNewerWhateverItsNumber(String url) throws SQLException {
        try (Connection connection = shop(url)) {
            EPOCHS.enter(connection, "lamp", token(5000));
            EPOCHS.update(connection, "lamp", token(3).inEpoch(1), "units = ?", 61);
            EPOCHS.update(connection, "lamp", token(3).inEpoch(1), "units = units - ?", 1);
            connection.commit();

            assertThatThrownBy(() -> EPOCHS.update(connection, "lamp", token(5001), "units = ?", 99))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("before the lock store lost its data");
            assertThatThrownBy(() -> EPOCHS.enter(connection, "lamp", token(2).inEpoch(1)))
                    .isInstanceOf(StaleTokenException.class);
            connection.rollback();
            assertThat(lamps(url)).isEqualTo("60");
            assertThatThrownBy(() -> FENCE.enter(connection, "lamp", token(3).inEpoch(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("epoch 1", "no column for the epoch; allowed is 0");
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void tokenOfAnotherLockAndUnknownRowAreRefused(String url) throws SQLException {
        try (Connection connection = shop(url)) {
            assertThatThrownBy(() -> FENCE.enter(connection, "chair", token(10)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'stock:lamp'", "'stock:chair'");
            assertThatThrownBy(() -> FENCE.update(connection, "chair", token(10), "units = ?", 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'stock:lamp'", "'stock:chair'");
            NamedToken table = new NamedToken("stock:table", 0, new FencingToken(1));
            assertThatThrownBy(() -> FENCE.update(connection, "table", table, "units = ?", 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("There is no row 'table' in the table stock");
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void rowIsLockedFromTheEntryToTheCommit(String url) throws SQLException {
        try (Connection connection = shop(url);
                Connection later = Databases.connect(url)) {
            later.setAutoCommit(false);
            FENCE.enter(connection, "lamp", token(9));
            FenceRaces.Waiting next = FenceRaces.waiting(url, later, () -> FENCE.enter(later, "lamp", token(10)));
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE stock SET units = 42 WHERE item = 'lamp'");
            }
            next.requireBlocked();
            connection.commit();
            next.requireDone();
            later.commit();
            assertThatThrownBy(() -> FENCE.enter(connection, "lamp", token(9))).isInstanceOf(StaleTokenException.class);
        }
    }

    /** At REPEATABLE READ, the default of MariaDB, a plain query would show the floor as it was. */
    @Test
    @EnabledIf("io.holdfast.servers.MariaDbServer#isAvailable")
    void floorIsNotReadFromASnapshot() throws SQLException {
        String url = Databases.newMariaDb();
        try (Connection connection = shop(url);
                Connection later = Databases.connect(url);
                Statement statement = connection.createStatement()) {
            FENCE.enter(connection, "lamp", token(7));
            connection.commit();
            statement.executeQuery("SELECT units FROM stock").close();
            FENCE.update(later, "lamp", token(8), "units = ?", 50);

            assertThatThrownBy(() -> FENCE.update(connection, "lamp", token(7), "units = ?", 99))
                    .isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> FENCE.enter(connection, "lamp", token(7))).isInstanceOf(StaleTokenException.class);
            connection.rollback();
            assertThat(lamps(url)).isEqualTo("50");
        }
    }

    /** PostgreSQL: the update that raises the floor waits for the former row, and does not see the new one. */
    @Test
    void rowThatWasInsertedAgainWhileTheEntryWaitedIsNotTakenForRaised() throws SQLException {
        String url = Databases.newPostgreSql();
        try (Connection connection = shop(url);
                Connection later = Databases.connect(url)) {
            later.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("DELETE FROM stock WHERE item = 'lamp'");
                statement.executeUpdate("INSERT INTO stock (item, units, fence) VALUES ('lamp', 1, 6)");
            }
            FenceRaces.Waiting next = FenceRaces.waiting(
                    url,
                    later,
                    () -> assertThatThrownBy(() -> FENCE.enter(later, "lamp", token(7)))
                            .isInstanceOf(SQLException.class)
                            .hasMessageContaining("came between two statements; repeat the transaction"));
            next.requireBlocked();
            connection.commit();
            next.requireDone();
            later.rollback();
            FENCE.enter(later, "lamp", token(7));
        }
    }

    @Test
    void entryWithAutoCommitIsRefused() throws SQLException {
        try (Connection connection = shop(Databases.h2())) {
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> FENCE.enter(connection, "lamp", token(9)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("Auto-commit is on");
            FENCE.update(connection, "lamp", token(9), "units = ?", 1);
        }
    }

    /** Some applications have the driver count only rows that are different afterwards. */
    @Test
    @EnabledIf("io.holdfast.servers.MariaDbServer#isAvailable")
    void entryWithTheTokenThatIsTheFloorIsAcceptedIfTheDriverCountsChangedRows() throws SQLException {
        String url = Databases.newMariaDb();
        try (Connection connection = shop(url + "&useAffectedRows=true")) {
            FENCE.enter(connection, "lamp", token(9));
            FENCE.enter(connection, "lamp", token(9));
            assertThatThrownBy(() -> FENCE.enter(connection, "lamp", token(8))).isInstanceOf(StaleTokenException.class);
        }
    }

    /** Another holder has changed all rows since the transaction of this connection first read anything. */
    private static void readBeforeAnotherHolderWrites(Connection connection, Connection other, NamedToken theirs)
            throws SQLException {
        assertThat(units(connection, "lamp")).isEqualTo(100);
        FENCE.update(other, "lamp", theirs, "units = ?", 50);
        try (Statement statement = other.createStatement()) {
            statement.executeUpdate("UPDATE stock SET units = 5 WHERE item = 'chair'");
        }
        other.commit();
    }

    private static int units(Connection connection, String item) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT units FROM stock WHERE item = '" + item + "'")) {
            assertThat(row.next()).isTrue();
            return row.getInt(1);
        }
    }

    /** The default from MariaDB 11.6 on. */
    @Test
    @EnabledIf("io.holdfast.servers.MariaDbServer#isAvailable")
    void entryAfterAReadFailsInMariaDbWithSnapshotIsolationIfTheRowHasChanged() throws SQLException {
        String url = Databases.newMariaDb();
        try (Connection connection = shop(url + "&sessionVariables=innodb_snapshot_isolation=1");
                Connection other = Databases.connect(url)) {
            other.setAutoCommit(false);
            readBeforeAnotherHolderWrites(connection, other, token(9));
            assertThatThrownBy(() -> FENCE.enter(connection, "lamp", token(10)))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            changed -> assertThat(changed.getErrorCode()).isEqualTo(1020));
            connection.rollback();
            FENCE.enter(connection, "lamp", token(10));
            assertThat(units(connection, "lamp")).isEqualTo(50);
        }
    }

    @Test
    @EnabledIf("io.holdfast.servers.MariaDbServer#isAvailable")
    void entryAfterAReadShowsOldDataInMariaDbWithoutSnapshotIsolation() throws SQLException {
        String url = Databases.newMariaDb();
        try (Connection connection = shop(url + "&sessionVariables=innodb_snapshot_isolation=0");
                Connection other = Databases.connect(url)) {
            other.setAutoCommit(false);
            readBeforeAnotherHolderWrites(connection, other, token(9));
            FENCE.enter(connection, "lamp", token(10));
            assertThat(units(connection, "lamp")).isEqualTo(50);
            assertThat(units(connection, "chair")).isEqualTo(7);
            connection.rollback();
        }
    }

    @Test
    @EnabledIf("io.holdfast.servers.MariaDbServer#isAvailable")
    void entryWithTheTokenThatIsTheFloorShowsEvenTheRowAsItWasInMariaDb() throws SQLException {
        String url = Databases.newMariaDb();
        try (Connection connection = shop(url + "&sessionVariables=innodb_snapshot_isolation=0");
                Connection other = Databases.connect(url)) {
            other.setAutoCommit(false);
            readBeforeAnotherHolderWrites(connection, other, token(10));
            FENCE.enter(connection, "lamp", token(10));
            assertThat(units(connection, "lamp")).isEqualTo(100);
            connection.rollback();
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void keyOfTwoRowsAndRowWithoutFloorAreRefused(String url) throws SQLException {
        try (Connection connection = shop(url)) {
            Databases.run(
                    url,
                    "DROP TABLE stock",
                    "CREATE TABLE stock (item VARCHAR(50), units INT, fence BIGINT)",
                    "INSERT INTO stock VALUES ('lamp', 1, 0), ('lamp', 2, 0), ('chair', 3, NULL)");
            assertThatThrownBy(() -> FENCE.enter(connection, "lamp", token(9)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'lamp' is the item of 2 rows of the table stock");
            connection.rollback();
            NamedToken chair = new NamedToken("stock:chair", 0, new FencingToken(1));
            assertThatThrownBy(() -> FENCE.enter(connection, "chair", chair))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is NULL");
            connection.rollback();

            connection.setAutoCommit(true);
            assertThatThrownBy(() -> FENCE.update(connection, "chair", chair, "units = ?", 9))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(Databases.ask(url, "SELECT units FROM stock WHERE item = 'chair'"))
                    .isEqualTo("3");
            assertThatThrownBy(() -> FENCE.update(connection, "lamp", token(9), "units = ?", 9))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith("Roll the transaction back, if auto-commit is off");
            assertThat(Databases.ask(url, "SELECT count(*) FROM stock WHERE units = 9"))
                    .as("what the page says of auto-commit")
                    .isEqualTo("2");
            Databases.run(url, "UPDATE stock SET fence = 11 WHERE units = 9");
            Databases.run(url, "INSERT INTO stock VALUES ('lamp', 4, 0)");
            FENCE.update(connection, "lamp", token(10), "units = ?", 5);
            assertThat(Databases.ask(url, "SELECT count(*) FROM stock WHERE units = 5"))
                    .as("a key that is not unique, and only one floor that is not above the token")
                    .isEqualTo("1");
        }
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.lock.jdbc.Databases#newOfAll")
    void namesMayBeAsLongAsTheDatabasesAllow(String url) throws SQLException {
        String name = "t".repeat(63);
        RowFence fence = RowFence.table(name)
                .key(name)
                .fence("f".repeat(63))
                .lockNamed(key -> "stock:" + key)
                .build();
        try (Connection connection = shop(url)) {
            Databases.run(
                    url,
                    "CREATE TABLE " + name + " (" + name + " VARCHAR(50) PRIMARY KEY, " + "f".repeat(63)
                            + " BIGINT DEFAULT 0 NOT NULL)",
                    "INSERT INTO " + name + " (" + name + ") VALUES ('lamp')");
            fence.enter(connection, "lamp", token(9));
            connection.commit();
            assertThatThrownBy(() -> fence.enter(connection, "lamp", token(8))).isInstanceOf(StaleTokenException.class);
        }
        assertThatThrownBy(() -> RowFence.table(name + "t"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("each of 1 to 63 letters");
    }

    @Test
    void namesThatAreNoIdentifiersAreRefused() {
        RowFence.Builder builder = RowFence.table("stock");
        for (String name : new String[] {"", "a b", "a;", "1a", "\"a\"", "a.", ".a", "a.b.c"}) {
            assertThatThrownBy(() -> builder.key(name))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageStartingWith("The column '" + name + "' is not allowed");
            assertThatThrownBy(() -> RowFence.table(name)).isInstanceOf(LockConfigurationException.class);
        }
        assertThatThrownBy(builder::build)
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lockNamed");
    }
}
