package io.holdfast.build.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents name the versions of Maven and of the JDK that the build demands. */
class RequirementsTest {

    private static final Pattern MAVEN = Pattern.compile("Maven (\\d[\\d.]*\\d) or newer");
    private static final Pattern JDK = Pattern.compile("(?:JDK|Java) (\\d+) or newer");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "CONTRIBUTING.md", "demo", "tck", ".mvn/launch.sh"})
    void documentsNameTheMavenOfTheBuild(String file) {
        assertThat(named(MAVEN, file)).isNotEmpty().containsOnly(demanded("requireMavenVersion"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "CONTRIBUTING.md",
                "COMPATIBILITY.md",
                "docs/getting-started.md",
                "demo",
                "tck",
                ".mvn/launch.sh"
            })
    void documentsNameTheJdkOfTheBuild(String file) {
        assertThat(named(JDK, file)).isNotEmpty().containsOnly(demanded("requireJavaVersion"));
    }

    private static List<String> named(Pattern requirement, String file) {
        return requirement
                .matcher(Checkout.read(Checkout.root().resolve(file)))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static String demanded(String rule) {
        return Pattern.compile("<" + rule + ">\\s*<version>\\[([^,]+),\\)</version>")
                .matcher(Checkout.read(Checkout.root().resolve("pom.xml")))
                .results()
                .map(match -> match.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError("The parent pom has no " + rule));
    }
}
