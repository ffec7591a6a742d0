package io.holdfast.lock.core.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.parts.Proves;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens over a move between two stores that count by themselves. */
class TokensTest {

    private static final String QUIET = "quiet";
    private static final String BUSY = "busy";

    private final String from = "from-" + UUID.randomUUID();
    private final String to = "to-" + UUID.randomUUID();
    private final TestStore.Tokens old = new TestStore.Tokens();
    private final TestStore.Tokens young = new TestStore.Tokens();
    private final Map<String, Long> last = new ConcurrentHashMap<>();

    private TestStore store(String name, TestStore.Tokens tokens) {
        return new TestStore(MemoryLockProvider.builder(name).build(), tokens);
    }

    private MigratingLockProvider.Builder provider(Phase phase) {
        return MigratingLockProvider.between(store(from, old), store(to, young), phase);
    }

    private LockClient client(Phase phase) {
        return LockClient.builder(provider(phase).build()).build();
    }

    /** Takes and releases locks, whose tokens have to be greater than all before of their names. */
    private void takes(LockClient client, String... names) {
        for (String name : names) {
            try (LockHandle handle = client.lock(name).tryAcquire().orElseThrow()) {
                long token = handle.fencingToken().value();
                assertThat(token).as(name).isGreaterThan(last.getOrDefault(name, 0L));
                last.put(name, token);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000, 1_000_000})
    @Proves({"6.1", "6.7"})
    void tokensGrowOverTheWholeMoveAndBackWhereverTheStoresBegin(long begin) {
        old.raise(1_000);
        young.raise(begin);
        try (LockClient one = client(Phase.FROM_ONLY)) {
            takes(one, QUIET, BUSY, QUIET);
            try (LockClient both = client(Phase.BOTH)) {
                takes(both, BUSY);
                takes(one, BUSY);
                takes(both, BUSY, BUSY);
                takes(one, BUSY);
                // Tokens that come from a clock jump by themselves.
                young.raise(BUSY, 5_000_000);
                takes(both, BUSY);
                takes(one, BUSY);
            }
            takes(one, BUSY, BUSY, QUIET);
        }
        try (LockClient both = client(Phase.BOTH)) {
            takes(both, BUSY);
            try (LockClient next = client(Phase.TO_ONLY)) {
                takes(next, QUIET, BUSY);
                takes(both, BUSY);
                takes(next, BUSY, BUSY, QUIET, QUIET);
                takes(both, BUSY);
                old.raise(BUSY, 9_000_000);
                takes(both, BUSY);
                takes(next, BUSY);
                takes(next, "late", "late");
            }
        }
        try (LockClient both = client(Phase.BOTH);
                LockClient back = client(Phase.FROM_ONLY)) {
            takes(back, "late", QUIET, BUSY);
            takes(both, BUSY);
            takes(back, BUSY);
        }
    }

    @Test
    void storesWhoseTokensCannotBeRaisedAreRefusedUnlessTokensAreGivenUp() {
        TestStore fixed = store(to, young);
        fixed.cannotBeRaised();
        assertThatThrownBy(() -> MigratingLockProvider.between(store(from, old), fixed, Phase.BOTH)
                        .build())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("cannot be raised; allowed is a move without tokens (tokens=none)");

        TestStore again = store(to, young);
        again.cannotBeRaised();
        try (LockClient client = LockClient.builder(MigratingLockProvider.between(store(from, old), again, Phase.BOTH)
                        .withoutTokens()
                        .build())
                .build()) {
            assertThat(client.capabilities().fencing()).isEqualTo(Fencing.NONE);
            assertThat(client.lock(BUSY).tryAcquire()).isPresent();
        }
    }

    @Test
    void moveWithoutTokensHasNoneInAnyPhase() {
        for (Phase phase : Phase.values()) {
            try (LockClient client = LockClient.builder(
                                    provider(phase).withoutTokens().build())
                            .build();
                    LockHandle handle = client.lock(BUSY).tryAcquire().orElseThrow()) {
                assertThat(client.capabilities().fencing()).isEqualTo(Fencing.NONE);
                assertThatThrownBy(handle::fencingToken).isInstanceOf(UnsupportedCapabilityException.class);
            }
        }
    }

    @Test
    @Proves("6.7")
    void tokensOfBothStoresAreRaised() {
        try (MigratingLockProvider both = provider(Phase.BOTH).build()) {
            both.raiseTokens(7_000);
            assertThat(old.highest()).isEqualTo(7_000);
            assertThat(young.highest()).isEqualTo(7_000);
            both.raiseTokens(BUSY, 8_000);
            assertThat(old.next(BUSY)).isEqualTo(8_001);
            assertThat(young.next(BUSY)).isEqualTo(8_001);
        }
    }
}
