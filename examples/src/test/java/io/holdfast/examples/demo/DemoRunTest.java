package io.holdfast.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.tck.faults.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Alone, as it looks at all processes that this JVM has started. */
@Isolated
class DemoRunTest {
    private static final DemoSize SMALL =
            new DemoSize(40, 3, 4, Duration.ofMillis(8), Duration.ofSeconds(2), Duration.ofMinutes(1));

    /**
     * For a store that lets two workers hold the lock at once: both finish before their leases end, so no lease has to end first.
     */
    private static final DemoSize LONG_LEASE =
            new DemoSize(40, 3, 4, Duration.ofMillis(8), Duration.ofSeconds(30), Duration.ofMinutes(1));

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    static List<DemoBackend> backends() {
        return DemoBackend.ALL;
    }

    @Test
    @Tag("server")
    void everyClaimHoldsOnRedis() {
        everyClaimHoldsAndNothingIsLeftBehind(new RedisBackend("redis", "redis", "hash"));
    }

    @ParameterizedTest
    @MethodSource("backends")
    @Tag("full")
    @Tag("server")
    void everyClaimHoldsAndNothingIsLeftBehind(DemoBackend backend) {
        Set<ProcessHandle> before = descendants();
        assertThat(run(backend, SMALL)).as(this::text).isEqualTo(Demo.ALL_HELD);

        assertThat(text())
                .contains("PASS  without a lock the shop oversells")
                .contains("PASS  with the lock exactly 40 are sold: 40 sold of 40")
                .contains("PASS  no sale is lost: the table counts 40, the till 40, 0 left")
                .contains("PASS  the fencing token grows from sale to sale")
                .contains("PASS  B gets the lock when A's lease has ended")
                .contains("PASS  the fencing guard refuses A's stale write: it was refused, the table says 7")
                .contains("PASS  without the guard B's sale would be lost: a copy of the row without a guard says 9")
                .contains("PASS  A learns of its loss: isHeld() false")
                .contains("9 of 9 claims held")
                .doesNotContain("FAIL");
        awaitNothingLeft(before);
    }

    @Test
    @Tag("server")
    @Tag("full")
    void fleetMovesToZooKeeperWhileItSells() {
        Set<ProcessHandle> before = descendants();
        assertThat(run(DemoRun.MOVE, new RedisBackend("redis", "redis", "hash"), DemoSize.MOVE))
                .as(this::text)
                .isEqualTo(Demo.ALL_HELD);

        assertThat(text())
                .contains("PASS  with the lock exactly 100 are sold: 100 sold of 100")
                .contains("PASS  nobody is in FROM_ONLY before the first crew is in TO_ONLY: 0 in FROM_ONLY")
                .containsPattern("TO_ONLY +BOTH +BOTH +BOTH")
                .contains("5 of 5 claims held");
        awaitNothingLeft(before);
    }

    @Test
    void nothingItStartedIsLeftBehindWhenItCannotGoOn() {
        Set<ProcessHandle> before = descendants();
        DemoBackend backend = new TestBackend("memory:it", new ThirdWorkerFails());

        assertThat(run(backend, SMALL)).isEqualTo(Demo.COULD_NOT_RUN);

        awaitNothingLeft(before);
    }

    @Test
    @Tag("server")
    void nothingItStartedIsLeftBehindWhenItIsStopped() {
        try (ChildJvm demo = ChildJvm.start(Demo.class, "--backend", "redis")) {
            demo.awaitLine("   crews ready", Duration.ofMinutes(1));
            ProcessHandle handle = ProcessHandle.of(demo.pid()).orElseThrow();
            List<ProcessHandle> started = handle.descendants().toList();
            assertThat(started).hasSizeGreaterThanOrEqualTo(4);

            handle.destroy();

            assertThat(demo.awaitExit(Duration.ofMinutes(1))).isNotEmpty();
            assertThat(demo.lines()).last().asString().startsWith("Stopped");
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(started).noneMatch(ProcessHandle::isAlive));
        }
    }

    @Test
    void aLockWithoutExclusionFailsTheClaims() {
        DemoBackend broken = new TestBackend(GrantsEveryone.SCHEME + ":it", new ProcessStage());

        assertThat(run(broken, LONG_LEASE)).as(this::text).isEqualTo(Demo.CLAIM_FAILED);

        assertThat(text())
                .contains("FAIL  with the lock exactly 40 are sold")
                .contains("FAIL  no sale is lost")
                .contains("FAIL  the fencing token grows from sale to sale")
                .contains("FAIL  B gets the lock when A's lease has ended")
                .contains("FAIL  B's token is the larger one")
                .contains("FAIL  the fencing guard refuses A's stale write");
    }

    @Test
    void aFirstActThatDoesNotOversellFailsItsClaim() {
        DemoSize oneBuyer = new DemoSize(3, 1, 1, Duration.ofMillis(2), Duration.ofMillis(900), Duration.ofSeconds(10));

        assertThat(run(new MemoryBackend(), oneBuyer)).as(this::text).isEqualTo(Demo.CLAIM_FAILED);

        assertThat(text()).contains("FAIL  without a lock the shop oversells: 3 sold of 3, so this run proves nothing");
    }

    @Test
    void aStoreThatIsNotThereIsNotAFailedClaim() {
        DemoBackend missing = new TestBackend("no-such-scheme:it", new ProcessStage());

        assertThat(run(missing, SMALL)).isEqualTo(Demo.COULD_NOT_RUN);

        assertThat(text()).contains("The demo could not be carried out").contains("no-such-scheme");
    }

    private static Set<ProcessHandle> descendants() {
        return ProcessHandle.current().descendants().collect(Collectors.toSet());
    }

    private static void awaitNothingLeft(Set<ProcessHandle> before) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(descendants()).isSubsetOf(before);
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(
                            name -> name.startsWith("crew-") || name.startsWith("holder-") || name.startsWith("H2 "));
        });
    }

    /** Starts processes; the third one cannot play its role. */
    private static final class ThirdWorkerFails implements Stage {
        private final Stage processes = new ProcessStage();
        private int started;

        @Override
        public Worker start(String name, List<String> order) {
            started++;
            return processes.start(name, started == 3 ? List.of("no-such-role") : order);
        }

        @Override
        public String crews() {
            return processes.crews();
        }

        @Override
        public String pausing() {
            return processes.pausing();
        }

        @Override
        public boolean renewsSleeper() {
            return processes.renewsSleeper();
        }
    }

    private int run(DemoBackend backend, DemoSize size) {
        return run(DemoRun.SALE, backend, size);
    }

    private int run(List<Act> acts, DemoBackend backend, DemoSize size) {
        PrintStream stream = new PrintStream(output, true, StandardCharsets.UTF_8);
        Screen screen = new Screen(stream, Screen.Style.PLAIN);
        return Demo.run(new DemoRun(acts, backend, size, screen), screen);
    }

    private String text() {
        return output.toString(StandardCharsets.UTF_8);
    }
}
