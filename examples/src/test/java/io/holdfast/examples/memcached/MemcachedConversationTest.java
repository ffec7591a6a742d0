package io.holdfast.examples.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The same words to the server of these tests, and to the real one: memcached 1.6.18 gives these answers. */
class MemcachedConversationTest {

    private static final String LONG_KEY = "k".repeat(251);

    /** A line that begins with {@code >} is sent; the lines behind it are the reply. */
    private static final String CONVERSATION = """
            > gets lock
            END
            > add lock 0 100 3
            > abc
            STORED
            > add lock 0 100 3
            > def
            NOT_STORED
            > add lock 7 100 3
            > def
            > gets lock
            NOT_STORED
            VALUE lock 0 3 1
            abc
            END
            > get lock
            VALUE lock 0 3
            abc
            END
            > gets none lock
            VALUE lock 0 3 1
            abc
            END
            > cas lock 0 100 2 99
            > gh
            EXISTS
            > cas none 0 100 2 1
            > gh
            NOT_FOUND
            > cas lock 5 100 2 1
            > gh
            STORED
            > gets lock
            VALUE lock 5 2 2
            gh
            END
            > touch lock 50
            TOUCHED
            > touch none 50
            NOT_FOUND
            > gets lock
            VALUE lock 5 2 2
            gh
            END
            > cas lock 0 -1 0 2
            >\s
            STORED
            > gets lock
            END
            > cas lock 0 100 1 3
            > x
            NOT_FOUND
            > touch lock 50
            NOT_FOUND
            > delete lock
            NOT_FOUND
            > add lock 0 0 1
            > y
            STORED
            > gets lock
            VALUE lock 0 1 4
            y
            END
            > touch lock -1
            TOUCHED
            > gets lock
            END
            > set past 0 2592001 1
            > x
            STORED
            > get past
            END
            > set month 0 2592000 1
            > x
            STORED
            > get month
            VALUE month 0 1
            x
            END
            > delete month
            DELETED
            > delete month
            NOT_FOUND
            > delete month 0
            NOT_FOUND
            > delete month 5
            CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]
            > incr count 1
            NOT_FOUND
            > add count 0 0 2
            > 98
            STORED
            > incr count 5
            103
            > incr count abc
            CLIENT_ERROR invalid numeric delta argument
            > gets count
            VALUE count 0 3 8
            103
            END
            > set count 0 0 20
            > 18446744073709551615
            STORED
            > incr count 2
            1
            > set word 0 0 1
            > x
            STORED
            > incr word 1
            CLIENT_ERROR cannot increment or decrement non-numeric value
            > set word 0 0 1 noreply
            > z
            > get word
            VALUE word 0 1
            z
            END
            > flush_all
            OK
            > get word
            END
            > add word 0 0 1
            > a
            STORED
            > gets word
            VALUE word 0 1 14
            a
            END
            > foo
            ERROR
            > get
            ERROR
            > add word 0 0
            ERROR
            > touch word
            ERROR
            > add word 0 0 abc
            CLIENT_ERROR bad command line format
            > set word 0 0 2
            > abcdef
            CLIENT_ERROR bad data chunk
            ERROR
            > get word
            VALUE word 0 1
            a
            END
            > get KEY
            CLIENT_ERROR bad command line format
            """;

    @Test
    void theServerOfTheTestsAnswersLikeMemcached() {
        try (RunningMemcached server = MemcachedServer.start()) {
            assertThat(spokenWith(server)).isEqualTo(CONVERSATION);
        }
    }

    @Test
    @Tag("server")
    @EnabledIf(value = RealMemcached.IS_INSTALLED, disabledReason = RealMemcached.MISSING)
    void memcachedAnswersLikeTheServerOfTheTests() {
        try (RunningMemcached server = RealMemcached.start()) {
            assertThat(spokenWith(server)).isEqualTo(CONVERSATION);
        }
    }

    @Test
    void theServerOfTheTestsLimitsItems() {
        try (RunningMemcached server = MemcachedServer.start()) {
            itemsAreLimited(server);
        }
    }

    @Test
    @Tag("server")
    @EnabledIf(value = RealMemcached.IS_INSTALLED, disabledReason = RealMemcached.MISSING)
    void memcachedLimitsItems() {
        try (RunningMemcached server = RealMemcached.start()) {
            itemsAreLimited(server);
        }
    }

    @Test
    void theServerOfTheTestsEndsItemsByWholeSeconds() {
        try (RunningMemcached server = MemcachedServer.start()) {
            itemsEnd(server);
        }
    }

    @Test
    @Tag("server")
    @EnabledIf(value = RealMemcached.IS_INSTALLED, disabledReason = RealMemcached.MISSING)
    void memcachedEndsItemsByWholeSeconds() {
        try (RunningMemcached server = RealMemcached.start()) {
            itemsEnd(server);
        }
    }

    private static String spokenWith(RunningMemcached server) {
        StringBuilder spoken = new StringBuilder();
        try (MemcachedConsole console = MemcachedConsole.of(server)) {
            List<String> request = new ArrayList<>();
            for (String line : (CONVERSATION + "> end").split("\n", -1)) {
                if (!line.startsWith(">") && !request.isEmpty()) {
                    spoken.append(answered(console, request));
                    request.clear();
                } else if (line.startsWith(">")) {
                    spoken.append(line).append('\n');
                    request.add(line.substring(2).replace("KEY", LONG_KEY));
                }
            }
        }
        return spoken.substring(0, spoken.length() - "> end\n".length());
    }

    private static String answered(MemcachedConsole console, List<String> request) {
        return String.join(
                "",
                console.say(request.toArray(String[]::new)).stream()
                        .map(line -> line + "\n")
                        .toList());
    }

    private static void itemsAreLimited(RunningMemcached server) {
        try (MemcachedConsole console = MemcachedConsole.of(server)) {
            assertThat(console.say("set big 0 0 1048577", "x".repeat(1_048_577)))
                    .containsExactly("SERVER_ERROR object too large for cache");
            assertThat(console.say("set big 0 0 1000000", "x".repeat(1_000_000)))
                    .containsExactly("STORED");
        }
    }

    /** Not before n - 2 seconds, and not long after n. */
    private static void itemsEnd(RunningMemcached server) {
        try (MemcachedConsole console = MemcachedConsole.of(server)) {
            long start = System.nanoTime();
            assertThat(console.say("add lock 0 3 1", "x")).containsExactly("STORED");
            long stored = System.nanoTime();
            AtomicReference<Duration> lastSeen = new AtomicReference<>(Duration.ZERO);
            await("the end of the item")
                    .pollInterval(Duration.ofMillis(5))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> {
                        Duration age = since(stored);
                        boolean ended = console.say("get lock").equals(List.of("END"));
                        lastSeen.set(ended ? lastSeen.get() : age);
                        return ended;
                    });
            assertThat(since(start)).isGreaterThan(Duration.ofSeconds(1));
            // Its age before the question: this machine may stand still between two of them.
            assertThat(lastSeen.get()).isLessThan(Duration.ofSeconds(5));
        }
    }

    private static Duration since(long reading) {
        return Duration.ofNanos(System.nanoTime() - reading);
    }
}
