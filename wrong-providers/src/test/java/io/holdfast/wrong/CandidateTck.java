package io.holdfast.wrong;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The kit on a harness that a test of the kit provides. Only such tests run it: the build does not find it. */
final class CandidateTck {

    /** The configuration parameter of a run that has the number of its candidate. */
    static final String NUMBER = "candidate";

    private static final Map<String, Supplier<LockHarness>> CANDIDATES = new ConcurrentHashMap<>();

    private CandidateTck() {}

    /** Returns the number of a candidate, for one run. */
    static String add(Supplier<LockHarness> harness) {
        String number = UUID.randomUUID().toString();
        CANDIDATES.put(number, harness);
        return number;
    }

    static void remove(String number) {
        CANDIDATES.remove(number);
    }

    /** Gives a level of the kit the candidate of its run. */
    static final class Resolver implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Supplier.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return CANDIDATES.get(context.getConfigurationParameter(NUMBER).orElseThrow());
        }
    }

    /** At the level of the SPI. */
    @ExtendWith(Resolver.class)
    static class OfProvider extends LockProviderTck {
        private final Supplier<LockHarness> candidate;

        OfProvider(Supplier<LockHarness> candidate) {
            this.candidate = candidate;
        }

        @Override
        protected LockHarness harness() {
            return candidate.get();
        }
    }

    /** At the level of the client. */
    @ExtendWith(Resolver.class)
    static class OfClient extends LockClientTck {
        private final Supplier<LockHarness> candidate;

        OfClient(Supplier<LockHarness> candidate) {
            this.candidate = candidate;
        }

        @Override
        protected LockHarness harness() {
            return candidate.get();
        }
    }
}
