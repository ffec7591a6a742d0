package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A lock from its grant to its end, by the provider and by clients: works with every version of a library. */
final class LifeOfALock {

    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final Duration WAIT = Duration.ofSeconds(30);

    private LifeOfALock() {}

    /** Granted, refused to others, renewed, taken over after its lease, and released. */
    static void byTheProvider(LockProvider provider, String url) {
        String name = "name-" + UUID.randomUUID();
        TestClaim holder = TestClaim.once(provider, name);
        TestClaim rival = TestClaim.once(provider, name);
        long token = holder.token();
        assertThat(rival.granted()).isFalse();
        assertThat(holder.held()).isTrue();
        assertThat(provider.holder(name)).isPresent();
        Databases.expire(url, name, Duration.ofSeconds(1));
        assertThat(holder.held()).isFalse();
        assertThat(rival.token()).isGreaterThan(token);
        assertThat(holder.released()).isFalse();
        assertThat(rival.released()).isTrue();
        assertThat(provider.holder(name)).isEmpty();
    }

    /** Waited for, handed over from one client to another, and lost. */
    static void byClients(Supplier<LockProvider> providers, String url) throws InterruptedException {
        String name = "name-" + UUID.randomUUID();
        try (LockClient one = client(providers.get());
                LockClient other = client(providers.get())) {
            LockHandle first = one.lock(name).tryAcquire().orElseThrow();
            CompletableFuture<Optional<LockHandle>> waiting = other.lock(name).tryAcquireAsync(WAIT);
            assertThat(first.release()).isTrue();
            LockHandle second = waiting.join().orElseThrow();
            assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
            Databases.run(
                    url,
                    "DELETE FROM holdfast_lock WHERE name_hash = '"
                            + LockKey.of(name).hash() + "'");
            Waits.answered().until(() -> second.lost().toCompletableFuture().isDone());
            assertThat(second.lost().toCompletableFuture().join()).isEqualTo(LossCause.TAKEN_OVER);
        }
    }

    /** Warms up the client: the first attempt of a persistence unit may take longer than the lease. */
    private static LockClient client(LockProvider provider) throws InterruptedException {
        LockClient client = LockClient.builder(provider)
                .defaults(LockOptions.DEFAULTS.withLeaseTime(LEASE))
                .build();
        client.lock("warm-up-" + UUID.randomUUID(), LockOptions.DEFAULTS)
                .acquire()
                .close();
        return client;
    }
}
