package io.holdfast.wrong.text;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A word of a program.
 *
 * @param text the word
 * @param start where it begins
 */
record Token(String text, int start) {

    private static final String NUMBER_OR_NAME = "|\\d+(?:\\.\\d+)?|[A-Za-z_]\\w*";

    private static final Pattern LUA = Pattern.compile("--[^\\n]*|'(?:\\\\.|[^'\\\\])*'|\"(?:\\\\.|[^\"\\\\])*\""
            + NUMBER_OR_NAME + "|==|~=|<=|>=|\\.\\.\\.?|[-+*/%^#<>=(){}\\[\\];:,.]");

    private static final Pattern SQL = Pattern.compile("--[^\\n]*|'[^']*'|\\{\\w+}|:[a-z_]+(?:\\[])?|%\\d\\$s"
            + NUMBER_OR_NAME + "|<>|<=|>=|\\|\\||[-+*/<>=(),.;?%]");

    static List<Token> ofLua(String text) {
        return of(LUA, text);
    }

    static List<Token> ofSql(String text) {
        return of(SQL, text);
    }

    /** The words without the comments. */
    private static List<Token> of(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> new Token(found.group(), found.start()))
                .filter(token -> !token.text.startsWith("--"))
                .toList();
    }

    int end() {
        return start + text.length();
    }

    boolean is(String word) {
        return text.equals(word);
    }

    boolean isNumber() {
        return Character.isDigit(text.charAt(0));
    }

    /** By how much it changes the depth of parentheses. */
    int nesting() {
        return is("(") ? 1 : is(")") ? -1 : 0;
    }
}
