package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What clients leave in the JVM and in the server when they are closed. */
@Isolated("it looks at all threads of the JVM")
class ClientCloseTest extends ClientScene {

    @Test
    void closeLeavesNothingBehind() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        LockClient holder = connect("");
        LockClient client = connect("");
        IntStream.range(0, 4)
                .forEach(i -> assertThat(holder.lock("lock-" + i).tryAcquire()).isPresent());
        List<Future<LockHandle>> waits = IntStream.range(0, 4)
                .mapToObj(i -> threads.submit(() -> client.lock("lock-" + i).acquire()))
                .toList();
        soon().until(() -> server.calls("subscribe") == 4);

        client.close();
        holder.close();

        for (Future<LockHandle> wait : waits) {
            assertThatThrownBy(() -> wait.get(BOUND.toSeconds(), TimeUnit.SECONDS))
                    .isNotNull();
        }
        threads.shutdownNow();
        soon().untilAsserted(() -> {
            assertThat((String) server.command("CLIENT", "LIST")).doesNotContain("name=holdfast");
            assertThat(server.command("KEYS", "*")).isEqualTo(List.of("holdfast:#fence"));
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("holdfast") || name.startsWith("commons-pool"));
        });
    }
}
