package io.holdfast.build.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A test of the kit that no wrong provider has ever failed may be one that cannot fail. Those of clients test the engine, which
 * is ours.
 */
class RulesThatCanFailTest {

    private static final Pattern DECLARED = Pattern.compile("default void (rule\\d+_\\w+)\\(");
    private static final Pattern NAMED = Pattern.compile("\\b(rule\\d+_\\w+)");

    @Test
    void eachTestOfProvidersRejectsAWrongOne() {
        Set<String> failed = new TreeSet<>();
        failed.addAll(found(NAMED, table()));
        failed.addAll(found(NAMED, Checkout.read(file("lock-tck/src/test/java/io/holdfast/lock/tck/FlawsTest.java"))));

        assertThat(testsOfProviders())
                .as("tests of the kit without a provider in kills.txt, or a flaw in FlawsTest, that they reject")
                .hasSizeGreaterThan(200)
                .isSubsetOf(failed);
    }

    private static Set<String> testsOfProviders() {
        Set<String> tests = new TreeSet<>();
        Checkout.sources("src/main/java").stream()
                .filter(file -> file.getFileName().toString().matches("(?!Client).*Rules\\.java"))
                .forEach(file -> tests.addAll(found(DECLARED, Checkout.read(file))));
        return tests;
    }

    /** Without the lines of tests of clients. */
    private static String table() {
        return Checkout.read(file("wrong-providers/src/test/resources/io/holdfast/wrong/kills.txt"))
                .lines()
                .filter(line -> !line.startsWith("#") && !line.contains(" client"))
                .collect(Collectors.joining("\n"));
    }

    private static Path file(String path) {
        return Checkout.root().resolve(path);
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
    }
}
