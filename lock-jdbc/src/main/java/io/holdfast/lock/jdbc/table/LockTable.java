package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockConfigurationException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of the lock table. It becomes a part of statements, where it cannot be a parameter, so it has to be a plain
 * identifier. It is not quoted: each database treats its case as in the application's own statements.
 *
 * @param schema the schema with a dot behind it; empty for the connection's own
 * @param name the table
 */
public record LockTable(String schema, String name) {

    /** The name of the table, unless another is set. */
    public static final String DEFAULT = "holdfast_lock";

    /** Short enough for PostgreSQL's 63 characters with the suffix of the token source. */
    private static final Pattern ALLOWED =
            Pattern.compile("(?:([A-Za-z_][A-Za-z0-9_]{0,47})\\.)?([A-Za-z_][A-Za-z0-9_]{0,47})");

    /**
     * Reads a name.
     *
     * @param text {@code table} or {@code schema.table}
     * @return the table
     * @throws LockConfigurationException if it is not a plain identifier
     */
    public static LockTable of(String text) {
        Matcher matcher = ALLOWED.matcher(text);
        if (!matcher.matches()) {
            throw new LockConfigurationException("The table '" + text + "' is not allowed; allowed is table or"
                    + " schema.table, each of 1 to 48 letters, digits and underscores, not beginning with a digit");
        }
        return new LockTable(matcher.group(1) == null ? "" : matcher.group(1) + ".", matcher.group(2));
    }

    /**
     * The table in a statement.
     *
     * @return the name with its schema
     */
    public String qualified() {
        return schema + name;
    }

    /**
     * The source of the tokens: a sequence, or a table with one row.
     *
     * @return its name with its schema
     */
    public String tokens() {
        return schema + name + "_token";
    }

    /**
     * The channel of messages about releases. Channels belong to a database and not to a schema.
     *
     * @return its name
     */
    public String channel() {
        return name.toLowerCase(Locale.ROOT);
    }

    /**
     * Fills in the parts that a statement cannot have as parameters.
     *
     * @param template a statement with {@code {table}}, {@code {tokens}}, {@code {channel}}, {@code {stock}}, {@code
     *     {advisory_class}} or {@code {raising_class}}
     * @return the statement
     */
    public String filledInto(String template) {
        return template.replace("{table}", qualified())
                .replace("{tokens}", tokens())
                .replace("{channel}", channel())
                .replace("{stock}", Integer.toString(LockRecords.MOST_TOKENS))
                .replace("{advisory_class}", Integer.toString(LockKey.ADVISORY_CLASS))
                .replace("{raising_class}", Integer.toString(LockKey.RAISING_CLASS));
    }

    @Override
    public String toString() {
        return qualified();
    }
}
