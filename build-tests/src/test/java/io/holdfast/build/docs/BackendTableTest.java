package io.holdfast.build.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The README's table of backends says what their providers declare. The first cell of a row is a URI, and the provider is made
 * from it: a new row needs nothing here.
 */
class BackendTableTest {

    private static final String HEADER =
            "| connect to | lease control | fencing | ordering | wake-up | reentrancy | artifact |";

    /** Ours, as the examples have one to copy; and of a store: a migration has what its two stores have. */
    private static final List<LockProviderFactory> FACTORIES = ServiceLoader.load(LockProviderFactory.class).stream()
            .filter(factory -> factory.type().getName().startsWith("io.holdfast.lock."))
            .map(ServiceLoader.Provider::get)
            .filter(factory -> !factory.schemes().contains("migrate"))
            .toList();

    @Test
    void everyRowSaysWhatItsProviderDeclares() {
        List<String> rows = rows(Documents.readme());
        assertThat(rows).as("the rows of the table").hasSizeGreaterThanOrEqualTo(3);

        assertThat(rows).allSatisfy(row -> assertThat(row).isEqualTo(declaredRow(uriOf(row))));
    }

    @Test
    void everyBackendHasARow() {
        List<String> schemes = rows(Documents.readme()).stream()
                .map(row -> uriOf(row).getScheme())
                .toList();

        assertThat(FACTORIES)
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(factory -> assertThat(schemes)
                        .as("schemes of the rows, of which %s needs one", factory)
                        .containsAnyElementsOf(factory.schemes()));
    }

    private static List<String> rows(String readme) {
        return readme.lines()
                .dropWhile(line -> !line.equals(HEADER))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }

    private static URI uriOf(String row) {
        return URI.create(row.split("`", 3)[1]);
    }

    private static String declaredRow(URI uri) {
        LockProviderFactory factory = FACTORIES.stream()
                .filter(candidate -> candidate.schemes().contains(uri.getScheme()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no backend for " + uri));
        // A URI without slashes is opaque, its query a part of the rest.
        String query = uri.isOpaque()
                ? uri.getRawSchemeSpecificPart().replaceFirst("^[^?]*[?]?", "")
                : Optional.ofNullable(uri.getRawQuery()).orElse("");
        // A provider connects when it is used first: no server is needed for what it declares.
        try (LockProvider provider = factory.create(uri, ConnectionParameters.of(query, Map.of()))) {
            LockCapabilities declared = provider.capabilities();
            Stream<String> words = Stream.of(
                            declared.leaseControl(),
                            declared.fencing(),
                            declared.ordering(),
                            declared.wakeUp(),
                            declared.reentrancy())
                    .map(value -> value.name().toLowerCase(Locale.ROOT).replace('_', ' '));
            return "| `" + uri + "` | " + String.join(" | ", words.toList()) + " | " + artifactOf(provider) + " |";
        }
    }

    /** The module of this build that the class comes from, whether from its folder or from its jar. */
    private static String artifactOf(LockProvider provider) {
        try {
            Path origin = Path.of(provider.getClass()
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return Arrays.stream(origin.toString().split("[/\\\\]"))
                    .filter(folder -> folder.matches("lock-[a-z-]+"))
                    .reduce((outer, inner) -> inner)
                    .orElseThrow(() -> new AssertionError(origin + " is in no module of this build"));
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
