package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guide for vendors shows classes that run. */
class GuideTest {

    @ParameterizedTest
    @ValueSource(classes = {MemoryProviderTckTest.class, MemoryHarness.class})
    void theGuideShowsTheWholeClass(Class<?> shown) throws IOException {
        String source =
                Files.readString(Path.of("src/test/java", shown.getName().replace('.', '/') + ".java"));
        String code = source.substring(source.indexOf("\nclass ") + 1);

        assertThat(Files.readString(Path.of("../docs/writing-a-backend.md"))).contains("```java\n" + code + "```");
    }
}
