package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.MultiLockHandle;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.core.memory.MemoryLockProviderFactory;
import io.holdfast.lock.engine.ClientSettings;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.parts.Proves;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class OptionsTest {

    @AutoClose
    private final EngineWorld world = new EngineWorld();

    private final LockClient client = world.client();

    @Test
    @Proves("6.5")
    void aFencingStrengthThatTheStoreLacksIsRefusedWhenTheLockIsMade() {
        world.provider.declare(store -> store.withFencing(Fencing.CLOCKED));
        for (Fencing strength : List.of(Fencing.NONE, Fencing.VOLATILE, Fencing.CLOCKED)) {
            assertThatCode(() -> client.lock("stock", LockOptions.DEFAULTS.requireFencing(strength)))
                    .doesNotThrowAnyException();
        }
        LockOptions strict = LockOptions.DEFAULTS.requireFencing(Fencing.STRICT);
        assertThatThrownBy(() -> client.lock("stock", strict))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("stock")
                .hasMessageContaining("STRICT")
                .hasMessageContaining("CLOCKED");
        assertThatThrownBy(() -> client.all(List.of("a"), strict)).isInstanceOf(UnsupportedCapabilityException.class);
        assertThat(world.provider.requests()).isEmpty();
    }

    @Test
    @Proves("6.5")
    void anOrderThatTheStoreLacksIsRefusedWhenTheLockIsMade() {
        LockOptions fifo = LockOptions.DEFAULTS.requireOrdering(Ordering.FIFO);
        assertThatCode(() -> client.lock("stock", fifo)).doesNotThrowAnyException();
        world.provider.declare(store -> LockCapabilities.BASIC);
        assertThatThrownBy(() -> client.lock("stock", fifo))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("FIFO");
    }

    @Test
    @Proves("1.4")
    void namesThatNoStoreHoldsAreRefusedWhenTheLockIsMade() {
        assertThatThrownBy(() -> client.lock("")).isInstanceOf(LockConfigurationException.class);
        assertThatThrownBy(() -> client.holder("")).isInstanceOf(LockConfigurationException.class);
    }

    @Test
    void nullIsRefusedAtOnceAndTheParameterIsNamed() {
        LockOptions options = LockOptions.DEFAULTS;
        refuses("name", () -> client.lock(null));
        refuses("name", () -> client.lock(null, options));
        refuses("options", () -> client.lock("stock", null));
        refuses("names", () -> client.all((String[]) null));
        refuses("name", () -> client.all("a", null));
        refuses("names", () -> client.all(null, options));
        refuses("name", () -> client.all(Arrays.asList("a", null), options));
        refuses("options", () -> client.all(List.of("a"), null));
        refuses("name", () -> client.holder(null));
        DistributedLock one = client.lock("a");
        refuses("maxWait", () -> one.tryAcquire(null));
        refuses("maxWait", () -> one.tryAcquireAsync(null));
        refuses("action", () -> one.run(null));
        refuses("call", () -> one.call(null));
        refuses("action", () -> one.tryRun(Duration.ZERO, null));
        refuses("maxWait", () -> one.tryCall(null, () -> 1));
        LockHandle handle = one.tryAcquire().orElseThrow();
        refuses("atLeast", () -> handle.requireRemaining(null));
        handle.release();
        refuses("atLeast", () -> handle.requireRemaining(null));
        try (MultiLockHandle several = client.all("b", "c").tryAcquire().orElseThrow()) {
            refuses("atLeast", () -> several.requireRemaining(null));
        }
        refuses("unit", () -> client.lock("a").asLock().tryLock(1, null));
        refuses("provider", () -> new CoreLockEngine().open(null, new ClientSettings(options, List.of())));
        refuses("settings", () -> new CoreLockEngine().open(world.provider, null));
    }

    @Test
    void nullIsRefusedByTheMemoryStoreAndItsFactory() {
        MemoryLockProviderFactory factory = new MemoryLockProviderFactory();
        refuses("uri", () -> factory.create(null, ConnectionParameters.of("", Map.of())));
        refuses("parameters", () -> factory.create(URI.create("memory:nulls"), null));
        refuses("storeName", () -> MemoryLockProvider.builder(null));
        refuses("nanoseconds", () -> MemoryLockProvider.builder("nulls").clock(null));
        try (MemoryLockProvider provider = MemoryLockProvider.builder("nulls").build()) {
            refuses("name", () -> provider.holder(null));
            refuses("name", () -> provider.remove(null));
            ClaimSignals signals = new SilentSignals();
            refuses("request", () -> provider.newClaim(null, signals));
            refuses(
                    "signals",
                    () -> provider.newClaim(
                            new ClaimRequest(
                                    "stock", "c", "o", Duration.ofSeconds(1), Intent.WAIT, new Claimant("h", 1, "t")),
                            null));
        }
    }

    private static final class SilentSignals implements ClaimSignals {
        @Override
        public void mayBeFree() {}

        @Override
        public void lost(LossCause cause) {}
    }

    private static void refuses(String parameter, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(parameter);
    }

    @Test
    void holderAsksTheStore() {
        assertThat(client.holder("stock")).isEmpty();
        LockHandle handle = client.lock("stock").tryAcquire().orElseThrow();
        assertThat(client.holder("stock")).hasValueSatisfying(holder -> {
            assertThat(holder.fencingToken()).contains(handle.fencingToken());
            assertThat(holder.pid()).hasValue(ProcessHandle.current().pid());
            assertThat(holder.thread()).contains(Thread.currentThread().getName());
        });
    }

    @Test
    void aClaimRequestHasIntentAndClaimant() throws InterruptedException {
        LockOptions options =
                LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(7)).withOwner(LockOwner.of("workflow-17"));
        take(client.lock("once", options));
        client.lock("waiting", options).acquire();
        assertThat(client.lock("timed", options).tryAcquire(Duration.ofSeconds(1)))
                .isPresent();

        assertThat(world.provider.requests())
                .extracting(ClaimRequest::intent)
                .containsExactly(Intent.TRY_ONCE, Intent.WAIT, Intent.WAIT);
        assertThat(world.provider.requests()).allSatisfy(request -> {
            assertThat(request.leaseTime()).isEqualTo(Duration.ofSeconds(7));
            assertThat(request.ownerId()).isEqualTo("of:workflow-17");
            assertThat(request.claimId()).matches("[A-Za-z0-9-]{1,64}");
        });
        assertThat(world.provider.requests()).extracting(ClaimRequest::claimId).doesNotHaveDuplicates();
    }

    @Test
    @Proves("4.4")
    void threadsOfTwoClientsAreTwoOwners() {
        try (LockClient other = world.otherClient()) {
            take(client.lock("stock"));
            assertThat(other.lock("stock").tryAcquire()).isEmpty();
        }
    }

    @Test
    @Proves("4.6")
    void aLogicalOwnerReentersFromAnotherClientWhereTheStoreCounts() {
        LockOptions workflow = LockOptions.DEFAULTS.withOwner(LockOwner.of("workflow-17"));
        try (LockClient other = world.otherClient()) {
            LockHandle here = client.lock("stock", workflow).tryAcquire().orElseThrow();
            LockHandle there = other.lock("stock", workflow).tryAcquire().orElseThrow();
            assertThat(there.fencingToken()).isEqualTo(here.fencingToken());
            here.release();
            assertThat(there.isHeld()).isTrue();
            assertThat(world.isTaken("stock")).isTrue();
            there.release();
            assertThat(world.isTaken("stock")).isFalse();
        }
    }

    @Test
    @Proves("4.1")
    void aThreadThatIsNamedAsOwnerReentersAlsoAsynchronously() {
        LockOptions thread = LockOptions.DEFAULTS.withOwner(LockOwner.thread());
        LockHandle outer = client.lock("stock", thread).tryAcquire().orElseThrow();
        assertThat(client.lock("stock", thread).acquireAsync().join().fencingToken())
                .isEqualTo(outer.fencingToken());
        assertThat(client.lock("stock").acquireAsync())
                .as("by default each asynchronous acquire has a new owner")
                .isNotDone();
    }

    @Test
    void fencingTokenThrowsWithoutTokens() {
        world.provider.declare(store -> store.withFencing(Fencing.NONE));
        world.provider.withoutTokens();
        LockHandle handle = client.lock("stock").tryAcquire().orElseThrow();
        assertThatThrownBy(handle::fencingToken)
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("NONE");
        assertThat(world.provider.count(ATTEMPT)).isEqualTo(1);
    }
}
