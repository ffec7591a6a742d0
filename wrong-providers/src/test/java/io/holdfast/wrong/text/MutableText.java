package io.holdfast.wrong.text;

import io.holdfast.servers.RespConnection.ServerError;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A script, or a statement, from which mutants are made.
 *
 * @param name its name, such as {@code hash-acquire.lua} or {@code H2Dialect.renew}
 * @param file the resource or the class file that has it
 * @param text the script, or the whole string constant
 * @param store where its mutants run
 * @param use whether the kit can see a fault of it
 */
record MutableText(String name, String file, String text, TextStore store, Use use) {

    /** How a provider uses a text. */
    enum Use {
        /** In calls that the kit makes. */
        BY_LOCKS,
        /** Seldom: in about one of 256 releases, or where the calls of many threads meet. */
        BY_CHANCE,
        /** By guards of resources, or by a quorum: never in these harnesses. */
        BY_OTHERS
    }

    private static final String LUA = ".lua";

    /** The same script, with mutants that run in another store: for scripts that both layouts of Redis use. */
    MutableText in(TextStore other) {
        return new MutableText(name, file, text, other, use);
    }

    /** Its mutants, in the order of their places. */
    List<TextMutation> mutations() {
        List<TextEdit> edits = name.endsWith(LUA) ? LuaMutations.of(text) : SqlMutations.of(text);
        Map<String, Integer> alike = new HashMap<>();
        return edits.stream()
                .sorted(Comparator.comparingInt(TextEdit::start))
                .map(edit -> {
                    int number = alike.merge(place(edit), 1, Integer::sum);
                    String place = place(edit) + (number == 1 ? "" : " (" + number + ")");
                    return new TextMutation(name + ":" + edit.place(text) + " " + edit.what(), place, this, edit);
                })
                .toList();
    }

    private String place(TextEdit edit) {
        return name + " | " + edit.what() + " | " + edit.line(text);
    }

    /** Whether the server parses the changed text. */
    boolean isParsed(TextChange change, WrongText changed) {
        try {
            if (name.endsWith(LUA)) {
                return RedisTextHarness.server().command("SCRIPT", "LOAD", change.after()) instanceof String;
            }
            DialectTexts.parse(store, changed);
            return true;
        } catch (ServerError | SQLException refused) {
            return false;
        }
    }
}
