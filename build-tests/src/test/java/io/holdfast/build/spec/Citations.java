package io.holdfast.build.spec;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Finds the rules that the tests in a source text cite. */
final class Citations {

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|(?m)^\\s*//[^\\n]*$", Pattern.DOTALL);
    private static final Pattern TEXT_BLOCK = Pattern.compile("\"\"\".*?\"\"\"", Pattern.DOTALL);
    private static final Pattern CITATION =
            Pattern.compile("@(?:LockRule|Proves)\\(\\s*(?:(?:id|value)\\s*=\\s*)?(\"[^\"]*\"|\\{[^}\\\\]*})");
    private static final Pattern ID = Pattern.compile("\"([^\"]*)\"");

    private Citations() {}

    static Set<String> in(String source) {
        String code = TEXT_BLOCK.matcher(COMMENT.matcher(source).replaceAll("")).replaceAll("");
        Set<String> cited = new TreeSet<>();
        CITATION.matcher(code)
                .results()
                .flatMap(citation -> ID.matcher(citation.group(1)).results())
                .map((MatchResult id) -> id.group(1))
                .forEach(cited::add);
        return cited;
    }
}
