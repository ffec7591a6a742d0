package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.StoreTime;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The store's clock is set while locks are held. The store of these tests keeps the records all the same: only the engine
 * notices.
 */
class ClockStepTest {

    @AutoClose
    private final EngineWorld world = new EngineWorld();

    @AutoClose
    private final LogCapture log = LogCapture.begin(Level.WARNING);

    private final RecordedEvents events = new RecordedEvents();
    private final LockClient client = world.client(events);
    private Duration offset = Duration.ofDays(20_000);

    @BeforeEach
    void tellTime() {
        world.provider.tellTime(name -> new StoreTime("one", time()));
    }

    private Instant time() {
        return Instant.EPOCH.plus(offset).plusNanos(world.time.nanos());
    }

    private Instant steady() {
        return Instant.EPOCH.plus(Duration.ofDays(20_000)).plusNanos(world.time.nanos());
    }

    private void step(Duration by) {
        offset = offset.plus(by);
    }

    private LockHandle take(String name) {
        return EngineWorld.take(client.lock(name));
    }

    private LockHandle takeWithoutRenewal(String name) {
        return EngineWorld.take(client.lock(name, LockOptions.DEFAULTS.withoutRenewal()));
    }

    @Test
    @Proves({"8.1", "8.6"})
    void aStepPastTheEndOfALeaseLosesTheHoldAtTheNextAnswerForAnyLock() {
        LockHandle handle = take("stock");
        world.time.advance(Duration.ofSeconds(5));
        step(Duration.ofMinutes(1));
        assertThat(handle.isHeld()).as("nobody can know yet").isTrue();

        LockHandle other = take("other");
        assertThat(handle.isHeld()).isFalse();
        assertThat(handle.remaining()).isZero();
        world.time.advance(Duration.ZERO);
        assertThat(handle.lost()).isCompletedWithValue(LossCause.CLOCK_STEPPED);
        assertThat(events.count("lost CLOCK_STEPPED")).isEqualTo(1);
        assertThat(other.remaining()).as("granted after the step").isEqualTo(EngineWorld.LEASE);
    }

    @Test
    @Proves("8.6")
    void aGrantThatComesTooLateShowsTheStepAsWell() {
        LockHandle handle = take("stock");
        step(Duration.ofMinutes(1));
        world.provider.validity(granted -> Duration.ZERO);
        assertThatThrownBy(() -> client.lock("other").tryAcquire()).isInstanceOf(LockLostException.class);

        world.time.advance(Duration.ZERO);
        assertThat(handle.lost()).isCompletedWithValue(LossCause.CLOCK_STEPPED);
    }

    @Test
    @Proves("3.5")
    void aStepThatConcernsSomeOfManyHoldsLeavesNoTimerBehind() {
        world.provider.tellTime(name -> new StoreTime(name.charAt(0), name.startsWith("a") ? time() : steady()));
        List<LockHandle> handles = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            handles.add(take((i % 2 == 0 ? "a" : "b") + i));
            world.time.advance(Duration.ofMillis(100));
        }
        step(Duration.ofSeconds(15));
        handles.add(take("a"));
        world.time.advance(Duration.ZERO);
        assertThat(world.provider.names(RENEW_ALL)).hasSize(10).allMatch(name -> name.startsWith("a"));

        handles.forEach(LockHandle::release);
        world.time.advance(EngineWorld.LEASE);
        assertThat(world.time.timers()).isZero();
    }

    @Test
    void aHoldThatIsReleasedAfterAStepWasLostBeforeIt() {
        LockHandle handle = take("stock");
        step(Duration.ofMinutes(1));
        take("other");

        assertThat(handle.release()).isFalse();
        assertThat(handle.lost()).isCompletedWithValue(LossCause.CLOCK_STEPPED);
    }

    @Test
    @Proves("8.6")
    void aShorterStepRenewsTheLeaseAtOnce() {
        LockHandle handle = take("stock");
        world.time.advance(Duration.ofSeconds(5));
        step(Duration.ofSeconds(15));
        take("other");
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(10));

        world.time.advance(Duration.ZERO);
        assertThat(world.provider.names(RENEW_ALL)).containsExactly("stock");
        assertThat(handle.remaining()).isEqualTo(EngineWorld.LEASE);
    }

    @Test
    void aStepThatLeavesLessThanAThirdPutsTheHoldAtRisk() {
        LockHandle handle = take("stock");
        world.time.advance(Duration.ofSeconds(5));
        world.provider.trouble(RENEW_ALL, TroubledProvider.Trouble.REQUEST_LOST);
        step(Duration.ofSeconds(16));
        take("other");

        world.time.advance(Duration.ZERO);
        assertThat(handle.isHeld()).isTrue();
        assertThat(events.kinds()).containsExactly("acquired", "acquired", "renewalFailed", "atRisk");
    }

    @Test
    void aFailedRenewalAfterAStepIsRepeatedInTheTimeThatIsLeft() {
        LockHandle handle = take("stock");
        world.provider.trouble(RENEW_ALL, TroubledProvider.Trouble.REQUEST_LOST);
        step(Duration.ofSeconds(24));
        take("other");

        world.time.advance(Duration.ofSeconds(1));
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(5));
        assertThat(world.provider.count(RENEW_ALL, "stock"))
                .as("each fifth of a third of the six seconds that were left")
                .isEqualTo(3);
    }

    @Test
    void aLeaseThatIsNotRenewedEndsSooner() {
        LockHandle handle = takeWithoutRenewal("stock");
        step(Duration.ofSeconds(10));
        take("other");
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(20));

        world.time.advance(Duration.ofSeconds(20).minusNanos(1));
        assertThat(handle.isHeld()).isTrue();
        world.time.advance(Duration.ofNanos(1));
        assertThat(handle.lost()).isCompletedWithValue(LossCause.CLOCK_STEPPED);
    }

    @Test
    void aLeaseThatWasCutShortAndRenewedEndsAsExpired() {
        LockHandle handle = takeWithoutRenewal("stock");
        step(Duration.ofSeconds(10));
        assertThat(handle.renew()).isTrue();

        assertThat(handle.remaining()).isEqualTo(EngineWorld.LEASE);
        world.time.advance(EngineWorld.LEASE);
        assertThat(handle.lost()).isCompletedWithValue(LossCause.EXPIRED);
    }

    @Test
    void aRenewalThatWasCarriedOutBeforeTheStepCountsLess() {
        LockHandle handle = take("stock");
        world.provider.afterNext(RENEW_ALL, () -> {
            step(Duration.ofSeconds(12));
            take("other");
        });

        world.time.advance(Duration.ofSeconds(10));
        assertThat(world.provider.count(RENEW_ALL)).isEqualTo(1);
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(18));
    }

    @Test
    @Proves("8.6")
    void aRenewalOfAnotherLockShowsTheStep() {
        LockHandle handle = takeWithoutRenewal("stock");
        world.time.advance(Duration.ofSeconds(15));
        LockHandle other = takeWithoutRenewal("other");
        step(Duration.ofSeconds(20));
        assertThat(other.renew()).isTrue();

        assertThat(handle.isHeld()).isFalse();
        assertThat(other.remaining()).isEqualTo(EngineWorld.LEASE);
    }

    @Test
    void aStepBackLosesNothing() {
        LockHandle handle = takeWithoutRenewal("stock");
        world.time.advance(Duration.ofSeconds(5));
        step(Duration.ofMinutes(-1));
        take("other");
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(25));

        step(Duration.ofMinutes(1));
        take("third");
        assertThat(handle.isHeld())
                .as("the way back is not counted, so the step forward cuts it short")
                .isFalse();
    }

    @Test
    void theClockOfOneServerEndsNoLeaseOfAnother() {
        world.provider.tellTime(name -> new StoreTime(name.charAt(0), time()));
        LockHandle here = take("a1");
        LockHandle there = take("b1");
        step(Duration.ofMinutes(1));
        take("b2");

        assertThat(there.isHeld()).isFalse();
        assertThat(here.isHeld()).isTrue();
    }

    @Test
    void claimThatMayEndSoonerIsRenewedAtOnce() {
        LockHandle handle = take("stock");
        world.time.advance(Duration.ofSeconds(5));
        world.provider.latestSignals().mayEndSooner();

        world.time.advance(Duration.ZERO);
        assertThat(world.provider.names(RENEW_ALL)).containsExactly("stock");
        assertThat(handle.remaining()).isEqualTo(EngineWorld.LEASE);
        takeWithoutRenewal("other");
        world.provider.latestSignals().mayEndSooner();
        world.time.advance(Duration.ZERO);
        assertThat(world.provider.names(RENEW_ALL)).containsExactly("stock");
    }

    @Test
    void claimThatMayEndSoonerByASignalDuringItsGrantIsRenewedAtOnce() {
        world.provider.afterNext(ATTEMPT, () -> world.provider.latestSignals().mayEndSooner());
        take("stock");

        world.time.advance(Duration.ZERO);
        assertThat(world.provider.names(RENEW_ALL)).containsExactly("stock");
    }

    @Test
    void aRenewalThatWasSentBeforeTheSignalIsFollowedByAnother() throws Exception {
        LockHandle handle = take("stock");
        Hang hang = Hang.ofNext(RENEW, world.provider);
        CompletableFuture<Boolean> renewed = CompletableFuture.supplyAsync(handle::renew);
        hang.awaitBegun();
        world.time.advance(Duration.ofMillis(1));
        world.provider.latestSignals().mayEndSooner();
        world.time.advance(Duration.ZERO);
        hang.end();
        assertThat(renewed.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(world.provider.count(RENEW_ALL)).isZero();

        world.time.advance(Duration.ZERO);
        assertThat(world.provider.names(RENEW_ALL)).containsExactly("stock");
    }

    @Test
    void aRequestThatWaitedForAConnectionCutsALeaseShortByTheStepAlone() {
        LockHandle handle = takeWithoutRenewal("stock");
        step(Duration.ofSeconds(10));
        Duration wait = Duration.ofSeconds(4);
        world.provider.beforeNext(ATTEMPT, () -> world.time.jump(wait));
        world.provider.tellTime(name -> new StoreTime("one", time(), wait));
        take("other");

        assertThat(handle.remaining()).isEqualTo(EngineWorld.LEASE.minusSeconds(14));
    }

    @Test
    void aStepThatTimeServicesMakeIsNotNamedAsTheCause() {
        LockHandle handle = takeWithoutRenewal("stock");
        step(Duration.ofMillis(99));
        take("other");
        world.time.advance(EngineWorld.LEASE.minusMillis(99));

        assertThat(handle.lost()).isCompletedWithValue(LossCause.EXPIRED);
        assertThat(log.lines(Level.WARNING)).noneMatch(line -> line.contains("clock"));
    }

    @Test
    void aStepIsNotNamedAsTheCauseOfALossAfterTheWholeLease() {
        LockHandle handle = takeWithoutRenewal("stock");
        step(Duration.ofSeconds(10));
        take("other");
        world.time.jump(EngineWorld.LEASE);
        world.time.advance(Duration.ZERO);

        assertThat(handle.lost()).isCompletedWithValue(LossCause.EXPIRED);
    }

    @Test
    void driftWithinAThousandthIsNoStep() {
        LockHandle handle = takeWithoutRenewal("stock");
        world.time.advance(Duration.ofSeconds(20));
        step(Duration.ofMillis(20));
        take("other");
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aStepIsTold() {
        take("stock");
        step(Duration.ofMinutes(1));
        take("other");
        world.time.advance(Duration.ofMillis(1));
        step(Duration.ofSeconds(-30));
        take("third");
        assertThat(log.lines(Level.WARNING)).anyMatch(line -> line.contains("went ahead by 60000 ms"));
        assertThat(log.lines(Level.WARNING)).anyMatch(line -> line.contains("went back by 29999 ms"));
    }
}
