package io.holdfast.lock.jdbc.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A statement with named parameters, which may occur several times. Immutable. */
public final class Sql {

    private static final Pattern PARAMETER = Pattern.compile(":([a-z_]+)(\\[])?");

    private final String template;
    private final int generatedKeys;
    private final List<String> parameters;

    /** For the driver, if it is the same whatever the values are; else null. */
    private final @Nullable String text;

    /**
     * Creates a statement.
     *
     * @param template the statement; what is written as {@code :name} is a parameter, and {@code :name[]} is the elements of one
     *     that is an array, for databases that have no arrays
     * @param generatedKeys whether the driver is to report them, as {@link Connection#prepareStatement(String, int)} takes it
     */
    public Sql(String template, int generatedKeys) {
        this.template = template;
        this.generatedKeys = generatedKeys;
        this.parameters = PARAMETER
                .matcher(template)
                .results()
                .map(found -> found.group(1))
                .toList();
        boolean hasElements = PARAMETER.matcher(template).results().anyMatch(found -> found.group(2) != null);
        this.text = hasElements ? null : PARAMETER.matcher(template).replaceAll("?");
    }

    /**
     * Executes a statement and reads its outcome.
     *
     * @param <T> the outcome
     */
    public interface Execution<T extends @Nullable Object> {
        /**
         * Executes it.
         *
         * @param statement with its values
         * @return the outcome
         * @throws SQLException if it fails
         */
        T of(PreparedStatement statement) throws SQLException;
    }

    /**
     * Reads what a query returned.
     *
     * @param <T> what was read
     */
    public interface Rows<T extends @Nullable Object> {
        /**
         * Reads it.
         *
         * @param rows of the query
         * @return what was read
         * @throws SQLException if that fails
         */
        T read(ResultSet rows) throws SQLException;
    }

    /**
     * Executes a query.
     *
     * @param rows reads what it returns
     * @param <T> what was read
     * @return the execution
     */
    public static <T extends @Nullable Object> Execution<T> reading(Rows<T> rows) {
        return statement -> {
            try (ResultSet found = statement.executeQuery()) {
                return rows.read(found);
            }
        };
    }

    /**
     * Creates a statement for a table.
     *
     * @param template the statement, with the table and the parameters to be filled in
     * @param table the table
     * @return the statement
     */
    public static Sql of(String template, LockTable table) {
        return new Sql(table.filledInto(template), Statement.NO_GENERATED_KEYS);
    }

    /**
     * The statement with values for its parameters.
     *
     * @param values by the names of the parameters; more than these do no harm
     * @return what can be executed
     */
    public Bound with(Map<String, Object> values) {
        if (text != null) {
            return new Bound(
                    text,
                    generatedKeys,
                    parameters.stream().map(name -> value(values, name)).toList());
        }
        List<Object> inOrder = new ArrayList<>();
        String listed = PARAMETER.matcher(template).replaceAll(found -> {
            Object value = value(values, found.group(1));
            List<Object> elements = found.group(2) == null ? List.of(value) : Arrays.asList((Object[]) value);
            inOrder.addAll(elements);
            return String.join(", ", Collections.nCopies(elements.size(), "?"));
        });
        return new Bound(listed, generatedKeys, inOrder);
    }

    private static Object value(Map<String, Object> values, String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    /**
     * A statement and its values.
     *
     * @param text for the driver: with a question mark for each value
     * @param generatedKeys whether the driver is to report them
     * @param values in the order in which they occur
     */
    public record Bound(String text, int generatedKeys, List<Object> values) {

        /**
         * Runs the statement.
         *
         * @param connection in use by the caller
         * @param limit after which the database is asked to cancel it
         * @param execution executes it
         * @param <T> the outcome
         * @return the outcome
         * @throws SQLException if it fails
         */
        public <T extends @Nullable Object> T on(Connection connection, Duration limit, Execution<T> execution)
                throws SQLException {
            return on(connection, DriverLimits.INSTANCE, limit, execution);
        }

        /**
         * Runs the statement.
         *
         * @param connection in use by the caller
         * @param limits have the limit kept
         * @param limit after which the database is asked to cancel it
         * @param execution executes it
         * @param <T> the outcome
         * @return the outcome
         * @throws SQLException if it fails
         */
        public <T extends @Nullable Object> T on(
                Connection connection, StatementLimits limits, Duration limit, Execution<T> execution)
                throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement(text, generatedKeys)) {
                for (int position = 1; position <= values.size(); position++) {
                    bind(statement, position, values.get(position - 1));
                }
                return limits.run(statement, limit, execution);
            }
        }

        private static void bind(PreparedStatement statement, int position, Object value) throws SQLException {
            if (value instanceof String[] texts) {
                statement.setArray(position, statement.getConnection().createArrayOf("VARCHAR", texts));
            } else if (value instanceof Long[] numbers) {
                statement.setArray(position, statement.getConnection().createArrayOf("BIGINT", numbers));
            } else {
                statement.setObject(position, value);
            }
        }
    }
}
