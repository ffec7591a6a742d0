package io.holdfast.build.modules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM names the artifacts that are published, and nothing else. */
class BomTest {

    private static final Pattern MANAGED =
            Pattern.compile("<groupId>io\\.holdfast</groupId>\\s*<artifactId>([^<]+)</artifactId>"
                    + "\\s*<version>\\$\\{project\\.version}</version>");

    @Test
    void theBomListsThePublishedModulesThatHaveAJar() {
        String bom = PublishedModules.pom("holdfast-bom");
        List<String> listed =
                MANAGED.matcher(bom).results().map(match -> match.group(1)).toList();

        assertThat(listed).containsExactlyInAnyOrderElementsOf(PublishedModules.withJars());
        assertThat(bom.split("<dependency>", -1)).hasSize(listed.size() + 1);
    }

    /** Else it would manage the versions of all that our parent manages, in applications that import it. */
    @Test
    void theBomHasNoParent() {
        assertThat(PublishedModules.pom("holdfast-bom")).doesNotContain("<parent>");
    }
}
