package io.holdfast.lock.core.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.core.claim.ClientIdentity;
import io.holdfast.lock.core.hold.Services;
import io.holdfast.lock.core.local.LocalLocks;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.core.runtime.EngineThreads;
import io.holdfast.lock.core.runtime.EventDispatcher;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Real threads on one lock of a real store: a plain counter under it counts exactly. */
class HammerTest {

    private static final String LOCK = "counter";
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final String storeName = UUID.randomUUID().toString();
    private final MemoryLockProvider operator =
            MemoryLockProvider.builder(storeName).build();
    private final List<ClientClose> closes = new ArrayList<>();
    private final List<LocalLocks> clients = new ArrayList<>();

    /** Guarded by the lock under test alone. */
    private int counter;

    @AfterEach
    void close() {
        closes.forEach(ClientClose::run);
        operator.close();
    }

    private DistributedLock newClientsLock() {
        ClientIdentity identity = new ClientIdentity();
        LockOptions options = LockOptions.DEFAULTS;
        EngineRuntime runtime = EngineThreads.start(identity.shortId()).reliable();
        Services services = Services.of(
                MemoryLockProvider.builder(storeName).build(),
                identity,
                runtime,
                new EventDispatcher(List.of(), runtime.callbacks()));
        LocalLocks locks = new LocalLocks(services);
        clients.add(locks);
        closes.add(new ClientClose(services, locks));
        return new NamedLock(
                services, new SingleAcquirer(services, locks, LOCK, options), options.owner(), new ThreadHolds());
    }

    private void count() {
        int seen = counter;
        Thread.onSpinWait();
        counter = seen + 1;
    }

    private void assertThatNothingIsLeft() {
        await("nobody waits").atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(operator.holder(LOCK)).isEmpty();
            assertThat(clients).allMatch(LocalLocks::isIdle);
        });
    }

    private static int sum(ExecutorService threads, List<Callable<Integer>> tasks)
            throws InterruptedException, ExecutionException, TimeoutException {
        List<Future<Integer>> results = tasks.stream().map(threads::submit).toList();
        int sum = 0;
        for (Future<Integer> result : results) {
            sum += result.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
        }
        return sum;
    }

    @Test
    void clientsAndThreadsCountExactly() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("The hammer's seed is " + seed);
        List<Callable<Integer>> workers = new ArrayList<>();
        for (int client = 0; client < 4; client++) {
            DistributedLock lock = newClientsLock();
            for (int thread = 0; thread < 4; thread++) {
                workers.add(new Worker(lock, new Random(seed + workers.size())));
            }
        }
        ExecutorService threads = Executors.newFixedThreadPool(workers.size());
        try {
            int counted = sum(threads, workers);
            assertThat(counter).as("seed %s", seed).isEqualTo(counted);
            assertThatNothingIsLeft();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with Java 21")
    void aThousandVirtualThreadsCountExactly() throws Exception {
        DistributedLock lock = newClientsLock();
        List<Callable<Integer>> workers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            workers.add(() -> {
                try (LockHandle handle = lock.acquire()) {
                    count();
                    return handle.isHeld() ? 1 : 0;
                }
            });
        }
        // By reflection, as the tests are compiled for Java 17.
        Method newThreads = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
        ExecutorService threads = (ExecutorService) newThreads.invoke(null);
        try {
            assertThat(sum(threads, workers)).isEqualTo(workers.size());
            assertThat(counter).isEqualTo(workers.size());
            assertThatNothingIsLeft();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Acquires in random ways. Returns how often it has counted. */
    private final class Worker implements Callable<Integer> {
        private static final int ROUNDS = 100;

        private final DistributedLock lock;
        private final Random random;
        private int counted;

        Worker(DistributedLock lock, Random random) {
            this.lock = lock;
            this.random = random;
        }

        @Override
        public Integer call() throws Exception {
            for (int round = 0; round < ROUNDS; round++) {
                switch (random.nextInt(5)) {
                    case 0 -> countUnder(Optional.of(lock.acquire()));
                    case 1 -> countNested();
                    case 2 -> countUnder(lock.tryAcquire());
                    case 3 -> countUnder(lock.tryAcquire(Duration.ofMillis(random.nextInt(5))));
                    default -> countOrCancel(lock.acquireAsync());
                }
            }
            return counted;
        }

        private void countUnder(Optional<LockHandle> granted) {
            granted.ifPresent(handle -> {
                try (handle) {
                    count();
                    counted++;
                }
            });
        }

        private void countNested() throws InterruptedException {
            try (LockHandle outer = lock.acquire()) {
                countUnder(lock.tryAcquire());
                countUnder(Optional.of(lock.acquire()));
                assertThat(outer.isHeld()).isTrue();
            }
        }

        private void countOrCancel(CompletableFuture<LockHandle> acquiring) throws Exception {
            if (random.nextBoolean()) {
                countUnder(Optional.of(acquiring.get(BOUND.toMillis(), TimeUnit.MILLISECONDS)));
            } else if (!acquiring.cancel(false)) {
                countUnder(Optional.of(acquiring.join()));
            }
        }
    }
}
