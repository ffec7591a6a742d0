package io.holdfast.lock.tck;

import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.CandidateTck.OfProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A wrong harness fails a control that names the fault, instead of a rule that seems to be broken. */
class BrokenHarnessTest {

    private static void mustFail(String control, Supplier<LockHarness> harness, String complaint) {
        KitRun.ofRule(OfProvider.class, control, harness)
                .mustFailAlone("the harness control " + control + "() is broken: " + complaint);
    }

    @Test
    void oneInstanceForAllClients() {
        LockProvider only = MemoryLockProvider.builder("only").build();
        mustFail(
                "control_theHarnessOpensANewProviderEachTime",
                () -> () -> only,
                "open() must open a new provider each time");
    }

    @Test
    void aStoreForEachClient() {
        mustFail(
                "control_theHarnessOpensItsProvidersOnOneStore",
                () -> () ->
                        MemoryLockProvider.builder(UUID.randomUUID().toString()).build(),
                "open() must open its providers on one store");
    }

    @Test
    void clientsThatDeclareDifferentThings() {
        boolean[] modest = {false};
        mustFail(
                "control_theProvidersOfTheHarnessDeclareTheSame",
                () -> new MemoryHarness() {
                    @Override
                    public LockProvider open() {
                        modest[0] = !modest[0];
                        return modest[0] ? new ModestProvider(super.open()) : super.open();
                    }
                },
                "open() must open providers with the same capabilities");
    }

    @Test
    void aLeaseThatIsTooShortToMeasure() {
        mustFail(
                "control_theLeaseOfTheHarnessIsLongEnoughToMeasure",
                () -> leasing(Duration.ofMillis(20)),
                "lease() must be from 200 ms");
    }

    @Test
    void aLeaseThatIsTooLongToWaitFor() {
        mustFail(
                "control_theLeaseOfTheHarnessIsLongEnoughToMeasure",
                () -> leasing(Duration.ofSeconds(30)),
                "lease() must be from 200 ms to less than 30 s");
    }

    private static LockHarness leasing(Duration lease) {
        return new MemoryHarness() {
            @Override
            public Duration lease() {
                return lease;
            }
        };
    }

    @Test
    void aRemoverThatDoesNothing() {
        mustFail(
                "control_theRemoverRemovesTheRecord",
                () -> new MemoryHarness() {
                    @Override
                    public Optional<Consumer<String>> remover() {
                        return Optional.of(name -> {});
                    }
                },
                "remover() must remove the record of a lock");
    }

    @Test
    void aUriOfAnotherStore() {
        mustFail(
                "control_theUriReachesTheStoreOfTheProviders",
                () -> new MemoryHarness() {
                    @Override
                    public Optional<String> uri() {
                        return Optional.of("memory:elsewhere");
                    }
                },
                "uri() must reach the store of open()");
    }
}
