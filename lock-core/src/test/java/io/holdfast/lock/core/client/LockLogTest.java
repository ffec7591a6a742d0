package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The lines of the log, with {@link System.Logger} over java.util.logging. */
class LockLogTest {

    private final EngineWorld world = new EngineWorld();
    private final RecordedEvents events = new RecordedEvents();
    private final LockClient client = world.client(events);
    private final LockClient other = world.otherClient();
    private LogCapture log = LogCapture.begin(null);

    @AfterEach
    void closeWorld() {
        log.before(() -> {});
        world.close();
        log.close();
    }

    private void debug() {
        log.close();
        log = LogCapture.begin(Level.FINE);
    }

    /** A hold whose first release has failed, and fails on. */
    private LockHandle holdWhoseReleaseFails() {
        LockHandle held = take(client.lock("stock"));
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(held::release).isInstanceOf(LockStoreException.class);
        return held;
    }

    private String named() {
        return "the lock 'stock' (owner " + world.provider.requests().get(0).ownerId() + ", token "
                + events.events().get(0).fencingToken().orElseThrow().value() + ")";
    }

    @Test
    @Proves({"8.1", "8.4"})
    void aLossInAnOutageIsLoggedWithItsHistory() {
        LockHandle held = take(client.lock("stock"));
        world.provider.troubleAll(Trouble.REQUEST_LOST);
        world.time.advance(Duration.ofSeconds(30));
        assertThat(held.isHeld()).isFalse();

        assertThat(log.lines(Level.WARNING))
                .containsExactly(
                        "A renewal of " + named()
                                + " failed; it ends in 20000 ms unless another one succeeds: RENEW_ALL: the request was lost",
                        "At risk: " + named() + " ends in 10000 ms unless a renewal succeeds",
                        "Lost " + named() + ": STORE_LOST, 30000 ms after its grant");
        assertThat(log.records())
                .filteredOn(line -> !line.getMessage().startsWith("At risk"))
                .extracting(LogRecord::getThrown)
                .hasOnlyElementsOfType(LockStoreException.class);
    }

    @Test
    void theFirstRenewalAfterFailuresIsLoggedWithTheirNumber() {
        LockHandle held = take(client.lock("stock"));
        world.provider.trouble(RENEW_ALL, Trouble.REQUEST_LOST);
        world.time.advance(Duration.ofSeconds(13));
        world.provider.trouble(RENEW_ALL, Trouble.NONE);
        world.time.advance(Duration.ofSeconds(10));

        assertThat(held.isHeld()).isTrue();
        assertThat(log.lines(Level.WARNING))
                .hasSize(2)
                .element(1)
                .isEqualTo("Renewed " + named() + " again, after 2 failures in 4000 ms");
    }

    @Test
    @Proves("8.4")
    void theReasonOfAHungAndFailedRenewalIsLogged() {
        TaskQueue renewals = new TaskQueue();
        world.renewalsOn(renewals);
        LockHandle held = take(client.lock("stock"));
        world.time.advance(Duration.ofSeconds(22));
        world.provider.trouble(RENEW_ALL, Trouble.REQUEST_LOST);
        renewals.runNext();
        world.provider.trouble(RENEW_ALL, Trouble.NONE);
        renewals.open();
        world.time.advance(Duration.ofSeconds(3));

        assertThat(held.isHeld()).isTrue();
        assertThat(log.lines(Level.WARNING)).hasSize(4);
        assertThat(log.lines(Level.WARNING).get(0)).contains("has had no answer yet");
        assertThat(log.lines(Level.WARNING).get(2))
                .isEqualTo("A renewal of " + named()
                        + " failed; it ends in 8000 ms unless another one succeeds: RENEW_ALL: the request was lost");
        assertThat(log.lines(Level.WARNING).get(3))
                .isEqualTo("Renewed " + named() + " again, after 1 failure in 4000 ms");
    }

    @Test
    void aLateAnswerIsNotCountedAsAFailedRenewal() {
        TaskQueue renewals = new TaskQueue();
        world.renewalsOn(renewals);
        LockHandle held = take(client.lock("stock"));
        world.time.advance(Duration.ofSeconds(22));
        renewals.open();

        assertThat(held.isHeld()).isTrue();
        assertThat(log.lines(Level.WARNING))
                .hasSize(3)
                .element(2)
                .isEqualTo("Renewed " + named() + " again, 2000 ms after the first warning");
    }

    @Test
    void aReleasedLockIsNotLoggedAsAtRiskOrLate() {
        world.renewalsOn(new TaskQueue());
        LockHandle held = take(client.lock("stock"));
        world.time.advance(Duration.ofSeconds(10));
        take(client.lock("second"));
        world.provider.renewalGroups(name -> {
            // By then the keeper has found the renewal of the first one late.
            boolean unused = name.equals("second") && held.release();
            return "one";
        });
        world.time.advance(Duration.ofSeconds(10));

        assertThat(held.isHeld()).isFalse();
        assertThat(events.count("released")).isEqualTo(1);
        assertThat(events.count("renewalFailed")).isZero();
        assertThat(events.count("atRisk")).isZero();
        assertThat(log.lines(Level.WARNING)).isEmpty();
    }

    @Test
    void aWaitThatEndsByReentryIsLoggedAtDebug() {
        debug();
        LockOptions importer = LockOptions.DEFAULTS.withOwner(LockOwner.of("importer"));
        LockHandle foreign = take(other.lock("stock"));
        CompletableFuture<LockHandle> first = client.lock("stock", importer).acquireAsync();
        CompletableFuture<LockHandle> second = client.lock("stock", importer).acquireAsync();
        world.time.advance(Duration.ofMillis(1_200));
        foreign.release();

        assertThat(first).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
        take(client.lock("stock", importer)).release();
        String token = "token " + second.join().fencingToken().value();
        assertThat(log.lines(Level.FINE))
                .filteredOn(line -> line.startsWith("Granted") && line.contains(token))
                .hasSize(2)
                .allMatch(line -> line.endsWith(" after 1200 ms, for 30000 ms unless it is renewed"));
    }

    @Test
    void aFailedReentryIsLoggedAtDebug() {
        debug();
        LockOptions importer = LockOptions.DEFAULTS.withOwner(LockOwner.of("importer"));
        LockHandle held = take(client.lock("stock", importer));
        world.provider.troubleAll(Trouble.REQUEST_LOST);
        world.time.advance(Duration.ofSeconds(25));
        assertThatThrownBy(client.lock("stock", importer)::tryAcquire).isInstanceOf(LockStoreException.class);

        assertThat(held.isHeld()).isTrue();
        assertThat(log.lines(Level.FINE))
                .filteredOn(line -> line.startsWith("Did not get"))
                .singleElement()
                .asString()
                .endsWith(" in 0 ms: RENEW: the request was lost");
    }

    @Test
    @Proves("9.4")
    void aLossIsLoggedEvenIfDebugLinesFillTheLogOfASlowHandler() {
        debug();
        TaskQueue callbacks = new TaskQueue();
        world.callbacksOn(callbacks);
        for (int i = 0; i < LockListener.MAX_PENDING / 2 + 1; i++) {
            take(client.lock("busy")).release();
        }
        take(client.lock("stock"));
        world.removeRecord("stock");

        callbacks.open();
        assertThat(log.lines(Level.WARNING)).anyMatch(line -> line.startsWith("Lost the lock 'stock'"));
    }

    @Test
    void aRemovedLockIsLoggedAsOneWarning() {
        LockHandle held = take(client.lock("stock"));
        world.removeRecord("stock");

        assertThat(held.lost()).isCompletedWithValue(LossCause.TAKEN_OVER);
        assertThat(log.lines(Level.WARNING)).containsExactly("Lost " + named() + ": TAKEN_OVER, 0 ms after its grant");
    }

    @Test
    void lineBreaksInNamesAndOwnersAreEscaped() {
        LockOptions forged = LockOptions.DEFAULTS.withOwner(LockOwner.of("me\r\nERROR"));
        LockHandle held = take(client.lock("stock\nERROR forged\u2028", forged));
        world.removeRecord("stock\nERROR forged\u2028");

        assertThat(held.isHeld()).isFalse();
        assertThat(log.lines(Level.WARNING))
                .singleElement()
                .asString()
                .startsWith("Lost the lock 'stock\\u000aERROR forged\\u2028' (owner of:me\\u000d\\u000aERROR, ");
    }

    @Test
    void theLifeOfALockIsLoggedAtDebugWithItsTimes() {
        debug();
        LockHandle foreign = take(other.lock("stock"));
        CompletableFuture<LockHandle> waiting = client.lock("stock").acquireAsync();
        world.time.advance(Duration.ofMillis(1_200));
        foreign.release();
        world.time.advance(Duration.ofMillis(300));
        log.records().clear();
        world.provider.beforeNext(RELEASE, () -> world.time.advance(Duration.ofMillis(7)));
        waiting.join().release();
        take(client.lock("stock")).release();
        world.provider.trouble(ATTEMPT, Trouble.REQUEST_LOST);
        assertThatThrownBy(client.lock("stock")::tryAcquire).isInstanceOf(LockStoreException.class);

        List<String> lines = log.lines(Level.FINE);
        assertThat(lines.get(0))
                .startsWith("Released the lock 'stock' (owner ")
                .endsWith(") after 307 ms; the release took 7 ms");
        assertThat(lines.get(1))
                .startsWith("Granted the lock 'stock' (owner ")
                .endsWith(" after 0 ms, for 30000 ms unless it is renewed");
        assertThat(lines.get(3))
                .startsWith("Did not get the lock 'stock' (owner ")
                .endsWith(") in 0 ms: ATTEMPT: the request was lost");
    }

    @Test
    void aWaitIsLoggedAtDebugWithItsTime() throws InterruptedException {
        debug();
        LockHandle foreign = take(other.lock("stock"));
        CompletableFuture<LockHandle> waiting = client.lock("stock").acquireAsync();
        CompletableFuture<Optional<LockHandle>> impatient =
                client.lock("stock").tryAcquireAsync(Duration.ofMillis(500));
        world.time.advance(Duration.ofMillis(1_200));
        foreign.release();

        assertThat(waiting).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(impatient).isCompletedWithValue(Optional.empty());
        assertThat(log.lines(Level.FINE).stream().map(line -> line.replaceAll(" \\(owner [^)]*\\)", "")))
                .contains(
                        "Waiting for the lock 'stock'",
                        "Did not get the lock 'stock' in 500 ms: TIMED_OUT",
                        "Granted the lock 'stock' after 1200 ms, for 30000 ms unless it is renewed");
    }

    @Test
    void aFailedReleaseAndItsLaterSuccessAreWarnings() {
        world.provider.beforeNext(RELEASE, () -> world.time.advance(Duration.ofMillis(7)));
        holdWhoseReleaseFails();
        world.time.advance(Duration.ofSeconds(1));
        world.provider.trouble(RELEASE, Trouble.NONE);
        world.time.advance(Duration.ofSeconds(1));

        assertThat(world.isTaken("stock")).isFalse();
        assertThat(log.lines(Level.WARNING))
                .containsExactly(
                        "The release of " + named()
                                + " failed after 7 ms and is repeated until it succeeds or the lease ends:"
                                + " RELEASE: the request was lost",
                        "Released " + named() + " at last, 1507 ms after the first try");
        assertThat(log.records().get(0).getThrown()).isInstanceOf(LockStoreException.class);
    }

    @Test
    void aReleaseRepeatedByTheApplicationIsLoggedAsSucceeded() {
        LockHandle held = holdWhoseReleaseFails();
        world.time.advance(Duration.ofMillis(50));
        world.provider.trouble(RELEASE, Trouble.NONE);

        assertThat(held.release()).isTrue();
        world.time.advance(Duration.ofSeconds(1));
        assertThat(log.lines(Level.WARNING))
                .hasSize(2)
                .element(1)
                .isEqualTo("Released " + named() + " at last, 50 ms after the first try");
    }

    @Test
    void aReleaseThatFailsUntilTheLeaseEndsIsLoggedOnceAtTheEnd() {
        LockHandle held = holdWhoseReleaseFails();
        world.time.advance(Duration.ofSeconds(10));
        assertThatThrownBy(held::release).isInstanceOf(LockStoreException.class);
        world.time.advance(Duration.ofSeconds(60));

        assertThat(log.lines(Level.WARNING))
                .hasSize(3)
                .element(2)
                .isEqualTo("Could not release " + named() + " before its lease ended, 30000 ms after the first try");
    }

    @Test
    void aRefusedTryIsLoggedInOneLineWithTheReason() {
        debug();
        take(other.lock("stock"));
        assertThat(client.lock("stock").tryAcquire()).isEmpty();

        assertThat(events.kinds()).containsExactly("contended");
        String owner = events.events().get(0).owner();
        assertThat(log.lines(Level.FINE))
                .filteredOn(line -> line.contains(owner))
                .containsExactly("Did not get the lock 'stock' (owner " + owner
                        + ") in 0 ms: somebody else has it, or comes first");
    }

    @Test
    void nothingIsLoggedAboveDebugWithoutTrouble() {
        take(client.lock("stock")).release();
        assertThat(log.records()).isEmpty();
    }

    @Test
    @Proves("9.4")
    void aThrowingLogHandlerBreaksNoRenewal() {
        debug();
        AtomicInteger lines = new AtomicInteger();
        log.before(() -> {
            if (lines.getAndIncrement() % 2 == 0) {
                throw new NoClassDefFoundError("planted in a handler of the log");
            }
            throw new IllegalStateException("planted in a handler of the log");
        });
        LockHandle held = take(client.lock("stock"));
        world.provider.trouble(RENEW_ALL, Trouble.REQUEST_LOST);
        world.time.advance(Duration.ofSeconds(25));
        world.provider.trouble(RENEW_ALL, Trouble.NONE);
        world.time.advance(Duration.ofSeconds(60));

        assertThat(held.isHeld()).isTrue();
        assertThat(held.release()).isTrue();
        assertThat(events.kinds()).contains("renewed", "renewalFailed", "atRisk", "released");
        assertThat(lines).as("lines that were tried").hasValueGreaterThan(4);
    }

    @Test
    @Proves("9.4")
    void aBlockingLogHandlerDelaysNoRenewal() {
        TaskQueue callbacks = new TaskQueue();
        world.callbacksOn(callbacks);
        LockHandle held = take(client.lock("stock"));
        world.provider.trouble(RENEW_ALL, Trouble.REQUEST_LOST);
        world.time.advance(Duration.ofSeconds(15));
        assertThat(log.records()).isEmpty();

        world.provider.trouble(RENEW_ALL, Trouble.NONE);
        world.time.advance(Duration.ofSeconds(60));
        assertThat(held.isHeld()).isTrue();
        callbacks.open();
        assertThat(log.records()).hasSize(2);
    }

    @Test
    void storeEventsAndLogNameTheSameOwner() {
        debug();
        LockHandle held = take(client.lock("stock"));
        String owner = client.holder("stock").orElseThrow().owner();

        assertThat(events.events().get(0).owner()).isEqualTo(owner);
        assertThat(log.lines(Level.FINE).get(0)).contains("(owner " + owner + ", token ");

        CompletableFuture<LockHandle> next = client.lock("stock").acquireAsync();
        assertThat(held.release()).isTrue();
        String nextOwner = client.holder("stock").orElseThrow().owner();
        assertThat(events.kinds()).containsExactly("acquired", "contended", "released", "acquired");
        assertThat(events.events().get(1).owner()).isEqualTo(nextOwner);
        assertThat(events.events().get(3).owner()).isEqualTo(nextOwner);
        assertThat(next.join().release()).isTrue();
    }
}
