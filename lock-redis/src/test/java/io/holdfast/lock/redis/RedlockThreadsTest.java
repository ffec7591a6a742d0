package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Which threads Redlock has. */
@Isolated("it looks at all threads of the JVM")
class RedlockThreadsTest extends RedlockScene {

    private static final int LOCKS = 100;

    /** One thread for each server, for all locks; two while somebody waits. */
    @Test
    void threadsDoNotGrowWithLocks() throws Exception {
        nodes = nodes(3);
        String uri = "redlock://" + nodes.addresses() + "?" + PATIENT;
        try (LockClient client = LockClient.connect(uri);
                LockClient other = LockClient.connect(uri)) {
            List<LockHandle> held = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                held.add(client.lock(name + i).acquire());
            }
            CompletableFuture<LockHandle> waiter =
                    other.lock(name + 0).acquireAsync().toCompletableFuture();
            assertThat(threads("holdfast-redlock-replies"))
                    .isEqualTo(2L * nodes.all().size());
            assertThat(threads("holdfast-redis-releases"))
                    .isLessThanOrEqualTo(2L * nodes.all().size());
            for (LockHandle handle : held) {
                handle.close();
            }
            waiter.get(Waits.FAULT_BOUND.toSeconds(), TimeUnit.SECONDS).close();
        }
        assertThat(threads("holdfast-redlock-replies")).isZero();
        assertThat(threads("holdfast-redis-releases")).isZero();
    }

    private static long threads(String threadName) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(threadName))
                .count();
    }
}
