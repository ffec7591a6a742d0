package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.CandidateTck.OfProvider;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.LostReply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A fault that does nothing, or too much, fails its control. */
@Execution(ExecutionMode.CONCURRENT)
class BrokenFaultsTest {

    /** Offers everything, and does nothing. */
    private static final class Idle implements Faults {
        private static final Optional<Fault> NOTHING = Optional.of(new Fault(() -> {}, () -> {}));

        @Override
        public Optional<Fault> outage() {
            return NOTHING;
        }

        @Override
        public Optional<Fault> lostReplies() {
            return NOTHING;
        }

        @Override
        public Optional<LostReply> lostReply() {
            return NOTHING.map(nothing -> new LostReply(nothing, () -> false));
        }

        @Override
        public List<Fault> errorReplies() {
            return NOTHING.stream().toList();
        }

        @Override
        public Optional<Fault> stalledConnection() {
            return NOTHING;
        }

        @Override
        public Optional<Function<Duration, Fault>> slowNetwork() {
            return NOTHING.map(nothing -> delay -> nothing);
        }

        @Override
        public Optional<Fault> pause() {
            return NOTHING;
        }

        @Override
        public Optional<Fault> crash() {
            return NOTHING;
        }

        @Override
        public Optional<Fault> dataLoss() {
            return NOTHING;
        }

        @Override
        public Optional<Consumer<LockProvider>> sessionEnd() {
            return Optional.of(provider -> {});
        }

        @Override
        public Optional<Function<Duration, Fault>> clockStep() {
            return NOTHING.map(nothing -> forward -> nothing);
        }

        @Override
        public Optional<Fault> exhaustion() {
            return NOTHING;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "control_anOutageKeepsTheProvidersFromTheStore, outage() must keep",
        "control_aCommandWhoseReplyIsLostIsCarriedOut, lostReplies() must lose",
        "control_oneReplyIsLostAndNoOther, lostReply() must lose the reply",
        "control_aRequestThatIsAnsweredWithAnErrorIsNotCarriedOut, errorReplies() must have the store answer",
        "control_oneConnectionHangsAndAnotherDoesNot, stalledConnection() must let a connection hang",
        "control_everyReplyIsLateOnASlowNetwork, slowNetwork() must delay",
        "control_aPausedStoreAnswersNothing, pause() must stop",
        "control_aCrashEndsTheStoreAndKeepsItsData, crash() must keep the providers from the store",
        "control_aLossOfDataEndsTheStoreAndItsData, dataLoss() must keep the providers from the store",
        "control_theEndOfASessionFreesItsLocks, sessionEnd() must end",
        "control_aStepOfTheClockEndsLeases, clockStep() must set",
        "control_noConnectionIsLeft, exhaustion() must leave"
    })
    void faultThatDoesNothing(String control, String complaint) {
        mustFail(control, new Idle(), complaint);
    }

    @Test
    void everyControlHasATest() throws Exception {
        Set<String> tested = Stream.of(BrokenFaultsTest.class
                        .getDeclaredMethod("faultThatDoesNothing", String.class, String.class)
                        .getAnnotation(CsvSource.class)
                        .value())
                .map(line -> line.split(",", 2)[0])
                .collect(Collectors.toSet());
        Set<String> controls = Stream.of(FaultControls.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(KitControl.class))
                .map(java.lang.reflect.Method::getName)
                .collect(Collectors.toSet());

        assertThat(tested).isEqualTo(controls);
    }

    private static void mustFail(String control, Faults faults, String complaint) {
        KitRun.ofRule(OfProvider.class, control, () -> new FaultyHarness(Flaw.NONE) {
                    /** Long: a call that a busy machine holds up for as long would look like one that the fault holds up. */
                    @Override
                    public Duration lease() {
                        return Duration.ofSeconds(3);
                    }

                    @Override
                    public Faults faults() {
                        return faults;
                    }
                })
                .mustFailAlone("the harness control " + control + "() is broken: " + complaint);
    }
}
