package io.holdfast.lock.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell that ties a process to this JVM. */
class ReaperShellTest {

    private static final Duration BOUND = Duration.ofSeconds(30);

    @Test
    void shellEndsWithItsProcess() throws Exception {
        Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());
        ProcessReaper reaper = ProcessReaper.start(new ProcessBuilder("/bin/sh", "-c", "exit 7"));

        assertThat(reaper.process().waitFor()).isEqualTo(7);

        await().atMost(BOUND)
                .untilAsserted(
                        () -> assertThat(ProcessHandle.current().children().filter(child -> !before.contains(child)))
                                .noneMatch(ReaperShellTest::runs));
    }

    @Test
    void programThatIsBeingWrittenIsStartedAfterwards(@TempDir Path directory) throws Exception {
        Path program = Files.writeString(directory.resolve("program"), "#!/bin/sh\nexit 7\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        OutputStream writing = Files.newOutputStream(program, StandardOpenOption.APPEND);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(
                () -> close(writing), CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));

        assertThat(ProcessReaper.started(new ProcessBuilder(program.toString())).waitFor())
                .isEqualTo(7);

        assertThat(closed).succeedsWithin(BOUND);
    }

    private static void close(OutputStream stream) {
        try {
            stream.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** A process that has ended counts as alive until its parent asks for its exit code; it has no command any more. */
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }
}
