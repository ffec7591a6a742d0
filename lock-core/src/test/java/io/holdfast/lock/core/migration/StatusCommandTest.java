package io.holdfast.lock.core.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusCommandTest {

    private final String from = "memory:from-" + UUID.randomUUID();
    private final String to = "memory:to-" + UUID.randomUUID();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return StatusCommand.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String complaint() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void clientsArePrintedByPhase() {
        try (LockClient client = LockClient.builder("migrate:?phase=from_only")
                .property("from", from)
                .property("to", to)
                .build()) {
            assertThat(client.holder("a")).isEmpty();
            assertThat(run(from, to)).isZero();
            assertThat(printed())
                    .containsPattern(
                            "FROM_ONLY 1\\R.*, pid " + ProcessHandle.current().pid());

            assertThat(run("--empty", "from_only", from, to)).isEqualTo(1);
            assertThat(complaint()).contains("There are clients in FROM_ONLY");
            assertThat(run("--empty", "TO_ONLY", from, to)).isZero();
        }
        assertThat(run("--empty", "from_only", from, to)).isEqualTo(1);
        assertThat(complaint()).contains("No client is seen in any phase");
    }

    @ParameterizedTest
    @ValueSource(strings = {"from_only", "to_only"})
    void exchangedStoresAreNamed(String phase) {
        try (LockClient client = LockClient.builder("migrate:?phase=" + phase)
                .property("from", from)
                .property("to", to)
                .build()) {
            assertThat(client.holder("a")).isEmpty();
            assertThat(run("--empty", "both", to, from)).isEqualTo(2);
            assertThat(complaint()).contains("the first of these stores is the new one");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', 'There are too few arguments; allowed are [--empty PHASE]'",
        "memory:a, There are too few arguments",
        "--empty both memory:a, There are too few arguments",
        "--quiet memory:a memory:b, The argument '--quiet' is unknown",
        "--empty old memory:a memory:b, The phase 'old' is unknown; allowed are",
        "--properties /no/such/file memory:a memory:b, The file '/no/such/file' cannot be read",
        "memory:a other:b, other",
        "memory:a memory:a, Both URIs are the same"
    })
    void wrongArgumentsAreNamed(String arguments, String complaint) {
        assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1)))
                .isEqualTo(2);
        assertThat(complaint()).contains(complaint);
        assertThat(printed()).isEmpty();
    }

    @Test
    void propertiesGoToTheirStore(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("stores.properties");
        Files.writeString(file, "to.colour=blue");
        assertThat(run("--properties", file.toString(), from, to)).isEqualTo(2);
        assertThat(complaint()).contains("colour");

        Files.writeString(file, "password=secret");
        assertThat(run("--properties", file.toString(), from, to)).isEqualTo(2);
        assertThat(complaint()).contains("'password' is of no store").doesNotContain("secret");
    }
}
