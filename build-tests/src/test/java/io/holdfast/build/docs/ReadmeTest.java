package io.holdfast.build.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The README's first screen is short and has its parts; what else there is about it is in the tests beside this one. */
class ReadmeTest {

    private static final int FIRST_SCREEN_LINES = 60;

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
                        "| connect to |",
                        "```xml",
                        "](docs/getting-started.md)",
                        "](SPEC.md)");
    }
}
