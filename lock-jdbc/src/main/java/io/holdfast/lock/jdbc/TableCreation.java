package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Sql;
import io.holdfast.lock.jdbc.table.SqlDialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Creates the table by the shipped script before the first statement that needs it, and again after a statement found
 * it missing.
 */
final class TableCreation {

    /** The SQLSTATEs of a table or row that another client creates at the same time. */
    private static final Set<String> CREATED_CONCURRENTLY = Set.of("23505", "42P07", "42710", "42S01");

    private static final int ATTEMPTS = 5;

    private final List<String> statements;
    private final SharedRun<Optional<SQLException>> creation = new SharedRun<>();
    private volatile boolean done;

    private TableCreation(List<String> statements) {
        this.statements = statements;
        this.done = statements.isEmpty();
    }

    static TableCreation none() {
        return new TableCreation(List.of());
    }

    static TableCreation of(SqlDialect dialect, LockTable table) {
        return new TableCreation(script(dialect.creation(), LockTable.DEFAULT, table.qualified()));
    }

    /** Reads the statements of a shipped script, for a table with another name. */
    static List<String> script(String file, String nameInFile, String name) {
        try (InputStream script = TableCreation.class.getResourceAsStream(file)) {
            String text = new String(Objects.requireNonNull(script, file).readAllBytes(), StandardCharsets.UTF_8)
                    .replaceAll("--[^\n]*", "");
            return Stream.of(text.replace(nameInFile, name).split(";"))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void ensure(Connections connections) {
        if (done) {
            return;
        }
        creation.here(() -> created(connections)).ifPresent(failure -> {
            throw connections.failures().of("creation of the table", failure);
        });
    }

    /**
     * Makes the next call create the table if a statement failed because it is missing: a database may be restored
     * without it.
     */
    void after(SQLException failure) {
        if (DatabaseFailures.tableIsMissing(failure)) {
            done = statements.isEmpty();
        }
    }

    private Optional<SQLException> created(Connections connections) {
        try {
            for (String statement : done ? List.<String>of() : statements) {
                create(connections, statement);
            }
            done = true;
            return Optional.empty();
        } catch (SQLException failure) {
            return Optional.of(failure);
        }
    }

    private static void create(Connections connections, String statement) throws SQLException {
        repeated(() -> connections.run(
                new Sql(statement, Statement.NO_GENERATED_KEYS).with(Map.of()), PreparedStatement::execute));
    }

    /** A statement of a script. */
    interface Creating {
        void run() throws SQLException;
    }

    /** Repeats a statement that another client got ahead of: each does nothing if its work is done. */
    static void repeated(Creating statement) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                statement.run();
                return;
            } catch (SQLException failure) {
                if (attempt == ATTEMPTS || !CREATED_CONCURRENTLY.contains(String.valueOf(failure.getSQLState()))) {
                    throw failure;
                }
            }
        }
    }
}
