package io.holdfast.wrong.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * All mutants of an SQL statement that differ from it in one word, one condition or one assignment, in the order of their places.
 */
final class SqlMutations {

    private static final Map<String, List<String>> WORDS = Map.ofEntries(
            Map.entry("=", List.of("<>")),
            Map.entry("<>", List.of("=")),
            Map.entry("<", List.of("<=", ">=")),
            Map.entry("<=", List.of("<", ">")),
            Map.entry(">", List.of(">=", "<=")),
            Map.entry(">=", List.of(">", "<")),
            Map.entry("+", List.of("-")),
            Map.entry("-", List.of("+")),
            Map.entry("*", List.of("/")),
            Map.entry("AND", List.of("OR")),
            Map.entry("OR", List.of("AND")),
            Map.entry("NULL", List.of("0")),
            Map.entry("TRUE", List.of("FALSE")),
            Map.entry("FALSE", List.of("TRUE")),
            Map.entry("true", List.of("false")),
            Map.entry("false", List.of("true")),
            Map.entry("GREATEST", List.of("LEAST")),
            Map.entry("LEAST", List.of("GREATEST")),
            Map.entry("greatest", List.of("least")),
            Map.entry("MAX", List.of("MIN")),
            Map.entry("ceil", List.of("floor")),
            Map.entry("MILLISECOND", List.of("SECOND")),
            Map.entry("'1 millisecond'", List.of("'1 second'")),
            Map.entry("MICROSECOND", List.of("SECOND")),
            Map.entry("clock_timestamp", List.of("transaction_timestamp")),
            Map.entry("UTC_TIMESTAMP", List.of("NOW")),
            Map.entry(":name_hash", List.of(":claim_id")),
            Map.entry(":claim_id", List.of(":name_hash")),
            Map.entry("bigint", List.of("integer")),
            Map.entry("BIGINT", List.of("INTEGER")),
            Map.entry("timestamptz", List.of("timestamp")),
            Map.entry("ascii_bin", List.of("ascii_general_ci")));

    /** Words that end a condition, unless in parentheses. */
    private static final Set<String> ENDS = Set.of(
            "AND",
            "OR",
            "WHERE",
            "THEN",
            "WHEN",
            "FOR",
            "LIMIT",
            "RETURNING",
            "ORDER",
            "GROUP",
            "UNION",
            "FETCH",
            "OFFSET",
            "ELSE",
            "END",
            "ON",
            ";");

    /** What may be left out as it is. */
    private static final Pattern OPTIONAL = Pattern.compile(
            "\\bNOT(?= EXISTS| IN)|\\bFOR (?:NO KEY )?UPDATE(?: OF held)?(?: SKIP LOCKED)?|\\bOFFSET 0|\\bALL\\b"
                    + "|\\bPRIMARY KEY|\\bCACHE 1|\\bFORCE INDEX \\(PRIMARY\\)|\\bWITH TIME ZONE");

    /** A part of what may be left out as well. */
    private static final Pattern SKIPPING = Pattern.compile("\\bSKIP LOCKED");

    private static final Pattern ASSIGNMENT = Pattern.compile("(?m)^ *[a-z_.]+ = [^\\n]*,$");

    private final String text;
    private final List<Token> tokens;
    private final List<TextEdit> edits = new ArrayList<>();

    private SqlMutations(String text) {
        this.text = text;
        this.tokens = Token.ofSql(text);
    }

    static List<TextEdit> of(String text) {
        SqlMutations mutations = new SqlMutations(text);
        for (int i = 0; i < mutations.tokens.size(); i++) {
            mutations.atToken(i);
        }
        mutations.dropped(OPTIONAL);
        mutations.dropped(SKIPPING);
        mutations.dropped(ASSIGNMENT);
        return mutations.edits;
    }

    private void atToken(int i) {
        Token token = tokens.get(i);
        WORDS.getOrDefault(token.text(), List.of()).forEach(other -> edits.add(TextEdit.replacing(token, other)));
        if (token.isNumber()) {
            NumberEdits.of(token).forEach(edits::add);
        } else if (token.is("AND") || token.is("OR")) {
            edits.add(TextEdit.dropping(text, token.start(), endOfCondition(i + 1)));
        } else if (token.is("WHERE")) {
            droppedFirstCondition(i);
        }
    }

    /** Drops the first of several conditions, or the clause if it has one. */
    private void droppedFirstCondition(int where) {
        int end = endOfCondition(where + 1);
        int after = tokenFrom(end);
        boolean more = after < tokens.size()
                && Set.of("AND", "OR").contains(tokens.get(after).text());
        edits.add(
                more
                        ? TextEdit.dropping(
                                text,
                                tokens.get(where + 1).start(),
                                tokens.get(after).end())
                        : TextEdit.dropping(text, tokens.get(where).start(), end));
    }

    private int tokenFrom(int position) {
        int i = 0;
        while (i < tokens.size() && tokens.get(i).start() < position) {
            i++;
        }
        return i;
    }

    /** Where the condition that begins with a token ends. */
    private int endOfCondition(int first) {
        int depth = 0;
        for (int i = first; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            boolean ends = depth == 0 && (token.is(")") || ENDS.contains(token.text()));
            if (ends && i > first) {
                return tokens.get(i - 1).end();
            }
            depth += token.nesting();
        }
        return tokens.get(tokens.size() - 1).end();
    }

    private void dropped(Pattern pattern) {
        pattern.matcher(text).results().forEach(found -> {
            boolean inComment = text.substring(text.lastIndexOf('\n', found.start()) + 1, found.start())
                    .contains("--");
            if (!inComment) {
                edits.add(TextEdit.dropping(text, found.start(), found.end()));
            }
        });
    }
}
