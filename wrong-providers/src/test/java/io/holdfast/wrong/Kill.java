package io.holdfast.wrong;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A line of the table of wrong providers: the test of the kit that has to reject the provider.
 *
 * @param kind the enum of the provider, below this package
 * @param provider the name of its constant
 * @param test the name of the test; empty if none rejects the provider
 * @param marks what else is said of the test
 * @param reason why none does; empty if one has to
 */
record Kill(String kind, String provider, Optional<String> test, Set<Mark> marks, String reason) {

    /** What a line may say of its test, in small letters. */
    enum Mark {
        /** The level of the SPI has a test of this name, too, and that of the client is meant. */
        CLIENT,
        /** Two threads have to meet, or others must not come between, which is not so in every run. */
        RACE
    }

    /** Comes before the reason in the place of a test. */
    private static final String HARMLESS = "-";

    /** The table, which is a text file, as people read and change it. */
    static List<Kill> all() {
        try (InputStream table = Kill.class.getResourceAsStream("kills.txt")) {
            if (table == null) {
                throw new FileNotFoundException("kills.txt");
            }
            return new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Kill::parse)
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Kill parse(String line) {
        String[] words = line.strip().split("\\s+", 4);
        if (words.length < 3) {
            throw new IllegalArgumentException(
                    "The line '" + line + "' has no test; allowed is: kind provider test [client] [race]");
        }
        String rest = words.length == 3 ? "" : words[3];
        return words[2].equals(HARMLESS)
                ? new Kill(words[0], words[1], Optional.empty(), Set.of(), rest)
                : new Kill(words[0], words[1], Optional.of(words[2]), marks(rest), "");
    }

    private static Set<Mark> marks(String words) {
        return Arrays.stream(words.split("\\s+"))
                .filter(word -> !word.isEmpty())
                .map(word -> Mark.valueOf(word.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The wrong provider. */
    WrongProvider wrong() {
        return kinds(kind)
                .filter(each -> each.name().equals(provider))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no " + provider + " in " + kind));
    }

    /** The wrong providers of an enum. */
    static Stream<WrongProvider> kinds(String kind) {
        try {
            Class<?> type = Class.forName(Kill.class.getPackageName() + "." + kind);
            return Arrays.stream(type.getEnumConstants()).map(WrongProvider.class::cast);
        } catch (ClassNotFoundException unknown) {
            throw new IllegalArgumentException("There is no enum " + kind, unknown);
        }
    }

    /** Whether one run may pass although the provider is wrong. */
    boolean isRace() {
        return marks.contains(Mark.RACE);
    }

    /** The level of the kit that has the test. */
    Class<?> level() {
        String name = test.orElseThrow();
        boolean ofProvider = Arrays.stream(SuspectTck.OfProvider.class.getMethods())
                .anyMatch(method -> method.getName().equals(name));
        return ofProvider && !marks.contains(Mark.CLIENT) ? SuspectTck.OfProvider.class : SuspectTck.OfClient.class;
    }
}
