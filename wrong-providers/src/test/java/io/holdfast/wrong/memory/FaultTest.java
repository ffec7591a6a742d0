package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.wrong.WrongProvider;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** That each fault shows: a scenario goes well with the store that is right, and not with the one that has the fault. */
abstract class FaultTest {

    /** A scenario for each fault. */
    abstract Map<WrongProvider, Consumer<Bench>> scenarios();

    @TestFactory
    Stream<DynamicTest> aScenarioShowsTheFault() {
        return scenarios().entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(each.getKey().name(), () -> show(each.getKey(), each.getValue())));
    }

    private static void show(WrongProvider fault, Consumer<Bench> scenario) {
        PlainStore wrong = ((PlainHarness) fault.harness()).store();
        assertThatCode(() -> scenario.accept(new Bench(new PlainStore(wrong.traits))))
                .as("with the store that is right")
                .doesNotThrowAnyException();
        assertThat(catchThrowable(() -> scenario.accept(new Bench(wrong))))
                .as("what the fault does")
                .isNotNull();
    }
}
