package io.holdfast.lock.core.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.core.claim.ClientIdentity;
import io.holdfast.lock.core.client.TroubledProvider.Call;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.core.runtime.EngineThreads;
import io.holdfast.lock.engine.ClientSettings;
import io.holdfast.parts.Proves;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with Java 21")
class VirtualThreadsTest {

    private final TroubledProvider provider = new TroubledProvider(
            MemoryLockProvider.builder(UUID.randomUUID().toString()).build());
    private final ClientIdentity identity = new ClientIdentity();
    private final LockClient client = new EngineClient(
            provider,
            new ClientSettings(LockOptions.DEFAULTS, List.of()),
            identity,
            EngineThreads.start(identity.shortId()));

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    @Proves("7.4")
    void storeCallsOfAnInterruptedVirtualThreadRunOnPlatformThreads() throws Exception {
        Queue<String> callers = new ConcurrentLinkedQueue<>();
        for (Call call : Call.values()) {
            provider.before(
                    call,
                    () -> callers.add(
                            call + " on " + Thread.currentThread().getName().replaceAll("[0-9a-f-]{9,}", "-")
                                    + (Thread.currentThread().isInterrupted() ? " interrupted" : "")));
        }
        // By reflection, as the tests are compiled for Java 17.
        ExecutorService threads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        try {
            boolean interruptKept = threads.submit(() -> {
                        Thread.currentThread().interrupt();
                        LockHandle handle = client.lock("stock").tryAcquire().orElseThrow();
                        assertThat(handle.renew()).isTrue();
                        assertThat(handle.release()).isTrue();
                        return Thread.interrupted();
                    })
                    .get(20, TimeUnit.SECONDS);
            assertThat(interruptKept).isTrue();
        } finally {
            threads.shutdownNow();
        }
        assertThat(callers)
                .hasSize(3)
                .allMatch(caller -> caller.matches("(ATTEMPT|RENEW|RELEASE) on holdfast-.*call.*"));
        assertThat(callers).noneMatch(caller -> caller.endsWith("interrupted"));
    }
}
