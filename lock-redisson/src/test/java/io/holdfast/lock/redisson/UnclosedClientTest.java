package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.tck.faults.ChildJvm;
import io.holdfast.parts.RedisServerScene;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Redisson's own threads would keep an application alive that does not close its client. */
class UnclosedClientTest extends RedisServerScene {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration EXIT = Duration.ofSeconds(20);

    @Test
    void applicationThatNeverClosesItsClientEnds() {
        try (ChildJvm child = ChildJvm.start(Application.class, uri())) {
            child.awaitLine("main returns", BOUND);

            assertThat(child.awaitExit(EXIT)).hasValue(0);
        }
    }

    /** A new JVM loads all of Redisson while it connects, which takes seconds on a slow machine. */
    private String uri() {
        return "redisson://" + server.host() + ":" + server.port() + "?connectTimeout=20s&timeout=20s";
    }

    static final class Application {
        private Application() {}

        public static void main(String[] arguments) throws InterruptedException {
            LockHandle first = LockClient.connect(arguments[0]).lock("a").acquire();
            CompletableFuture<Optional<LockHandle>> waiting =
                    LockClient.connect(arguments[0]).lock("a").tryAcquireAsync(BOUND);
            first.release();
            waiting.join().orElseThrow().release();
            System.out.println("main returns");
        }
    }
}
