package io.holdfast.build.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The servers of the profile {@code containers}: what the documents say of them, and that no other build knows of them. */
class ContainerImagesTest {

    private static final String PROPERTY = "(containers\\.[a-z]+)";
    private static final Pattern DOCUMENTED = Pattern.compile("\\| `" + PROPERTY + "` \\| `(\\S+)` \\|");
    private static final Pattern DEFAULT = Pattern.compile("<" + PROPERTY + ">([^$<]+)</");
    private static final Pattern PASSED_ON = Pattern.compile("<" + PROPERTY + ">\\$\\{(\\S+)}</");

    @Test
    void theTableOfImagesSaysWhatThePomSays() {
        Map<String, String> documented = pairs(DOCUMENTED, "CONTRIBUTING.md");
        assertThat(documented).hasSizeGreaterThanOrEqualTo(4);

        assertThat(documented).isEqualTo(pairs(DEFAULT, "container-tests/pom.xml"));
    }

    @Test
    void everyImageIsHandedToTheTests() {
        Map<String, String> passedOn = pairs(PASSED_ON, "container-tests/pom.xml");

        assertThat(passedOn).allSatisfy((name, value) -> assertThat(value).isEqualTo(name));
        assertThat(passedOn)
                .containsOnlyKeys(pairs(DEFAULT, "container-tests/pom.xml").keySet());
    }

    @Test
    void aBuildWithoutTheProfileKnowsNothingOfContainers() {
        String parent = Checkout.read(Checkout.root().resolve("pom.xml"));

        assertThat(parent.substring(0, parent.indexOf("<profiles>")))
                .doesNotContain("container-tests", "testcontainers");
        assertThat(parent).contains("<module>container-tests</module>");
    }

    private static Map<String, String> pairs(Pattern pattern, String file) {
        Map<String, String> pairs = new TreeMap<>();
        pattern.matcher(Checkout.read(Checkout.root().resolve(file)))
                .results()
                .forEach(match -> pairs.put(match.group(1), match.group(2)));
        return pairs;
    }
}
