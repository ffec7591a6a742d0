package io.holdfast.wrong.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** All mutants of a Lua script that differ from it in one word, one call or one argument, in the order of their places. */
final class LuaMutations {

    private static final Map<String, List<String>> WORDS = Map.ofEntries(
            Map.entry("==", List.of("~=")),
            Map.entry("~=", List.of("==")),
            Map.entry("<", List.of("<=", ">=")),
            Map.entry("<=", List.of("<", ">")),
            Map.entry(">", List.of(">=", "<=")),
            Map.entry(">=", List.of(">", "<")),
            Map.entry("+", List.of("-")),
            Map.entry("-", List.of("+")),
            Map.entry("*", List.of("/")),
            Map.entry("/", List.of("*")),
            Map.entry("and", List.of("or")),
            Map.entry("or", List.of("and")),
            Map.entry("nil", List.of("false")),
            Map.entry("false", List.of("nil", "true")),
            Map.entry("true", List.of("false")),
            Map.entry("max", List.of("min")),
            Map.entry("floor", List.of("ceil")),
            Map.entry("'PX'", List.of("'EX'")),
            Map.entry("'PEXPIRE'", List.of("'EXPIRE'")),
            Map.entry("'PEXPIREAT'", List.of("'EXPIREAT'")),
            Map.entry("'PTTL'", List.of("'TTL'")),
            Map.entry("'0'", List.of("'1'")),
            Map.entry("'SPUBLISH'", List.of("'PUBLISH'")),
            Map.entry("'PUBLISH'", List.of("'SPUBLISH'")));

    private static final Set<String> OPTIONS = Set.of("'NX'", "'KEEPTTL'");

    /** A statement that is a call and nothing else. */
    private static final Pattern CALL = Pattern.compile(
            "(?m)^ *(?:(?:redis\\.)?p?call|publish|expire_at|tidy|table\\.insert|error|wrong_type|changed_field)\\(");

    private final String text;
    private final List<Token> tokens;
    private final List<TextEdit> edits = new ArrayList<>();

    private LuaMutations(String text) {
        this.text = text;
        this.tokens = Token.ofLua(text);
    }

    static List<TextEdit> of(String text) {
        LuaMutations mutations = new LuaMutations(text);
        for (int i = 0; i < mutations.tokens.size(); i++) {
            mutations.atToken(i);
        }
        mutations.droppedCalls();
        return mutations.edits;
    }

    private void atToken(int i) {
        Token token = tokens.get(i);
        WORDS.getOrDefault(token.text(), List.of()).forEach(other -> edits.add(TextEdit.replacing(token, other)));
        if (token.is("not")) {
            edits.add(TextEdit.dropping(text, token.start(), token.end()));
        } else if (OPTIONS.contains(token.text()) && tokens.get(i - 1).is(",")) {
            edits.add(TextEdit.dropping(text, tokens.get(i - 1).start(), token.end()));
        } else if (token.isNumber()) {
            atNumber(i);
        }
    }

    private void atNumber(int i) {
        Token number = tokens.get(i);
        boolean isIndex = i > 1
                && tokens.get(i - 1).is("[")
                && Set.of("KEYS", "ARGV").contains(tokens.get(i - 2).text());
        if (isIndex) {
            int index = Integer.parseInt(number.text());
            for (int other : index == 1 ? new int[] {2} : new int[] {index - 1, index + 1}) {
                edits.add(new TextEdit(
                        number.start(),
                        number.end(),
                        Integer.toString(other),
                        tokens.get(i - 2).text() + "[" + index + "] -> [" + other + "]"));
            }
        } else {
            NumberEdits.of(number).forEach(edits::add);
        }
    }

    private void droppedCalls() {
        CALL.matcher(text).results().forEach(call -> {
            int depth = 0;
            for (Token token : tokens) {
                if (token.start() < call.start()) {
                    continue;
                }
                depth += token.nesting();
                if (depth == 0 && token.is(")")) {
                    edits.add(TextEdit.dropping(text, call.start(), token.end()));
                    return;
                }
            }
        });
    }
}
