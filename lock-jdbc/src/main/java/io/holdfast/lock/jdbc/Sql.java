package io.holdfast.lock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A statement with named parameters, each of which may occur several times.
 *
 * @param text the statement, with a question mark for each occurrence
 * @param parameters the names of the parameters, in the order of the question marks
 */
record Sql(String text, List<String> parameters) {

    private static final Pattern PARAMETER = Pattern.compile(":([a-z_]+)");

    /** Fills in the names of the table; what is written as {@code :name} becomes a parameter. */
    static Sql of(String template, LockTable table) {
        String named = template.replace("{table}", table.qualified())
                .replace("{tokens}", table.tokens())
                .replace("{channel}", table.channel());
        List<String> parameters = PARAMETER
                .matcher(named)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        return new Sql(PARAMETER.matcher(named).replaceAll("?"), parameters);
    }

    void bind(PreparedStatement statement, Map<String, Object> values) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            Object value = Objects.requireNonNull(values.get(parameters.get(i)), parameters.get(i));
            Connection connection = statement.getConnection();
            if (value instanceof String[] texts) {
                statement.setArray(i + 1, connection.createArrayOf("VARCHAR", texts));
            } else if (value instanceof Long[] numbers) {
                statement.setArray(i + 1, connection.createArrayOf("BIGINT", numbers));
            } else {
                statement.setObject(i + 1, value);
            }
        }
    }
}
