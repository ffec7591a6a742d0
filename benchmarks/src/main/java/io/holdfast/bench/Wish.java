package io.holdfast.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the command line asks for.
 *
 * @param rounds how often each contender has its turn
 * @param millis how long a turn is
 * @param report whether the page is written
 * @param redis the Redis server that is measured; empty for {@link RedisProgram}
 * @param parts of the names of the scenarios; none for all
 */
record Wish(int rounds, int millis, boolean report, Optional<Path> redis, List<String> parts) {

    private static final int USUAL_ROUNDS = 3;
    private static final int MOST_ROUNDS = 100;
    private static final int USUAL_MILLIS = 1_500;
    private static final int FEWEST_MILLIS = 100;
    private static final int MOST_MILLIS = 60_000;

    /**
     * Reads the words of a command line.
     *
     * @throws IllegalArgumentException if one is not understood; its text is for the user
     */
    static Wish of(List<String> words) {
        int rounds = USUAL_ROUNDS;
        int millis = USUAL_MILLIS;
        boolean report = false;
        Optional<Path> redis = Optional.empty();
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            switch (word) {
                case "--rounds" -> rounds = number(words, i++, 1, MOST_ROUNDS);
                case "--millis" -> millis = number(words, i++, FEWEST_MILLIS, MOST_MILLIS);
                case "--redis" -> redis = Optional.of(program(words, i++));
                case "--report" -> report = true;
                default -> {
                    if (word.startsWith("-")) {
                        throw new IllegalArgumentException("There is no option '" + word
                                + "'; allowed are --rounds, --millis, --redis, --report and --help");
                    }
                    parts.add(word);
                }
            }
        }
        if (report && !parts.isEmpty()) {
            throw new IllegalArgumentException("A report has all scenarios, and no choice of them");
        }
        return new Wish(rounds, millis, report, redis, List.copyOf(parts));
    }

    private static Path program(List<String> words, int option) {
        String allowed = "; allowed is the path of a program, such as /usr/bin/redis-server";
        String value = value(words, option, allowed);
        if (!Files.isExecutable(Path.of(value)) || Files.isDirectory(Path.of(value))) {
            throw new IllegalArgumentException(
                    "The value '" + value + "' of " + words.get(option) + " is no program" + allowed);
        }
        return Path.of(value).toAbsolutePath();
    }

    private static int number(List<String> words, int option, int least, int most) {
        String allowed = "; allowed is a number from " + least + " to " + most;
        String value = value(words, option, allowed);
        if (value.matches("[0-9]{1,6}")) {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new IllegalArgumentException("The value '" + value + "' of " + words.get(option) + " is wrong" + allowed);
    }

    private static String value(List<String> words, int option, String allowed) {
        if (option + 1 == words.size()) {
            throw new IllegalArgumentException("The option " + words.get(option) + " has no value" + allowed);
        }
        return words.get(option + 1);
    }

    /**
     * The scenarios that are wanted.
     *
     * @throws IllegalArgumentException if a word is in the name of none
     */
    List<Scenario> choose(List<Scenario> all) {
        for (String part : parts) {
            if (all.stream().noneMatch(scenario -> scenario.name().contains(part))) {
                throw new IllegalArgumentException("No scenario has '" + part + "' in its name; there are "
                        + String.join(", ", all.stream().map(Scenario::name).toList()));
            }
        }
        return parts.isEmpty()
                ? all
                : all.stream()
                        .filter(scenario -> parts.stream().anyMatch(scenario.name()::contains))
                        .toList();
    }
}
