package io.holdfast.build.spec;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds the rules that the tests in a source text cite. */
final class Citations {

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|(?m)^\\s*//[^\\n]*$", Pattern.DOTALL);
    private static final Pattern TEXT_BLOCK = Pattern.compile("\"\"\".*?\"\"\"", Pattern.DOTALL);
    private static final Pattern CITATION =
            Pattern.compile("@(?:LockRule|Proves)\\(\\s*(?:(?:id|value)\\s*=\\s*)?(\"[^\"]*\"|\\{[^}\\\\]*})");
    private static final String FULL = "@Tag(\"full\")";
    private static final Pattern ID = Pattern.compile("\"([^\"]*)\"");

    private Citations() {}

    static Set<String> in(String source) {
        return citedBy(code(source));
    }

    /**
     * Without those of the tests that run in the profile full alone. A method and its annotations have no empty line between
     * them.
     */
    static Set<String> inUsualBuild(String source) {
        String code = code(source);
        return code.contains("\n" + FULL)
                ? Set.of()
                : citedBy(Arrays.stream(code.split("\n\n"))
                        .filter(part -> !part.contains(FULL))
                        .collect(Collectors.joining("\n")));
    }

    private static String code(String source) {
        return TEXT_BLOCK.matcher(COMMENT.matcher(source).replaceAll("")).replaceAll("");
    }

    private static Set<String> citedBy(String code) {
        Set<String> cited = new TreeSet<>();
        CITATION.matcher(code)
                .results()
                .flatMap(citation -> ID.matcher(citation.group(1)).results())
                .map((MatchResult id) -> id.group(1))
                .forEach(cited::add);
        return cited;
    }
}
