package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiters of a store that keeps them in a line and tells the next one alone: the client's own release need not wake them. */
class FeedOfALineTest {

    private static final LockOptions BY_THE_STORE = LockOptions.DEFAULTS.withHandOver(0);

    private final FeedStore store = FeedStore.withLine();
    private final EngineWorld world = new EngineWorld(store);
    private final TroubledProvider provider = world.provider;
    private final LockClient client = world.client();

    @AfterEach
    void closeWorld() {
        world.close();
        assertThat(store.lock().wrongs()).isEmpty();
    }

    private LockHandle held() {
        return client.lock("stock", BY_THE_STORE).tryAcquire().orElseThrow();
    }

    private CompletableFuture<Optional<LockHandle>> waiter(Duration maxWait) {
        return client.lock("stock", BY_THE_STORE).tryAcquireAsync(maxWait);
    }

    private CompletableFuture<Optional<LockHandle>> waiter() {
        return waiter(Duration.ofHours(1));
    }

    private void subscribed() {
        store.listener().listening("stock");
        provider.forgetCalls();
    }

    @Test
    @Proves("7.2")
    void waiterThatWillBeToldIsNotWokenByTheReleaseOfItsClient() {
        store.lock().strangerTakes();
        CompletableFuture<Optional<LockHandle>> holding = waiter();
        subscribed();
        store.lock().strangerLeaves();
        store.listener().released("stock");
        CompletableFuture<Optional<LockHandle>> waiting = waiter();
        provider.forgetCalls();

        holding.join().orElseThrow().close();
        assertThat(provider.count(ATTEMPT)).isZero();
        store.listener().released("stock");
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);
    }

    @Test
    @Proves("7.2")
    void waiterThatIsNotSubscribedYetIsWokenByTheReleaseOfItsClient() {
        LockHandle held = held();
        CompletableFuture<Optional<LockHandle>> waiting = waiter();

        held.close();
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    @Proves("7.2")
    void lossOfTheClientsHoldWakesAlsoWhoWillBeTold() {
        LockHandle held = held();
        CompletableFuture<Optional<LockHandle>> waiting = waiter();
        subscribed();

        store.lock().operatorRemoves();
        assertThat(held.isHeld()).isFalse();
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    /** The store tells no claim that it does not know. */
    @Test
    @Proves("7.5")
    void waiterThatBecomesTheFirstAsksForItself() {
        store.lock().strangerTakes();
        CompletableFuture<Optional<LockHandle>> first = waiter(Duration.ofSeconds(4));
        CompletableFuture<Optional<LockHandle>> second = waiter();
        subscribed();

        world.time.advance(Duration.ofSeconds(4));
        assertThat(first).isCompletedWithValue(Optional.empty());
        assertThat(store.lock().claimsWaiting()).isEqualTo(1);
        store.lock().strangerLeaves();
        store.listener().released("stock");
        assertThat(second).isCompletedWithValueMatching(Optional::isPresent);
    }
}
