package io.holdfast.wrong;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/** The kit on the harness of a wrong provider. Only these tests run it: the build does not find it. */
final class SuspectTck {

    /** The configuration parameter of a run that has the number of its suspect. */
    static final String NUMBER = "suspect";

    private static final Map<String, Suspect> SUSPECTS = new ConcurrentHashMap<>();

    private SuspectTck() {}

    /**
     * What a run is about.
     *
     * @param toTheEnd whether tests go on after one has failed
     * @param failed whether a test has failed
     */
    private record Suspect(Supplier<LockHarness> harness, boolean toTheEnd, AtomicBoolean failed) {

        static Suspect of(ExtensionContext context) {
            return Optional.ofNullable(SUSPECTS.get(
                            context.getConfigurationParameter(NUMBER).orElseThrow()))
                    .orElseThrow();
        }
    }

    /** Returns the number of a suspect, for one run. */
    static String add(Supplier<LockHarness> harness, boolean toTheEnd) {
        String number = UUID.randomUUID().toString();
        SUSPECTS.put(number, new Suspect(harness, toTheEnd, new AtomicBoolean()));
        return number;
    }

    static void remove(String number) {
        SUSPECTS.remove(number);
    }

    /** Gives a level of the kit the suspect of its run, and leaves out the tests that nobody waits for. */
    static final class Resolver implements ParameterResolver, ExecutionCondition, TestWatcher {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Supplier.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return Suspect.of(context).harness();
        }

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Suspect suspect = Suspect.of(context);
            return suspect.toTheEnd() || !suspect.failed().get()
                    ? ConditionEvaluationResult.enabled("nothing has failed yet, or all failures are wanted")
                    : ConditionEvaluationResult.disabled("one failure is enough");
        }

        @Override
        public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
            if (KitRuns.isBroken(cause)) {
                Suspect.of(context).failed().set(true);
            }
        }
    }

    /** At the level of the SPI. */
    @ExtendWith(Resolver.class)
    static class OfProvider extends LockProviderTck {
        private final Supplier<LockHarness> suspect;

        OfProvider(Supplier<LockHarness> suspect) {
            this.suspect = suspect;
        }

        @Override
        protected LockHarness harness() {
            return suspect.get();
        }
    }

    /** At the level of the client. */
    @ExtendWith(Resolver.class)
    static class OfClient extends LockClientTck {
        private final Supplier<LockHarness> suspect;

        OfClient(Supplier<LockHarness> suspect) {
            this.suspect = suspect;
        }

        @Override
        protected LockHarness harness() {
            return suspect.get();
        }
    }
}
