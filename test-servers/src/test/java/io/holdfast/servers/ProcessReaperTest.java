package io.holdfast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.tck.faults.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Servers and processes end with the JVM that started them. */
@Tag("server")
class ProcessReaperTest {

    private static final Duration BOUND = Duration.ofSeconds(60);

    /** Starts servers and processes, prints where they are, and runs until it is killed. */
    static final class Owner {
        public static void main(String[] arguments) throws IOException {
            RedisServer serving = RedisServer.start();
            RedisServer restarted = RedisServer.start();
            restarted.restartWithoutData();
            RedisServer paused = RedisServer.start();
            paused.pause();
            ChildJvm child = ChildJvm.start(ChildJvmTest.Echo.class);
            child.awaitLine("started", BOUND);
            child.pause();
            for (RedisServer server : List.of(serving, restarted, paused)) {
                System.out.println("directory " + server.directory());
            }
            System.out.println("directory " + RedisBinary.directory().path());
            System.out.println("ready");
            if (System.in.read() < 0) {
                throw new IllegalStateException("never: the test ends this process first");
            }
        }
    }

    @Test
    void noServerProcessOrDirectoryOutlivesAKilledJvm() {
        try (ChildJvm owner = ChildJvm.start(Owner.class)) {
            List<Path> directories = directoriesOf(owner);
            List<ProcessHandle> started = startedBy(owner);

            owner.kill();

            awaitGone(started, directories);
        }
    }

    @Test
    void noServerProcessOrDirectoryOutlivesAJvmThatEndsInOrder() {
        try (ChildJvm owner = ChildJvm.start(Owner.class)) {
            List<Path> directories = directoriesOf(owner);
            List<ProcessHandle> started = startedBy(owner);

            owner.send("end");

            assertThat(owner.awaitExit(BOUND)).hasValue(0);
            awaitGone(started, directories);
        }
    }

    private static List<Path> directoriesOf(ChildJvm owner) {
        owner.awaitLine("ready", BOUND);
        List<Path> directories = owner.lines().stream()
                .filter(line -> line.startsWith("directory "))
                .map(line -> Path.of(line.substring("directory ".length())))
                .toList();
        assertThat(directories).hasSize(4).allMatch(Files::exists);
        return directories;
    }

    /** Three servers and a JVM, and a shell for each. */
    private static List<ProcessHandle> startedBy(ChildJvm owner) {
        try (Stream<ProcessHandle> descendants =
                ProcessHandle.of(owner.pid()).orElseThrow().descendants()) {
            List<ProcessHandle> started = descendants.toList();
            assertThat(started).hasSize(8);
            return started;
        }
    }

    private static void awaitGone(List<ProcessHandle> processes, List<Path> directories) {
        await().atMost(BOUND).untilAsserted(() -> {
            assertThat(processes).noneMatch(ProcessReaperTest::runs);
            assertThat(directories).noneMatch(Files::exists);
        });
    }

    /** A process that has ended counts as alive until its parent asks for its exit code; it has no command any more. */
    static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }
}
