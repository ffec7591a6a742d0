package io.holdfast.lock.jdbc;

import io.holdfast.parts.Waits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A database that answers each change of locks with an error, while its connections stay. Triggers say so; but PostgreSQL has a
 * setting for transactions that may only read, from which MariaDB exempts the user of the tests.
 *
 * @param url the database
 * @param kind of error
 * @param isPostgreSql which of the two databases it is
 */
record Refusal(String url, String kind, boolean isPostgreSql) {

    /** As a server is that has just become a standby. */
    static final String READ_ONLY = "read-only";

    /** The disk of the server is. */
    static final String FULL = "full";

    private static final String SETTING = "default_transaction_read_only";
    private static final List<String> CHANGES = List.of("INSERT", "UPDATE", "DELETE");

    static Refusal of(String url, String kind) {
        return new Refusal(url, kind, url.contains("postgresql"));
    }

    void begin() {
        if (!isPostgreSql) {
            String error = kind.equals(FULL) ? "'53100'" : "'HY000' SET MYSQL_ERRNO = 1290";
            execute(CHANGES.stream()
                    .map(change -> "CREATE TRIGGER holdfast_no_" + change + " BEFORE " + change
                            + " ON holdfast_lock FOR EACH ROW SIGNAL SQLSTATE " + error)
                    .toList());
        } else if (kind.equals(READ_ONLY)) {
            set("on");
        } else {
            execute(List.of(
                    "CREATE FUNCTION holdfast_no_change() RETURNS trigger AS 'BEGIN RAISE disk_full; END' LANGUAGE plpgsql",
                    "CREATE TRIGGER holdfast_no_change BEFORE INSERT OR UPDATE OR DELETE ON holdfast_lock"
                            + " FOR EACH ROW EXECUTE FUNCTION holdfast_no_change()"));
        }
    }

    void end() {
        if (!isPostgreSql) {
            execute(CHANGES.stream()
                    .map(change -> "DROP TRIGGER holdfast_no_" + change)
                    .toList());
        } else if (kind.equals(READ_ONLY)) {
            set("off");
        } else {
            execute(List.of("DROP FUNCTION holdfast_no_change() CASCADE"));
        }
    }

    /** A new session has the setting once all others were told of it. */
    private void set(String value) {
        execute(List.of("ALTER SYSTEM SET " + SETTING + " = " + value, "SELECT pg_reload_conf()"));
        Waits.soon().until(() -> value.equals(setting()));
    }

    private String setting() {
        try (Connection connection = Databases.connect(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW " + SETTING)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    private void execute(List<String> statements) {
        try (Connection connection = Databases.connect(url);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }
}
