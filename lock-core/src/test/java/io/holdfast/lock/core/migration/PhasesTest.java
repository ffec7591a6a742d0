package io.holdfast.lock.core.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.parts.Proves;
import io.holdfast.parts.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients in the phases of a migration, over two stores in memory. */
class PhasesTest {

    private final String from = "from-" + UUID.randomUUID();
    private final String to = "to-" + UUID.randomUUID();
    private final MemoryLockProvider oldStore = store(from);
    private final MemoryLockProvider newStore = store(to);
    private final List<LockClient> clients = new ArrayList<>();

    private static MemoryLockProvider store(String name) {
        return MemoryLockProvider.builder(name).build();
    }

    private MigratingLockProvider provider(Phase phase) {
        return MigratingLockProvider.between(store(from), store(to), phase).build();
    }

    private LockClient client(Phase phase) {
        LockClient client = LockClient.builder(provider(phase)).build();
        clients.add(client);
        return client;
    }

    @AfterEach
    void close() {
        clients.forEach(LockClient::close);
        oldStore.close();
        newStore.close();
    }

    @ParameterizedTest
    @CsvSource({
        "FROM_ONLY, FROM_ONLY",
        "FROM_ONLY, BOTH",
        "BOTH, FROM_ONLY",
        "BOTH, BOTH",
        "BOTH, TO_ONLY",
        "TO_ONLY, BOTH",
        "TO_ONLY, TO_ONLY"
    })
    @Proves("1.1")
    void neighbouringPhasesExcludeAndWakeEachOther(Phase holding, Phase waiting) throws Exception {
        LockClient holder = client(holding);
        LockClient waiter = client(waiting);
        LockHandle held = holder.lock("stock").acquire();

        assertThat(waiter.lock("stock").tryAcquire()).isEmpty();
        CompletableFuture<LockHandle> wait = waiter.lock("stock").acquireAsync().toCompletableFuture();
        held.close();

        // Without a wake-up the waiter would ask again after five seconds.
        try (LockHandle next = wait.get(4, TimeUnit.SECONDS)) {
            assertThat(next.fencingToken().isNewerThan(held.fencingToken())).isTrue();
            assertThat(holder.lock("stock").tryAcquire()).isEmpty();
        }
        assertThat(oldStore.holder("stock")).isEmpty();
        assertThat(newStore.holder("stock")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"FROM_ONLY, TO_ONLY", "TO_ONLY, FROM_ONLY"})
    void clientsTwoPhasesApartAreRefused(Phase first, Phase second) {
        LockClient alive = client(first);
        String pid = Long.toString(ProcessHandle.current().pid());

        assertThatThrownBy(() -> provider(second))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(second + " must not take locks while one in the phase " + first)
                .hasMessageContaining("pid " + pid);

        alive.close();
        client(second);
    }

    @Test
    void clientsOfAPhaseAreSeen() {
        LockClient one = client(Phase.FROM_ONLY);
        client(Phase.FROM_ONLY);
        try (MigratingLockProvider both = provider(Phase.BOTH)) {
            assertThat(both.status().clients(Phase.FROM_ONLY)).hasSize(2);
            assertThat(both.status().clients(Phase.BOTH)).hasSize(1);
            assertThat(both.status().clients(Phase.TO_ONLY)).isEmpty();
            one.close();
            assertThat(both.status().clients(Phase.FROM_ONLY))
                    .singleElement()
                    .extracting(LockHolder::pid)
                    .isEqualTo(OptionalLong.of(ProcessHandle.current().pid()));
        }
        assertThat(MigrationStatus.of(oldStore, newStore).clients(Phase.BOTH)).isEmpty();
        assertThat(MigrationStatus.of(oldStore, newStore).toString())
                .containsPattern("FROM_ONLY +1")
                .contains("pid " + ProcessHandle.current().pid())
                .containsPattern("TO_ONLY +0");
    }

    @Test
    @Proves("1.5")
    void contentionInTheNewStoreLeavesNothingInTheOldOne() throws InterruptedException {
        LockClient last = client(Phase.TO_ONLY);
        LockClient both = client(Phase.BOTH);
        try (LockHandle held = last.lock("stock").acquire()) {
            assertThat(both.lock("stock").tryAcquire()).isEmpty();
            assertThat(oldStore.holder("stock")).isEmpty();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    @Proves("8.5")
    void lossInOneStoreIsOneAndFreesTheOther() throws Exception {
        LockClient both = client(Phase.BOTH);
        LockHandle held = both.lock("stock").acquire();
        newStore.remove("stock");

        held.lost().toCompletableFuture().get(10, TimeUnit.SECONDS);
        assertThat(held.isHeld()).isFalse();
        try (LockHandle next =
                both.lock("stock").tryAcquire(Duration.ofSeconds(10)).orElseThrow()) {
            assertThat(next.isHeld()).isTrue();
        }
    }

    @Test
    void namesThatStandForClientsAreRefused() {
        LockClient client = client(Phase.BOTH);
        assertThatThrownBy(() -> client.lock("holdfast.migration.both.1").tryAcquire())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("holdfast.migration.");
    }

    /** What an operator, an eviction or a pause past the lease does to the locks that stand for clients. */
    private static void forgetClients(MemoryLockProvider store, Phase phase) {
        for (int place = 0; place < Presence.PLACES; place++) {
            store.remove(Presence.name(phase, place));
        }
    }

    @ParameterizedTest
    @CsvSource({"FROM_ONLY, TO_ONLY", "TO_ONLY, FROM_ONLY"})
    @Proves("1.1")
    void clientThatIsNotKnownAnyMoreLosesItsLocksAndTakesNone(Phase forgotten, Phase started) throws Exception {
        LockClient client = client(forgotten);
        LockHandle held = client.lock("stock").acquire();
        forgetClients(forgotten == Phase.FROM_ONLY ? oldStore : newStore, forgotten);
        client(started);

        assertThat(held.renew()).isFalse();
        assertThat(held.lost().toCompletableFuture().get(10, TimeUnit.SECONDS)).isEqualTo(LossCause.TAKEN_OVER);
        assertThatThrownBy(() -> client.lock("stock").tryAcquire())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("must not take locks while one in the phase " + started);
        // The refused client is in nobody's way.
        assertThat(MigrationStatus.of(oldStore, newStore).clients(forgotten)).isEmpty();
        client(started);
    }

    /** A pause between the grant and its answer, longer than the lock that stands for the client. */
    @ParameterizedTest
    @CsvSource({"FROM_ONLY, TO_ONLY", "TO_ONLY, FROM_ONLY"})
    @Proves("1.1")
    void grantDoesNotCountIfTheClientWasForgottenMeanwhile(Phase forgotten, Phase started) {
        TestStore.Tokens tokens = new TestStore.Tokens();
        TestStore old = new TestStore(store(from), tokens);
        TestStore young = new TestStore(store(to), tokens);
        LockClient client = LockClient.builder(
                        MigratingLockProvider.between(old, young, forgotten).build())
                .build();
        clients.add(client);
        MemoryLockProvider store = forgotten == Phase.FROM_ONLY ? oldStore : newStore;
        (forgotten == Phase.FROM_ONLY ? old : young).afterGrant(() -> {
            forgetClients(store, forgotten);
            client(started);
        });

        assertThatThrownBy(() -> client.lock("stock").tryAcquire())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("must not take locks while one in the phase " + started);
        Waits.soon().until(() -> store.holder("stock").isEmpty());
    }

    @Test
    void clientThatIsNotKnownAnyMoreTellsItAgain() {
        LockClient client = client(Phase.FROM_ONLY);
        forgetClients(oldStore, Phase.FROM_ONLY);
        assertThat(MigrationStatus.of(oldStore, newStore).clients(Phase.FROM_ONLY))
                .isEmpty();

        assertThat(client.lock("stock").tryAcquire()).isPresent();
        assertThat(MigrationStatus.of(oldStore, newStore).clients(Phase.FROM_ONLY))
                .hasSize(1);
    }

    @Test
    @Proves("1.5")
    void failureOfTheNewStoreLeavesNothingInTheOldOne() {
        TestStore failing = new TestStore(store(to), new TestStore.Tokens());
        LockClient client = LockClient.builder(MigratingLockProvider.between(store(from), failing, Phase.BOTH)
                        .build())
                .build();
        clients.add(client);
        failing.fail(true);
        assertThatThrownBy(() -> client.lock("stock").tryAcquire()).isInstanceOf(LockStoreException.class);

        failing.fail(false);
        Waits.soon()
                .until(() -> oldStore.holder("stock").isEmpty()
                        && newStore.holder("stock").isEmpty());
        assertThat(client.lock("stock").tryAcquire()).isPresent();
    }
}
