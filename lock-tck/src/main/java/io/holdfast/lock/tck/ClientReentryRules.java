package io.holdfast.lock.tck;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;

/** Chapter 4, reentrancy, asked of a client. */
interface ClientReentryRules extends Rules {

    private LockOptions logical() {
        return kit().lasting().withOwner(LockOwner.of("owner-" + UUID.randomUUID()));
    }

    @LockRule("4.1")
    default void rule41_theSameThreadReentersAndNoOtherDoes() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        try (LockHandle outer = client.lock(name).acquire();
                LockHandle inner = client.lock(name).tryAcquire().orElseThrow(() -> new AssertionError("re-entry"))) {
            Assertions.assertTrue(outer.isHeld() && inner.isHeld(), "both handles hold");
            Assertions.assertEquals(
                    Optional.empty(), Call.elsewhere(() -> client.lock(name).tryAcquire()), "another thread");
            Assertions.assertEquals(
                    Optional.empty(),
                    Call.resultOf(client.lock(name).tryAcquireAsync(Duration.ZERO)),
                    "each asynchronous acquire has a new owner");
        }
    }

    @LockRule("4.1")
    default void rule41_theSameLogicalOwnerReentersFromAnyThreadOfTheClient() throws InterruptedException {
        String name = kit().newName();
        LockOptions options = logical();
        LockClient client = kit().client();
        try (LockHandle outer = client.lock(name, options).acquire();
                LockHandle inner = Call.elsewhere(
                                () -> client.lock(name, options).tryAcquire())
                        .orElseThrow(() -> new AssertionError("the same owner re-enters from another thread"))) {
            Assertions.assertTrue(outer.isHeld() && inner.isHeld(), "both handles hold");
        }
    }

    @LockRule("4.2")
    default void rule42_theLastReleaseFreesTheLockInAnyOrder() throws InterruptedException {
        LockClient client = kit().client();
        LockClient other = kit().client();
        for (boolean outerFirst : new boolean[] {true, false}) {
            String name = kit().newName();
            LockHandle outer = client.lock(name).acquire();
            LockHandle inner = client.lock(name).acquire();
            LockHandle first = outerFirst ? outer : inner;
            LockHandle second = outerFirst ? inner : outer;
            Assertions.assertTrue(first.release(), "the handle holds");
            Assertions.assertFalse(first.isHeld(), "a released handle does not hold");
            Assertions.assertTrue(second.isHeld(), "one hold is left");
            Assertions.assertEquals(Optional.empty(), other.lock(name).tryAcquire(), "one hold is left");
            Assertions.assertTrue(second.release(), "the handle holds");
            other.lock(name)
                    .tryAcquire()
                    .orElseThrow(() -> new AssertionError("no hold is left"))
                    .close();
        }
    }

    @LockRule("4.3")
    @Needs(Capability.FENCED)
    default void rule43_nestedHoldsShareOneToken() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        try (LockHandle outer = client.lock(name).acquire();
                LockHandle inner = client.lock(name).acquire()) {
            Assertions.assertEquals(outer.fencingToken(), inner.fencingToken(), "nested holds are of one grant");
        }
    }

    @LockRule("4.3")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule43_aNestedAcquireDoesNotShortenTheLease() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        LockOptions lasting = kit().lasting().withoutRenewal();
        try (LockHandle outer = client.lock(name, lasting).acquire()) {
            client.lock(name, kit().shortOptions().withoutRenewal()).acquire().close();
            Pace.pass(kit().longestLife().plus(Pace.SLACK));

            Assertions.assertTrue(outer.isHeld(), "the outer hold has a longer lease than the nested one");
            kit().visitor(name).mustBeContended("the outer hold has a longer lease than the nested one");
        }
    }

    @LockRule("4.4")
    default void rule44_anotherOwnerOnTheSameThreadIsAnotherOwner() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        try (LockHandle held = client.lock(name).acquire()) {
            for (LockOwner owner : new LockOwner[] {LockOwner.unique(), LockOwner.of("somebody else")}) {
                Assertions.assertEquals(
                        Optional.empty(),
                        client.lock(name, kit().lasting().withOwner(owner)).tryAcquire(),
                        () -> owner + " is not the thread that holds the lock");
            }
            Assertions.assertTrue(held.isHeld(), "nobody has released it");
        }
    }

    @LockRule("4.5")
    @Needs(hooks = Hook.REMOVER)
    default void rule45_theNextAcquireAfterALossIsAFreshClaim() throws InterruptedException {
        String name = kit().newName();
        LockClient client = kit().client();
        LockHandle dead = client.lock(name, kit().shortOptions()).acquire();
        kit().remove(name);
        Assertions.assertTrue(Pace.within(kit().lease(), () -> !dead.isHeld()), "the loss is reported to the holder");

        LockHandle fresh = client.lock(name, kit().shortOptions())
                .tryAcquire()
                .orElseThrow(() -> new AssertionError("nobody holds the lock"));
        Assertions.assertFalse(dead.isHeld(), "a later acquire does not bring a lost hold back");
        Assertions.assertFalse(dead.release(), "the hold was lost");
        Assertions.assertTrue(fresh.isHeld(), "the dead hold's release does not concern the fresh one");
        kit().visitor(name).mustBeContended("the fresh hold was not released");
        if (Capability.FENCED.isMetBy(kit().capabilities())) {
            Assertions.assertNotEquals(dead.fencingToken(), fresh.fencingToken(), "a fresh claim has a fresh token");
        }
        Assertions.assertTrue(fresh.release(), "the fresh hold counts once");
        kit().visitor(name).mustBeGranted("the fresh hold was released");
    }

    @LockRule("4.6")
    @Needs(Capability.COUNTED_BY_STORE)
    default void rule46_theSameLogicalOwnerReentersFromAnotherClient() throws InterruptedException {
        String name = kit().newName();
        LockOptions options = logical();
        LockHandle outer = kit().client().lock(name, options).acquire();
        LockHandle inner = kit().client()
                .lock(name, options)
                .tryAcquire()
                .orElseThrow(() -> new AssertionError("the store counts the holds of an owner"));
        LockClient other = kit().client();
        Assertions.assertTrue(outer.release(), "the handle holds");
        Assertions.assertEquals(Optional.empty(), other.lock(name).tryAcquire(), "one hold is left");
        Assertions.assertTrue(inner.release(), "the handle holds");
        other.lock(name)
                .tryAcquire()
                .orElseThrow(() -> new AssertionError("no hold is left"))
                .close();
    }

    @LockRule("4.6")
    @Needs(Capability.COUNTED_BY_CLIENT)
    default void rule46_theSameOwnerInAnotherClientIsContended() throws InterruptedException {
        String name = kit().newName();
        LockOptions options = logical();
        try (LockHandle held = kit().client().lock(name, options).acquire()) {
            Assertions.assertEquals(
                    Optional.empty(),
                    kit().client().lock(name, options).tryAcquire(),
                    "the provider declares that clients count the holds of an owner");
            Assertions.assertTrue(held.isHeld(), "nobody has released it");
        }
    }
}
