package io.holdfast.lock.tck;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;

/** Tests of the harness: a rule that passes on a broken harness proves nothing. */
interface HarnessControls extends Rules {

    @KitControl
    default void control_theHarnessOpensANewProviderEachTime() {
        Assertions.assertNotSame(
                kit().provider(),
                kit().provider(),
                "open() must open a new provider each time: the kit's clients would all be one client");
    }

    @KitControl
    default void control_theHarnessOpensItsProvidersOnOneStore() {
        String name = kit().newName();
        LockProvider one = kit().provider();
        kit().claim(one, name).lasting().makeGranted();
        // A provider that always grants breaks rule 1.1, and the harness is not to blame.
        boolean exclusive = kit().visitor(one, name).attempt() instanceof Attempt.Contended;

        Assertions.assertFalse(
                exclusive && kit().visitor(name).isGranted(),
                "open() must open its providers on one store: what one provider holds, another one does not find held");
    }

    @KitControl
    default void control_theProvidersOfTheHarnessDeclareTheSame() {
        Assertions.assertEquals(
                kit().provider().capabilities(),
                kit().provider().capabilities(),
                "open() must open providers with the same capabilities: they decide which rules apply");
    }

    @KitControl
    default void control_theLeaseOfTheHarnessIsLongEnoughToMeasure() {
        Duration lease = kit().harness().lease();
        Assertions.assertTrue(
                lease.compareTo(Duration.ofMillis(200)) >= 0 && lease.compareTo(Duration.ofSeconds(30)) < 0,
                () -> "lease() must be from 200 ms to less than 30 s, not " + lease.toMillis() + " ms");
    }

    @KitControl
    @Needs(hooks = Hook.REMOVER)
    default void control_theRemoverRemovesTheRecord() {
        String name = kit().newName();
        kit().claim(name).lasting().makeGranted();
        kit().remove(name);

        Assertions.assertTrue(
                kit().visitor(name).isGranted(),
                "remover() must remove the record of a lock: after it was called, the lock was still held");
    }

    @KitControl
    @Needs(hooks = Hook.REMOVER)
    default void control_theRemoverLeavesOtherLocksAlone() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        kit().remove(kit().newName());

        holder.mustRenew("remover() was called for another lock");
    }

    @KitControl
    @Needs(hooks = Hook.URI)
    default void control_theUriReachesTheStoreOfTheProviders() {
        String name = kit().newName();
        kit().claim(name).lasting().makeGranted();

        try (LockClient client = LockClient.connect(kit().harness().uri().orElseThrow())) {
            Assertions.assertTrue(
                    client.holder(name).isPresent(),
                    "uri() must reach the store of open(): what a provider holds is not held for a client of the URI");
        }
    }
}
