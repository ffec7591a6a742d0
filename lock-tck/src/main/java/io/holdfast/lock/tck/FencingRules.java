package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Assertions;

/** Chapter 6, fencing, asked of the provider. */
interface FencingRules extends Rules {

    @LockRule("6.1")
    @Needs(Capability.FENCED)
    default void rule61_eachGrantHasAGreaterTokenThanAllBefore() {
        String name = kit().newName();
        LockProvider[] providers = {kit().provider(), kit().provider()};
        long last = 0;
        for (int i = 0; i < 20; i++) {
            last = Tokens.growing(last, kit().tryingOnce(providers[i % 2], name));
        }
    }

    @LockRule("6.1")
    @Needs(Capability.FENCED)
    default void rule61_tokensGrowUnderContention() throws InterruptedException {
        Queue<Long> tokens = new ConcurrentLinkedQueue<>();
        Hammer hammer = new Hammer(Duration.ofMillis(600));
        // Noted by the holders while they hold the lock, so in the order of the grants.
        hammer.contendFor(kit().newName(), kit(), granted -> tokens.add(Tokens.of(granted)));

        hammer.run();

        long last = 0;
        for (long token : tokens) {
            Tokens.mustBeNewer(token, last, "tokens grow with every grant, also under contention");
            last = token;
        }
    }

    @LockRule("6.1")
    @Needs(Capability.FENCED)
    default void rule61_aGrantAfterAnExpiryHasAGreaterToken() {
        String name = kit().newName();
        DrivenClaim late = kit().claim(name).make();
        long first = Tokens.of(late.mustBeGranted("nobody holds the lock"));
        late.outlive(kit().longestLife().plus(Pace.SLACK));

        Tokens.growing(first, kit().takingOver(kit().visitor(name), "the lease has ended"));
    }

    @LockRule({"5.3", "6.1"})
    @Needs(Capability.FENCED)
    default void rule61_aReleaseThatComesTooLateLowersNoToken() {
        String name = kit().newName();
        DrivenClaim late = kit().claim(name).make();
        long first = Tokens.of(late.mustBeGranted("nobody holds the lock"));
        late.outlive(kit().longestLife().plus(Pace.SLACK));
        late.mustRelease(Release.NOT_HELD, "its lease has ended");

        Tokens.growing(first, kit().takingOver(kit().visitor(name), "the lease has ended"));
    }

    @LockRule("6.2")
    @Needs(Capability.FENCED)
    default void rule62_aRenewalDoesNotChangeTheToken() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(provider, name).lasting().make();
        Attempt.Granted granted = holder.mustBeGranted("nobody holds the lock");
        for (int i = 0; i < 3; i++) {
            holder.mustRenew("it holds the lock");
        }

        Assertions.assertEquals(
                granted.fencingToken(),
                holder.mustBeGranted("the store has this very claim as granted").fencingToken(),
                "a renewal must not change the token of the grant");
        provider.holder(name)
                .orElseThrow()
                .fencingToken()
                .ifPresent(shown -> Assertions.assertEquals(
                        granted.fencingToken().orElseThrow(), shown, "the token that is shown for the holder"));
    }

    @LockRule({"6.1", "6.3"})
    @Needs(value = Capability.LASTINGLY_FENCED, hooks = Hook.REMOVER)
    default void rule63_tokensGrowAcrossAForcedRelease() {
        String name = kit().newName();
        DrivenClaim removed = kit().claim(name).lasting().make();
        long first = Tokens.of(removed.mustBeGranted("nobody holds the lock"));
        kit().remove(name);

        Tokens.growing(first, kit().visitor(name));
    }

    @LockRule({"6.1", "6.3"})
    @Needs(Capability.LASTINGLY_FENCED)
    default void rule63_tokensGrowAfterEveryClientHasGone() {
        String name = kit().newName();
        LockProvider before = kit().provider();
        long first = Tokens.growing(0, kit().visitor(before, name));
        before.close();

        Tokens.growing(first, kit().visitor(name));
    }

    @LockRule("6.5")
    @Needs(Capability.UNFENCED)
    default void rule65_aProviderWithoutFencingGrantsNoTokens() {
        Attempt.Granted granted = kit().claim(kit().newName()).make().mustBeGranted("nobody holds the lock");

        Assertions.assertTrue(
                granted.fencingToken().isEmpty(),
                () -> "the provider declares fencing NONE, but its grant has a token: " + granted);
    }

    /** A store may forget what nobody has used for some seconds. */
    Duration IDLE = Duration.ofSeconds(10);

    @LockRule({"6.1", "6.3"})
    @Needs(Capability.FENCED)
    @Lengthy
    default void rule61_tokensGrowAfterALockWasIdle() {
        String name = kit().newName();
        long before = Tokens.growing(0, kit().visitor(name));
        Pace.pass(IDLE);
        Tokens.growing(before, kit().visitor(name));
    }

    @LockRule({"6.2", "9.8"})
    @Needs(Capability.FENCED)
    default void rule98_theTokenThatIsShownIsThatOfTheHoldersGrant() {
        LockProvider observer = kit().provider();
        List<DrivenClaim> holders = kit().holders(kit().provider(), kit().longLease(), 3);
        for (DrivenClaim holder : holders) {
            Attempt.Granted grant = holder.mustBeGranted("the store has this very claim as granted");
            observer.holder(holder.name())
                    .flatMap(LockHolder::fencingToken)
                    .ifPresent(
                            shown -> Assertions.assertEquals(
                                    Tokens.of(grant),
                                    shown.value(),
                                    "the token that is shown for the holder of a lock; locks of other names were granted later"));
        }
    }
}
