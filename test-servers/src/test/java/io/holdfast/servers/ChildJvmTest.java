package io.holdfast.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.tck.faults.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChildJvmTest {

    private static final Duration BOUND = Duration.ofSeconds(60);

    /** Answers each line that it is sent; ends at {@code exit}. */
    static final class Echo {
        public static void main(String[] arguments) throws IOException {
            System.out.println("started " + String.join("|", arguments) + " " + System.getProperty("colour"));
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null && !line.equals("exit"); line = in.readLine()) {
                System.out.println("echo " + line);
            }
            System.exit(3);
        }
    }

    @Test
    void runsAMainClassAndGivesItsLinesAndExitCode() {
        try (ChildJvm child = ChildJvm.start(List.of("-Dcolour=red"), Echo.class, "a b", "é")) {
            assertThat(child.awaitLine("started", BOUND)).isEqualTo("started a b|é red");
            child.send("hello");
            child.awaitLine("echo hello", BOUND);
            child.send("exit");
            assertThat(child.awaitExit(BOUND)).hasValue(3);
            assertThat(child.lines()).containsExactly("started a b|é red", "echo hello");
            assertThatThrownBy(() -> child.awaitLine("never", BOUND)).hasMessageContaining("echo hello");
        }
    }

    @Test
    void doesNothingWhilePausedAndGoesOnAfterwards() {
        assertThat(ChildJvm.canBePaused()).isTrue();
        try (ChildJvm child = ChildJvm.start(Echo.class)) {
            child.awaitLine("started", BOUND);
            child.pause();
            child.send("late");
            assertThatThrownBy(() -> child.awaitLine("echo", Duration.ofMillis(300)))
                    .hasMessageContaining("within PT0.3S");
            child.resume();
            child.awaitLine("echo late", BOUND);
        }
    }

    @Test
    void isGoneAfterAKillAlsoWhenPaused() {
        try (ChildJvm child = ChildJvm.start(Echo.class)) {
            child.awaitLine("started", BOUND);
            child.pause();
            child.kill();
            assertThat(child.awaitExit(BOUND)).hasValue(128 + 9);
            assertThat(ProcessHandle.of(child.pid()).filter(ProcessHandle::isAlive))
                    .isEmpty();
        }
    }
}
