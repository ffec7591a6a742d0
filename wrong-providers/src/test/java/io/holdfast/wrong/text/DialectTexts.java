package io.holdfast.wrong.text;

import io.holdfast.lock.jdbc.table.ClaimValues;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Sql;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.wrong.text.MutableText.Use;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The statements of the SQL dialects: as string constants of their classes, and as they are executed. */
final class DialectTexts {

    private static final List<String> METHODS = List.of(
            "acquire", "release", "renew", "inForce", "holder", "highestToken", "raiseTokens", "sweep", "removal");

    /** The part of MariaDB's attempt that is repeated for each column. */
    private static final String REPEATED = "%1$s";

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private DialectTexts() {}

    /** The constants of a dialect's class that are statements, or parts of one. */
    static List<MutableText> of(String dialect, SharedDatabase database, TextStore store) {
        String file = "io/holdfast/lock/jdbc/table/" + dialect + ".class";
        Map<String, String> statements = executed(ChangedBackend.unchanged(), database);
        List<MutableText> texts = new ArrayList<>();
        for (String constant : ConstantPool.texts(TextChange.bytes(file))) {
            name(constant, statements)
                    .ifPresent(
                            name -> texts.add(new MutableText(dialect + "." + name, file, constant, store, use(name))));
        }
        return texts;
    }

    private static Use use(String name) {
        return name.startsWith("guards") ? Use.BY_OTHERS : name.matches("sweep|removal") ? Use.BY_CHANCE : Use.BY_LOCKS;
    }

    private static Optional<String> name(String constant, Map<String, String> statements) {
        if (constant.contains(REPEATED)) {
            return Optional.of("acquire.columns");
        }
        // The numbers that are filled in when the statement is made.
        String filled = constant.split("\\{(?:least_token|unmarked)}", 2)[0];
        return constant.contains(" ")
                ? statements.entrySet().stream()
                        .filter(statement -> statement.getValue().startsWith(filled))
                        .map(Map.Entry::getKey)
                        .findFirst()
                : Optional.empty();
    }

    /** The statements that a backend executes, by the names of the dialect's methods. */
    private static Map<String, String> executed(ChangedBackend backend, SharedDatabase database) {
        Map<String, String> statements = new TreeMap<>();
        try {
            Class<?> dialects = backend.loadClass("io.holdfast.lock.jdbc.table.SqlDialect");
            Object dialect = dialects.getMethod("of", String.class).invoke(null, database.product());
            for (String method : METHODS) {
                Object answer = dialects.getMethod(method).invoke(dialect);
                Optional<?> statement = answer instanceof Optional<?> optional ? optional : Optional.of(answer);
                statement.ifPresent(text -> statements.put(method, text.toString()));
            }
            Object guards = dialects.getMethod("guards").invoke(dialect);
            for (String guard : List.of("ownership", "raiseFloor")) {
                statements.put(
                        "guards." + guard,
                        guards.getClass().getMethod(guard).invoke(guards).toString());
            }
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException("The dialect of " + database.product() + " is another one", missing);
        }
        return statements;
    }

    /**
     * Lets the database parse what a changed backend has other than the right one.
     *
     * @throws SQLException if it does not
     */
    static void parse(TextStore store, WrongText changed) throws SQLException {
        SharedDatabase database = SharedDatabase.valueOf(store.name());
        ChangedBackend right = ChangedBackend.unchanged();
        database.create(changed.backend(), changed.separate());
        database.create(right, WrongText.none(store).separate());
        LockTable table = LockTable.of(WrongText.none(store).separate());
        Map<String, String> rightStatements = executed(right, database);
        for (Map.Entry<String, String> statement :
                executed(changed.backend(), database).entrySet()) {
            // The tables of the guards are not there.
            if (!statement.getValue().equals(rightStatements.get(statement.getKey()))
                    && !statement.getKey().startsWith("guards")) {
                parse(database, Sql.of(statement.getValue(), table));
            }
        }
    }

    private static void parse(SharedDatabase database, Sql statement) throws SQLException {
        try (Connection connection = database.connectToParse()) {
            statement
                    .with(values())
                    .on(
                            connection,
                            LIMIT,
                            prepared -> prepared.getParameterMetaData().getParameterCount());
        }
    }

    private static Map<String, Object> values() {
        ClaimRequest request = new ClaimRequest(
                "name", "claim", "owner", Duration.ofSeconds(1), Intent.TRY_ONCE, new Claimant("host", 1, "thread"));
        Map<String, Object> values = new HashMap<>(ClaimValues.of(request, 1, true, false));
        values.putAll(ClaimValues.of(List.of(request)));
        values.put("above", 1L);
        return values;
    }
}
