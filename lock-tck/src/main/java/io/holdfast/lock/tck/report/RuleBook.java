package io.holdfast.lock.tck.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The rules of {@code SPEC.md}, which is in the kit's jar. Immutable. */
public final class RuleBook {

    private static final Pattern CHAPTER = Pattern.compile("(?ms)^## \\d+ (.+?)$(.*?)(?=^## |\\z)");
    private static final Pattern RULE = Pattern.compile("(?ms)^- \\*\\*(\\d+\\.\\d+) MUST(?: \\[([A-Z]+)])?\\*\\* "
            + "(.*?)\\*Intent:\\* (.*?)(?:\\*Not (?:tested|in the kit):\\* (.*?))?(?=^- |\\z)");
    private static final Pattern SAFETY = Pattern.compile("(?s)\\*\\*safety rules\\*\\* are (.*?):");
    private static final Pattern NUMBER = Pattern.compile("\\d+\\.\\d+");
    private static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\([^)]*\\)");

    private final Map<String, Rule> rules = new LinkedHashMap<>();

    private RuleBook(String specification) {
        Matcher listed = SAFETY.matcher(specification);
        Set<String> safety = listed.find()
                ? NUMBER.matcher(listed.group(1))
                        .results()
                        .map(MatchResult::group)
                        .collect(Collectors.toSet())
                : Set.of();
        for (Matcher chapter = CHAPTER.matcher(specification); chapter.find(); ) {
            for (Matcher rule = RULE.matcher(chapter.group(2)); rule.find(); ) {
                String number = rule.group(1);
                rules.put(
                        number,
                        new Rule(
                                number,
                                chapter.group(1),
                                plain(rule.group(2)),
                                plain(rule.group(3)),
                                plain(rule.group(4)),
                                plain(rule.group(5)),
                                safety.contains(number)));
            }
        }
    }

    private static String plain(String markdown) {
        return Optional.ofNullable(markdown)
                .map(text -> LINK.matcher(text).replaceAll("$1"))
                .map(text -> text.replaceAll("[`*]", "").replaceAll("\\s+", " ").strip())
                .orElse("");
    }

    /**
     * The edition that this kit proves.
     *
     * @return its rules
     */
    public static RuleBook ofThisKit() {
        return new RuleBook(KitText.of(RuleBook.class, "SPEC.md"));
    }

    /**
     * All rules.
     *
     * @return in the order of the document
     */
    public List<Rule> rules() {
        return List.copyOf(rules.values());
    }

    /**
     * A rule by its number.
     *
     * @param number such as {@code 3.2}
     * @return the rule; empty if there is none of that number
     */
    public Optional<Rule> rule(String number) {
        return Optional.ofNullable(rules.get(number));
    }
}
