package io.holdfast.lock.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

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

    /** A process that has ended counts as alive until its parent asks for its exit code; it has no command any more. */
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }
}
