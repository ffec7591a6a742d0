package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.table.LockTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A statement with named parameters, which may occur several times.
 *
 * @param template the statement; what is written as {@code :name} is a parameter, and {@code :name[]} is the elements of one that
 *     is an array, for databases that have no arrays
 * @param parameters the parameters in the order in which they occur
 */
record Sql(String template, List<Parameter> parameters) {

    private static final Pattern PARAMETER = Pattern.compile(":([a-z_]+)(\\[])?");

    /**
     * An occurrence of a parameter.
     *
     * @param name the name
     * @param listed whether it stands for the elements of an array
     */
    record Parameter(String name, boolean listed) {

        private static Parameter of(MatchResult found) {
            return new Parameter(found.group(1), found.group(2) != null);
        }
    }

    /** A statement without parameters. */
    static Bound plain(String text) {
        return new Sql(text, List.of()).with(Map.of());
    }

    /** Creates a statement for a table. */
    static Sql of(String template, LockTable table) {
        String named = table.filledInto(template);
        return new Sql(
                named, PARAMETER.matcher(named).results().map(Parameter::of).toList());
    }

    /** The statement with values for its parameters. */
    Bound with(Map<String, Object> values) {
        return new Bound(this, values);
    }

    /**
     * A statement and its values.
     *
     * @param sql the statement
     * @param values by the names of the parameters
     */
    record Bound(Sql sql, Map<String, Object> values) {

        /** The statement for the driver: with a question mark for each value. */
        String text() {
            return PARAMETER.matcher(sql.template).replaceAll(found -> {
                Parameter parameter = Parameter.of(found);
                return parameter.listed()
                        ? String.join(", ", Collections.nCopies(elements(parameter.name()).length, "?"))
                        : "?";
            });
        }

        private Object value(String name) {
            return Objects.requireNonNull(values.get(name), name);
        }

        private Object[] elements(String name) {
            return (Object[]) value(name);
        }

        void bindTo(PreparedStatement statement) throws SQLException {
            int position = 1;
            for (Parameter parameter : sql.parameters) {
                if (parameter.listed()) {
                    for (Object element : elements(parameter.name())) {
                        statement.setObject(position++, element);
                    }
                    continue;
                }
                Object value = value(parameter.name());
                Connection connection = statement.getConnection();
                if (value instanceof String[] texts) {
                    statement.setArray(position, connection.createArrayOf("VARCHAR", texts));
                } else if (value instanceof Long[] numbers) {
                    statement.setArray(position, connection.createArrayOf("BIGINT", numbers));
                } else {
                    statement.setObject(position, value);
                }
                position++;
            }
        }
    }
}
