package io.holdfast.wrong.text;

import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.text.MutableText.Use;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All mutants of the scripts of Redis and of the statements of the SQL databases, by one change each: of an operator, a number,
 * an index of KEYS or ARGV, a unit, a condition, a call or an option. Their order and their names are the same in every run.
 *
 * <p>The statements of JPA and those that are put together from parts (floors of tables) are not among them.
 */
public final class TextMutations {

    private TextMutations() {}

    /** The scripts and statements, in a fixed order. */
    static List<MutableText> texts() {
        List<MutableText> texts = new ArrayList<>();
        for (String script : List.of(
                "common",
                "counter",
                "fence",
                "hash",
                "hash-acquire-fast",
                "hash-acquire",
                "hash-line",
                "hash-renew-fast",
                "hash-renew",
                "hash-renew-all",
                "hash-release-fast",
                "hash-release",
                "hash-holder")) {
            texts.add(script(script, TextStore.HASH, Use.BY_LOCKS));
        }
        for (String script : List.of(
                "string",
                "string-acquire-fast",
                "string-acquire",
                "string-renew",
                "string-renew-all",
                "string-release-fast",
                "string-release",
                "string-holder")) {
            texts.add(script(script, TextStore.STRING, Use.BY_LOCKS));
        }
        for (String script : List.of("clock", "many-begin", "many-end")) {
            texts.add(script(script, TextStore.HASH, Use.BY_CHANCE));
        }
        texts.add(script("string-raise", TextStore.STRING, Use.BY_OTHERS));
        texts.add(script("guard", TextStore.HASH, Use.BY_OTHERS));
        texts.addAll(DialectTexts.of("PostgreSqlDialect", SharedDatabase.POSTGRESQL, TextStore.POSTGRESQL));
        texts.add(creation(SharedDatabase.POSTGRESQL, TextStore.POSTGRESQL));
        texts.addAll(DialectTexts.of("H2Dialect", SharedDatabase.H2, TextStore.H2));
        texts.add(creation(SharedDatabase.H2, TextStore.H2));
        texts.addAll(DialectTexts.of("MariaDbDialect", SharedDatabase.MARIADB, TextStore.MARIADB));
        texts.add(creation(SharedDatabase.MARIADB, TextStore.MARIADB));
        return texts;
    }

    private static MutableText script(String name, TextStore store, Use use) {
        String file = ChangedFiles.REDIS_SCRIPTS + name + ".lua";
        return new MutableText(name + ".lua", file, TextChange.text(file), store, use);
    }

    private static MutableText creation(SharedDatabase database, TextStore store) {
        String file = database.creation();
        String name = file.substring(file.lastIndexOf('/') + 1);
        return new MutableText(name, file, TextChange.text(file), store, Use.BY_LOCKS);
    }

    /**
     * The mutants of some files.
     *
     * @param files which, by their names, such as {@code "hash-acquire.lua"::equals}
     * @return the mutants
     */
    static Stream<TextMutation> of(Predicate<String> files) {
        return texts().stream().filter(text -> files.test(text.name())).flatMap(text -> text.mutations().stream());
    }

    /**
     * The mutants of everything that the kit can reach.
     *
     * @return one provider for each; whether the server can parse it is not known yet
     */
    public static Stream<? extends WrongProvider> reachable() {
        return texts().stream().filter(text -> text.use() == Use.BY_LOCKS).flatMap(text -> text.mutations().stream());
    }

    /**
     * Whether the server takes a mutant for a program at all. One that does not run tells nothing about the kit.
     *
     * @param mutant one of {@link #reachable()}
     * @return whether it can be parsed
     */
    public static boolean runs(WrongProvider mutant) {
        return ((TextMutation) mutant).runs();
    }

    /**
     * Where a mutant differs.
     *
     * @param mutant one of {@link #reachable()}
     * @return the text, the change and the line of the text; no two mutants have the same
     */
    public static String place(WrongProvider mutant) {
        return ((TextMutation) mutant).place();
    }

    /**
     * Prints how many mutants each file has, and how many of them do not run.
     *
     * @param arguments the beginnings of the names of files; none for all
     */
    public static void main(String[] arguments) {
        Map<MutableText, int[]> counts = new LinkedHashMap<>();
        of(file -> arguments.length == 0 || Stream.of(arguments).anyMatch(file::startsWith))
                .forEach(mutation -> {
                    int[] count = counts.computeIfAbsent(mutation.source(), none -> new int[2]);
                    count[0]++;
                    if (!mutation.runs()) {
                        count[1]++;
                        System.out.println("does not run: " + mutation.name());
                    }
                });
        counts.forEach((text, count) -> System.out.println(
                text.name() + " (" + text.use() + "): " + count[0] + " mutants, " + count[1] + " do not run"));
        System.out.println(counts.values().stream().mapToInt(count -> count[0]).sum() + " mutants, "
                + counts.values().stream().mapToInt(count -> count[1]).sum() + " do not run");
        System.exit(0);
    }
}
