package io.holdfast.lock.jdbc;

import io.holdfast.parts.Waits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A database that answers each change of locks with an error, while its connections stay: PostgreSQL by transactions that are
 * read-only unless they say otherwise (SQLSTATE 25006), as a server is that has just become a standby; MariaDB, whose test user
 * is exempt from such a setting, by triggers that say that the disk is full (53100).
 *
 * @param url the database
 * @param isPostgreSql which of the two it is
 */
record Refusal(String url, boolean isPostgreSql) {

    private static final String SETTING = "default_transaction_read_only";
    private static final List<String> CHANGES = List.of("INSERT", "UPDATE", "DELETE");

    static Refusal of(String url) {
        return new Refusal(url, url.contains("postgresql"));
    }

    void begin() {
        if (isPostgreSql) {
            set("on");
        } else {
            execute(CHANGES.stream()
                    .map(change -> "CREATE TRIGGER holdfast_no_" + change + " BEFORE " + change + " ON holdfast_lock"
                            + " FOR EACH ROW SIGNAL SQLSTATE '53100' SET MESSAGE_TEXT = 'The disk is full'")
                    .toList());
        }
    }

    void end() {
        if (isPostgreSql) {
            set("off");
        } else {
            execute(CHANGES.stream()
                    .map(change -> "DROP TRIGGER holdfast_no_" + change)
                    .toList());
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
