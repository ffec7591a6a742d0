package io.holdfast.build.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every link from one document to another leads somewhere, and every document can be found. */
class LinksTest {

    @Test
    void everyRelativeLinkOfEveryDocumentResolves() {
        List<Path> documents = Documents.below(Checkout.root());
        assertThat(documents).as("the documents that were found").hasSizeGreaterThan(10);

        assertThat(brokenLinks(documents)).isEmpty();
    }

    @Test
    void everyDocumentCanBeReachedFromTheReadme() {
        Path root = Checkout.root();

        assertThat(Documents.reachableFrom(root.resolve("README.md"))).containsAll(Documents.below(root));
    }

    @Test
    void aPlantedDocumentThatNothingLinksToIsNotReached(@TempDir Path directory) throws IOException {
        Path start = Files.writeString(directory.resolve("start.md"), "[on](next.md#a) [away](gone.md)\n");
        Path next = Files.writeString(directory.resolve("next.md"), "# A\n[back](start.md) `[code](unlinked.md)`\n");
        Path unlinked = Files.writeString(directory.resolve("unlinked.md"), "[to the start](start.md)\n");

        assertThat(Documents.reachableFrom(start)).containsOnly(start, next).doesNotContain(unlinked);
    }

    @Test
    void aPlantedLinkToNowhereIsFound(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("there.md"), "# A heading, here\n");
        Path document = Files.writeString(directory.resolve("planted.md"), """
                [ok](there.md) [ok](there.md#a-heading-here) [ok](https://example.org/x) `[code](no.md)`
                [no file](gone.md) and [no heading](there.md#nowhere)
                ```
                [code](no.md)
                ```
                """);

        assertThat(brokenLinks(List.of(document)))
                .extracting(Documents.Link::target)
                .containsExactly("gone.md", "there.md#nowhere");
    }

    private static List<Documents.Link> brokenLinks(List<Path> documents) {
        return documents.stream()
                .flatMap(Documents::relativeLinks)
                .filter(link -> !Documents.resolves(link))
                .toList();
    }
}
