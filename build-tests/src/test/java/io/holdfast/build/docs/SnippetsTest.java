package io.holdfast.build.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java code in the documents: what is marked is the code of an example, and the rest compiles. */
class SnippetsTest {

    private static final Pattern MARKED =
            Pattern.compile("<!-- snippet: (\\w+) -->\n```java\n(.*?)\n```", Pattern.DOTALL);
    private static final Pattern UNMARKED =
            Pattern.compile("(?<!-->\n)^```java\n(.*?)\n```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern REGION =
            Pattern.compile("[^\n]*// tag::first\\[]\n(.*?)\n[^\n]*// end::first\\[]", Pattern.DOTALL);
    private static final Pattern FROM_THE_IMPORTS =
            Pattern.compile("^import .*(?=\n)", Pattern.DOTALL | Pattern.MULTILINE);

    /** What the text around the fragments speaks of. */
    private static final String CONTEXT = """
            import io.holdfast.lock.*;
            import io.holdfast.lock.core.memory.MemoryLockProvider;
            import io.holdfast.lock.jdbc.RowFence;
            import io.holdfast.lock.spi.LockProvider;
            import io.holdfast.lock.tck.*;
            import io.holdfast.lock.tck.faults.*;
            import java.sql.*;
            import java.time.Duration;
            import java.util.*;
            import java.util.concurrent.CompletableFuture;
            import java.util.concurrent.locks.Lock;
            import java.util.function.Consumer;
            import java.util.function.Supplier;

            abstract class Fragments {
                LockClient client;
                DistributedLock lock;
                LockListener metrics;
                String password;
                Connection connection;
                int units;
                int sharedPort;
                Supplier<StoreServer> starter;
                Job job;

                abstract void sellOne();
                abstract LockProvider connectedTo(String host, int port);

                interface Job {
                    void stop(String why);
                    void failed(Throwable why);
                    boolean hasMore();
                    void doOneStep();
                }
            """;

    @Test
    void everyMarkedSnippetIsTheCodeOfAnExample() {
        List<MatchResult> marked = Documents.below(Checkout.root()).stream()
                .flatMap(document -> MARKED.matcher(Checkout.read(document)).results())
                .toList();
        assertThat(marked).as("the marked snippets").hasSizeGreaterThanOrEqualTo(2);

        assertThat(marked).allSatisfy(snippet -> assertThat(snippet.group(2)).isEqualTo(shownPart(snippet.group(1))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/getting-started.md", "docs/coming-from.md", "docs/writing-a-backend.md"})
    void everyOtherFragmentCompiles(String document, @TempDir Path folder) throws IOException {
        List<String> fragments = fragments(Checkout.read(Checkout.root().resolve(document)));
        assertThat(fragments).hasSizeGreaterThanOrEqualTo(2);

        assertThat(compile(fragments, folder)).isEmpty();
    }

    @Test
    void aPlantedFragmentThatDoesNotCompileIsFound(@TempDir Path folder) throws IOException {
        List<String> fragments = fragments("""
                ```java
                client.lock("a").tryAcquire();
                ```
                <!-- snippet: Marked -->
                ```java
                compared, and not compiled
                ```
                ```java
                client.lock("b").tryAquire();
                ```
                """);

        assertThat(fragments).hasSize(2);
        assertThat(compile(fragments, folder)).contains("tryAquire").doesNotContain("tryAcquire");
    }

    /** The tagged lines; without tags the whole program, but for its package. */
    private static String shownPart(String example) {
        Path file = fileOf(example);
        String source = Checkout.read(file);
        Matcher region = REGION.matcher(source);
        if (region.find()) {
            return region.group(1).stripIndent();
        }
        Matcher program = FROM_THE_IMPORTS.matcher(source);
        assertThat(program.find()).as("%s has imports or a tagged region", file).isTrue();
        return program.group();
    }

    private static Path fileOf(String example) {
        return Stream.of(
                        "examples/src/main",
                        "spring-boot-tests/apps/redis",
                        "spring-boot-tests/apps/jdbc",
                        "peer-tests/src/test")
                .map(folder -> Checkout.root().resolve(folder + "/java/io/holdfast/examples/" + example + ".java"))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no example " + example));
    }

    private static List<String> fragments(String markdown) {
        return UNMARKED.matcher(markdown)
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();
    }

    /** What the compiler says; empty if all is well. */
    private static String compile(List<String> fragments, Path folder) throws IOException {
        String members = fragments.stream()
                .map(fragment ->
                        fragment.startsWith("class ") ? fragment : inAMethod(fragment, fragments.indexOf(fragment)))
                .collect(Collectors.joining("\n"));
        Path source = Files.writeString(folder.resolve("Fragments.java"), CONTEXT + members + "\n}\n");
        StringWriter output = new StringWriter();
        PrintWriter writer = new PrintWriter(output, true);
        ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        writer,
                        writer,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.toString(),
                        source.toString());
        return output.toString();
    }

    /** Waiting for a lock can be interrupted, and a database can fail: the checked exceptions that the text speaks of. */
    private static String inAMethod(String fragment, int number) {
        return "void fragment" + number + "() throws InterruptedException, SQLException {\n" + fragment + "\n}";
    }
}
