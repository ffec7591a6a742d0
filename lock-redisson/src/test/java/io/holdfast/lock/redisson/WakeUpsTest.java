package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.redisson.WakeUps.Interest;
import io.holdfast.lock.spi.ClaimSignals;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The order of registering, bidding and subscribing, which a real server does not let a test choose. */
class WakeUpsTest {

    private final List<Told> opened = new ArrayList<>();
    private final WakeUps wakeUps = new WakeUps(this::open);
    private Runnable whileOpening = () -> {};
    private Runnable whileStarting = () -> {};

    private WakeUps.Channel open(String topic) {
        whileOpening.run();
        Told channel = new Told(topic);
        opened.add(channel);
        return channel;
    }

    /** A channel of which the test says what happens to it. */
    private final class Told implements WakeUps.Channel {
        private final String topic;
        private int started;
        private int stopped;

        Told(String topic) {
            this.topic = topic;
        }

        @Override
        public String topic() {
            return topic;
        }

        @Override
        public void start(WakeUps wakeUps) {
            started++;
            whileStarting.run();
        }

        @Override
        public CompletionStage<Void> stop() {
            stopped++;
            return CompletableFuture.completedFuture(null);
        }
    }

    private static final class Woken implements ClaimSignals {
        private final AtomicInteger times = new AtomicInteger();
        private final Interest interest = new Interest("a", this);

        @Override
        public void mayBeFree() {
            times.incrementAndGet();
        }

        @Override
        public void lost(LossCause cause) {}

        int times() {
            return times.get();
        }
    }

    private Woken waiting() {
        Woken woken = new Woken();
        wakeUps.register(woken.interest);
        assertThat(wakeUps.awaitRelease(woken.interest)).isTrue();
        return woken;
    }

    @Test
    void aConfirmationWakesWhoeverHasBidBeforeIt() {
        Woken foremost = waiting();

        wakeUps.confirmed(opened.get(0));

        assertThat(foremost.times()).isEqualTo(1);
    }

    @Test
    void aClaimThatRegisteredBeforeTheConfirmationAndIsRefusedAfterItBidsOnceMore() {
        waiting();
        Woken between = new Woken();
        wakeUps.register(between.interest);
        wakeUps.confirmed(opened.get(0));
        assertThat(between.times()).isZero();

        // A release between its bid and the confirmation was announced to nobody.
        wakeUps.awaitRelease(between.interest);
        assertThat(between.times()).isEqualTo(1);

        wakeUps.awaitRelease(between.interest);
        assertThat(between.times()).isEqualTo(1);
    }

    @Test
    void aClaimThatRegistersAfterTheConfirmationMissesNothing() {
        waiting();
        wakeUps.confirmed(opened.get(0));

        assertThat(waiting().times()).isZero();
    }

    @Test
    void ofTwoChannelsThatAreMadeAtTheSameTimeOneIsStarted() {
        whileOpening = () -> {
            whileOpening = () -> {};
            waiting();
        };
        waiting();

        assertThat(opened).extracting(channel -> channel.started).containsExactly(1, 0);
    }

    @Test
    void nobodyElseIsKeptWaitingWhileAChannelIsBeingMade() {
        whileOpening = () -> assertThat(Thread.holdsLock(wakeUps)).isFalse();

        waiting();

        assertThat(opened).hasSize(1);
    }

    /** What the client may throw instead of telling of a failure. */
    enum Surprise {
        RUNTIME_EXCEPTION {
            @Override
            void come() {
                throw new IllegalStateException("thrown by the test");
            }
        },
        ERROR {
            @Override
            void come() {
                throw new NoClassDefFoundError("thrown by the test");
            }
        };

        abstract void come();
    }

    @ParameterizedTest
    @EnumSource
    void whoWaitsForAChannelThatCannotBeStartedIsWokenToAskByItselfAndTheNextBidTriesAgain(Surprise surprise) {
        whileStarting = surprise::come;
        Woken foremost = waiting();
        assertThat(foremost.times()).isEqualTo(1);

        assertThat(wakeUps.awaitRelease(foremost.interest)).isFalse();
        whileStarting = () -> {};
        wakeUps.awaitRelease(foremost.interest);
        assertThat(foremost.times()).isEqualTo(1);
        wakeUps.confirmed(opened.get(2));

        assertThat(foremost.times()).isEqualTo(2);
        assertThat(opened).extracting(channel -> channel.stopped).containsExactly(1, 1, 0);
    }

    @Test
    void aChannelThatIsConfirmedAfterTheCloseIsLeft() {
        waiting();
        wakeUps.close().join();
        assertThat(opened.get(0).stopped).isZero();

        wakeUps.confirmed(opened.get(0));

        assertThat(opened.get(0).stopped).isEqualTo(1);
    }
}
