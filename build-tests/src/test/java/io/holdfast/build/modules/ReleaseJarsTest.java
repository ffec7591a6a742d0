package io.holdfast.build.modules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import io.holdfast.build.Promises;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Beside the jar of each published module the profile {@code release} makes one of its sources and one of its documentation. */
class ReleaseJarsTest {

    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern PUBLIC = Pattern.compile("(?m)^public ");

    @TempDir
    private Path planted;

    /** The other builds make no such jars. */
    private static List<String> modules() {
        return Boolean.getBoolean("holdfast.release") ? PublishedModules.withJars() : List.of();
    }

    @Test
    void eachPublishedModuleHasItsSourcesAndItsDocumentation() throws IOException {
        List<String> missing = new ArrayList<>();
        for (String module : modules()) {
            missing.addAll(missing(
                    Checkout.root().resolve(module),
                    module + "-" + version(),
                    Promises.read().keySet()));
        }

        assertThat(missing).isEmpty();
    }

    private static String version() {
        return System.getProperty("holdfast.version");
    }

    /**
     * The files of a module that its jar of sources lacks, and the public types that its documentation lacks.
     *
     * @param documented the packages with documentation
     */
    private static List<String> missing(Path module, String jar, Set<String> documented) throws IOException {
        Set<String> sources = entries(module.resolve("target").resolve(jar + "-sources.jar"));
        Set<String> pages = entries(module.resolve("target").resolve(jar + "-javadoc.jar"));
        List<String> missing = new ArrayList<>();
        for (Path source : Checkout.filesBelow(module.resolve(SOURCES), ".java")) {
            Path path = module.resolve(SOURCES).relativize(source);
            String name = path.toString();
            if (!sources.contains(name)) {
                missing.add("the source " + name);
            }
            String page = name.replace(".java", ".html");
            // In the documentation of a module there is a folder of its name above the packages.
            if (documented.contains(packageOf(path))
                    && PUBLIC.matcher(Checkout.read(source)).find()
                    && pages.stream().noneMatch(entry -> entry.endsWith(page))) {
                missing.add("the documentation " + page);
            }
        }
        return missing;
    }

    private static String packageOf(Path source) {
        return source.getParent() == null ? "" : source.getParent().toString().replace('/', '.');
    }

    private static Set<String> entries(Path jar) throws IOException {
        if (!Files.exists(jar)) {
            return Set.of();
        }
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.stream().map(ZipEntry::getName).collect(Collectors.toSet());
        }
    }

    @Test
    void aMissingJarAndAnEmptyOneAreFound() throws IOException {
        Files.createDirectories(planted.resolve("target"));
        Path source = Files.createDirectories(planted.resolve(SOURCES).resolve("a"));
        Files.writeString(source.resolve("Lock.java"), "/** A lock. */\npublic interface Lock {}");
        Files.writeString(source.resolve("Inner.java"), "class Inner {}");
        Path hidden = Files.createDirectories(planted.resolve(SOURCES).resolve("a/b"));
        Files.writeString(hidden.resolve("Hidden.java"), "public class Hidden {}");

        assertThat(missing(planted, "a-1", Set.of("a")))
                .containsExactlyInAnyOrder(
                        "the source a/Lock.java", "the documentation a/Lock.html",
                        "the source a/Inner.java", "the source a/b/Hidden.java");

        jar("a-1-sources.jar", "a/Lock.java", "a/Inner.java", "a/b/Hidden.java");
        jar("a-1-javadoc.jar", "index.html");
        assertThat(missing(planted, "a-1", Set.of("a"))).containsExactly("the documentation a/Lock.html");

        jar("a-1-javadoc.jar", "module.a/a/Lock.html");
        assertThat(missing(planted, "a-1", Set.of("a"))).isEmpty();
    }

    private void jar(String name, String... entries) throws IOException {
        try (OutputStream file = Files.newOutputStream(planted.resolve("target").resolve(name));
                ZipOutputStream jar = new ZipOutputStream(file)) {
            for (String entry : entries) {
                jar.putNextEntry(new ZipEntry(entry));
            }
        }
    }
}
