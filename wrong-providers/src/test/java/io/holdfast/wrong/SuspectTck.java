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

/** The kit on the harness of a wrong provider. Only these tests run it: the build does not find it. */
final class SuspectTck {

    /** The configuration parameter of a run that has the number of its suspect. */
    static final String NUMBER = "suspect";

    private static final Map<String, Supplier<LockHarness>> SUSPECTS = new ConcurrentHashMap<>();

    private SuspectTck() {}

    /** Returns the number of a suspect, for one run. */
    static String add(Supplier<LockHarness> harness) {
        String number = UUID.randomUUID().toString();
        SUSPECTS.put(number, harness);
        return number;
    }

    static void remove(String number) {
        SUSPECTS.remove(number);
    }

    /** Gives a level of the kit the suspect of its run. */
    static final class Resolver implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Supplier.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return SUSPECTS.get(context.getConfigurationParameter(NUMBER).orElseThrow());
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
