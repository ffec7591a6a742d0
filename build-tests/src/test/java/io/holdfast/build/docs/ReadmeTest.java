package io.holdfast.build.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The README's first screen is short, and its code is the code that compiles. */
class ReadmeTest {

    private static final int FIRST_SCREEN_LINES = 45;
    private static final Pattern SNIPPET =
            Pattern.compile("<!-- snippet: (\\w+) -->\n```java\n(.*?)\n```", Pattern.DOTALL);
    private static final Pattern REGION =
            Pattern.compile("[^\n]*// tag::first\\[]\n(.*?)\n[^\n]*// end::first\\[]", Pattern.DOTALL);

    @Test
    void theCodeIsTheMarkedRegionOfTheExample() {
        Matcher snippet = SNIPPET.matcher(Documents.readme());
        assertThat(snippet.find()).as("the README has a marked snippet").isTrue();
        Path source = Checkout.root()
                .resolve("examples/src/main/java/io/holdfast/examples")
                .resolve(snippet.group(1) + ".java");
        Matcher region = REGION.matcher(Checkout.read(source));
        assertThat(region.find()).as("%s has a marked region", source).isTrue();

        assertThat(snippet.group(2)).isEqualTo(region.group(1).stripIndent());
    }

    @Test
    void theFirstScreenIsShort() {
        List<String> firstScreen = Documents.readme()
                .lines()
                .takeWhile(line -> !line.startsWith("## "))
                .collect(Collectors.toList());

        assertThat(firstScreen).hasSizeBetween(10, FIRST_SCREEN_LINES);
    }

    @Test
    void theFirstScreenHasItsPartsInOrder() {
        String firstScreen = Documents.readme().split("\n## ", 2)[0];

        assertThat(firstScreen)
                .containsSubsequence(
                        "# Holdfast",
                        "\n> ",
                        "```java",
                        "| backend |",
                        "```xml",
                        "](docs/getting-started.md)",
                        "](SPEC.md)");
    }
}
