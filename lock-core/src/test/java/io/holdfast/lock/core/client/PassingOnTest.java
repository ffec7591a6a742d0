package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW_ALL;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.LossCause;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A released lock that passes to the next waiter of its client without a call to the store. */
class PassingOnTest {

    private static final String STOCK = "stock";
    private static final LockOptions OPTIONS = LockOptions.DEFAULTS.withOwner(LockOwner.unique());

    private final EngineWorld world = new EngineWorld();
    private final RecordedEvents events = new RecordedEvents();
    private final LockClient client = world.client(events);
    private final LockClient other = world.otherClient();
    private LockHandle theirs = take(other.lock("nothing"));

    @BeforeEach
    void anotherClientHoldsTheLock() {
        theirs = take(other.lock(STOCK));
    }

    @AfterEach
    void nothingIsLeft() {
        client.close();
        other.close();
        assertThat(world.isTaken(STOCK)).isFalse();
        world.close();
    }

    private CompletableFuture<LockHandle> waiter() {
        return waiter(OPTIONS);
    }

    private CompletableFuture<LockHandle> waiter(LockOptions options) {
        return client.lock(STOCK, options).acquireAsync();
    }

    /** The other client releases the lock: the first waiter is granted it by the store. */
    private LockHandle granted(CompletableFuture<LockHandle> first) {
        assertThat(theirs.release()).isTrue();
        assertThat(first).isCompletedWithValueMatching(LockHandle::isHeld);
        world.provider.forgetCalls();
        events.forget();
        return first.join();
    }

    private void mustHaveAskedNobody() {
        assertThat(world.provider.count(ATTEMPT)).isZero();
        assertThat(world.provider.count(RELEASE)).isZero();
    }

    private static long token(LockHandle handle) {
        return handle.fencingToken().value();
    }

    @Test
    @Proves({"6.1", "7.5"})
    void theNextWaiterGetsTheLockWithTheNextToken() {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter();
        CompletableFuture<LockHandle> third = waiter();
        LockHandle holder = granted(first);

        assertThat(holder.release()).isTrue();
        assertThat(holder.isHeld()).isFalse();
        assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(token(second.join())).isEqualTo(token(holder) + 1);
        assertThat(third).isNotDone();

        second.join().release();
        assertThat(token(third.join())).isEqualTo(token(holder) + 2);
        mustHaveAskedNobody();
        assertThat(events.kinds()).containsExactly("released", "acquired", "released", "acquired");
        third.join().release();
    }

    /** The second one asks the store while the first one has not come again: nobody waits behind it then. */
    @Test
    @Proves("7.7")
    void twoThreadsThatTakeTurnsPassTheLockOn() {
        LockHandle first = granted(waiter());
        CompletableFuture<LockHandle> second = waiter();
        assertThat(first.release()).isTrue();
        assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);

        LockHandle holder = second.join();
        world.provider.forgetCalls();
        for (int turn = 0; turn < 10; turn++) {
            CompletableFuture<LockHandle> next = waiter();
            assertThat(holder.release()).isTrue();
            assertThat(next).isCompletedWithValueMatching(LockHandle::isHeld);
            assertThat(token(next.join())).isEqualTo(token(holder) + 1);
            holder = next.join();
        }
        mustHaveAskedNobody();
        holder.release();
    }

    /** A store whose tokens follow its clock has none to spare for many locks of one thread each. */
    @Test
    @Proves("6.8")
    void anAcquireThatMeetsNobodyAsksForOneToken() {
        LockHandle alone = granted(waiter());
        assertThat(alone.release()).isTrue();

        assertThat(token(take(other.lock(STOCK)))).isEqualTo(token(alone) + 1);
    }

    @Test
    @Proves("6.1")
    void theNextGrantOfTheStoreHasAGreaterToken() {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter();
        granted(first).release();
        FencingToken passedOn = second.join().fencingToken();
        second.join().release();

        LockHandle next = take(other.lock(STOCK));
        assertThat(next.fencingToken()).isGreaterThan(passedOn);
        next.release();
    }

    @Test
    void afterTheBoundTheLockGoesBackToTheStore() {
        LockOptions twice = OPTIONS.withHandOver(2);
        List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(waiter(twice));
        }
        CompletableFuture<LockHandle> theirNext = other.lock(STOCK).acquireAsync();
        granted(waiting.get(0)).release();
        assertThat(waiting.get(1)).isCompletedWithValueMatching(LockHandle::isHeld);
        mustHaveAskedNobody();
        waiting.get(1).join().release();
        assertThat(waiting.get(2)).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(world.provider.count(RELEASE)).isZero();
        assertThat(world.provider.count(ATTEMPT))
                .as("the last one enters the store's line")
                .isEqualTo(1);

        waiting.get(2).join().release();
        assertThat(theirNext).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(waiting.get(3)).isNotDone();
        theirNext.join().release();
        waiting.get(3).join().release();
    }

    static Stream<LockOptions> waitersToWhomNothingIsPassedOn() {
        return Stream.of(
                OPTIONS.withLeaseTime(Duration.ofSeconds(31)),
                OPTIONS.withoutRenewal(),
                LockOptions.DEFAULTS.withOwner(LockOwner.of("order-7")));
    }

    @ParameterizedTest
    @MethodSource("waitersToWhomNothingIsPassedOn")
    void aWaiterThatTheStoreWouldKnowOtherwiseAsksTheStore(LockOptions options) {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter(options);
        granted(first).release();

        assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(world.provider.count(RELEASE)).isEqualTo(1);
        assertThat(world.provider.count(ATTEMPT)).isPositive();
        second.join().release();
    }

    @Test
    @Proves("7.5")
    void aWaiterToWhomNothingCanBePassedOnEntersTheStoresLine() {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter(OPTIONS.withLeaseTime(Duration.ofSeconds(31)));
        world.provider.forgetCalls();
        assertThat(theirs.release()).isTrue();

        assertThat(first).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(world.provider.count(ATTEMPT)).as("of both").isEqualTo(2);
        first.join().release();
        second.join().release();
    }

    @Test
    @Proves("1.1")
    void aHoldBesideALaterGrantIsNotPassedOn() {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter();
        LockHandle holder = granted(first);
        world.provider.loseSignals();
        world.removeRecord(STOCK);
        LockHandle later = client.lock(STOCK, LockOptions.DEFAULTS.withOwner(LockOwner.unique()))
                .tryAcquire()
                .orElseThrow();

        boolean unused = holder.release();

        assertThat(second).isNotDone();
        assertThat(later.isHeld()).isTrue();
        later.release();
        second.join().release();
    }

    static Stream<LockOptions> holdersThatPassNothingOn() {
        return Stream.of(OPTIONS.withHandOver(0), LockOptions.DEFAULTS.withOwner(LockOwner.of("order-7")));
    }

    @ParameterizedTest
    @MethodSource("holdersThatPassNothingOn")
    void aHolderThatMayNotPassItsClaimOnGivesItBack(LockOptions options) {
        CompletableFuture<LockHandle> first = waiter(options);
        CompletableFuture<LockHandle> second = waiter();
        granted(first).release();

        assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(world.provider.count(RELEASE)).isEqualTo(1);
        second.join().release();
    }

    @Test
    void nothingIsPassedOnASecondAfterTheGrant() {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter();
        LockHandle holder = granted(first);
        world.time.advance(Duration.ofSeconds(1));
        holder.release();

        assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(world.provider.count(RELEASE)).isEqualTo(1);
        second.join().release();
    }

    @Test
    @Proves("2.6")
    void nothingIsPassedOnWhenLittleOfTheLeaseIsLeft() {
        LockOptions brief = OPTIONS.withLeaseTime(Duration.ofMillis(900));
        CompletableFuture<LockHandle> first = waiter(brief.withoutRenewal());
        CompletableFuture<LockHandle> second = waiter(brief);
        LockHandle holder = granted(first);
        world.time.advance(Duration.ofMillis(601));
        holder.release();

        assertThat(second.join().remaining()).isGreaterThan(Duration.ofMillis(800));
        second.join().release();
    }

    @Test
    @Proves("8.2")
    void theValidityIsThatOfTheClaim() {
        LockOptions brief = OPTIONS.withLeaseTime(Duration.ofMillis(900));
        CompletableFuture<LockHandle> first = waiter(brief.withoutRenewal());
        CompletableFuture<LockHandle> second = waiter(brief);
        LockHandle holder = granted(first);
        world.time.advance(Duration.ofMillis(500));
        world.provider.trouble(RENEW_ALL, TroubledProvider.Trouble.REQUEST_LOST);
        holder.release();

        assertThat(second.join().remaining()).isEqualTo(Duration.ofMillis(400));
        world.time.advance(Duration.ofMillis(400));
        assertThat(second.join().isHeld()).isFalse();
        assertThat(second.join().lost()).isDone();
    }

    @Test
    @Proves("3.4")
    void theNextHolderIsRenewed() {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter();
        granted(first).release();
        world.time.advance(EngineWorld.LEASE.multipliedBy(3));

        assertThat(second.join().isHeld()).isTrue();
        assertThat(world.provider.count(RENEW_ALL)).isBetween(8L, 10L);
        second.join().release();
    }

    @Test
    @Proves("8.1")
    void aLossIsTheNextHolders() {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter();
        LockHandle holder = granted(first);
        holder.release();
        world.removeRecord(STOCK);

        assertThat(second.join().lost()).isCompletedWithValue(LossCause.TAKEN_OVER);
        assertThat(second.join().isHeld()).isFalse();
        assertThat(holder.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    @Proves("8.1")
    void aRenewalThatFindsTheClaimGoneTellsTheHolderOfTheMoment() {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter();
        LockHandle holder = granted(first);
        world.provider.loseSignals();
        world.provider.afterNext(TroubledProvider.Call.RENEW, holder::release);
        world.removeRecord(STOCK);

        assertThat(holder.renew()).isFalse();
        assertThat(second.join().lost()).isCompletedWithValue(LossCause.TAKEN_OVER);
        assertThat(holder.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    @Proves("3.3")
    void aRenewalThatWasUnderWayProlongsTheNextHold() {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter();
        LockHandle holder = granted(first);
        world.time.advance(Duration.ofMillis(900));
        world.provider.afterNext(TroubledProvider.Call.RENEW, holder::release);

        assertThat(holder.renew()).isFalse();
        assertThat(second.join().remaining()).isEqualTo(EngineWorld.LEASE);
        second.join().release();
    }

    @Test
    @Proves("5.3")
    void aRepeatedReleaseDoesNotReachTheNextHolder() {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter();
        LockHandle holder = granted(first);
        assertThat(holder.release()).isTrue();

        assertThat(holder.release()).isFalse();
        holder.close();
        assertThat(holder.renew()).isFalse();
        assertThat(second.join().isHeld()).isTrue();
        assertThat(world.isTaken(STOCK)).isTrue();
        second.join().release();
    }

    @Test
    @Proves("4.2")
    void theLastHandleOfAHoldPassesItOn() {
        CompletableFuture<LockHandle> first = waiter(LockOptions.DEFAULTS.withOwner(LockOwner.thread()));
        CompletableFuture<LockHandle> second = waiter();
        LockHandle outer = granted(first);
        LockHandle inner = take(client.lock(STOCK, LockOptions.DEFAULTS.withOwner(LockOwner.thread())));
        inner.release();
        assertThat(second).isNotDone();

        outer.release();
        assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
        mustHaveAskedNobody();
        second.join().release();
    }

    @Test
    @Proves("7.6")
    void aWaiterThatHasGivenUpIsPassedNothing() {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> cancelled = waiter();
        CompletableFuture<Optional<LockHandle>> late =
                client.lock(STOCK, OPTIONS).tryAcquireAsync(Duration.ofMillis(10));
        CompletableFuture<LockHandle> last = waiter();
        LockHandle holder = granted(first);
        cancelled.cancel(true);
        world.time.advance(Duration.ofMillis(10));
        holder.release();

        assertThat(late).isCompletedWithValue(Optional.empty());
        assertThat(last).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(token(last.join())).isEqualTo(token(holder) + 1);
        last.join().release();
    }

    @Test
    @Proves("1.5")
    void theClaimOfAWaiterThatStoodInTheStoresLineLeavesIt() {
        CompletableFuture<LockHandle> first = waiter();
        LockHandle holder = granted(first);
        holder.release();
        theirs = take(other.lock(STOCK));
        CompletableFuture<LockHandle> second = waiter();
        CompletableFuture<LockHandle> third = waiter();
        LockHandle next = granted(second);
        CompletableFuture<LockHandle> fourth = waiter();
        next.release();
        third.join().release();
        fourth.join().release();

        LockHandle theirNext = take(other.lock(STOCK));
        assertThat(theirNext.isHeld()).isTrue();
        theirNext.release();
    }

    @Test
    @Proves({"5.5", "8.1"})
    void aCloseOfTheClientEndsTheHolderOfTheMoment() {
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter();
        LockHandle holder = granted(first);
        holder.release();
        client.close();

        assertThat(second.join().lost()).isCompletedWithValue(LossCause.CLIENT_CLOSED);
        assertThat(holder.lost().toCompletableFuture()).isNotDone();
        assertThat(world.isTaken(STOCK)).isFalse();
    }
}
