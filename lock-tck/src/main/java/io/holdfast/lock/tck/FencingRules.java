package io.holdfast.lock.tck;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.UnsupportedCapabilityException;
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

    /** More than a token that is made of a clock, in nanoseconds or a longer unit, grows by in the meantime. */
    long MUCH = 1_000_000_000_000L;

    @LockRule("6.1")
    @Needs(Capability.FENCED)
    default void rule61_eachGrantHasAGreaterTokenThanAllBefore() {
        String name = kit().newName();
        LockProvider[] providers = {kit().provider(), kit().provider()};
        long last = 0;
        for (int i = 0; i < 20; i++) {
            last = growing(last, kit().tryingOnce(providers[i % 2], name));
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

        growing(first, kit().visitor(name));
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

        growing(first, kit().visitor(name));
    }

    @LockRule({"6.1", "6.3"})
    @Needs(Capability.LASTINGLY_FENCED)
    default void rule63_tokensGrowAfterEveryClientHasGone() {
        String name = kit().newName();
        LockProvider before = kit().provider();
        long first = growing(0, kit().visitor(before, name));
        before.close();

        growing(first, kit().visitor(name));
    }

    @LockRule("6.5")
    @Needs(Capability.UNFENCED)
    default void rule65_aProviderWithoutFencingGrantsNoTokens() {
        Attempt.Granted granted = kit().claim(kit().newName()).make().mustBeGranted("nobody holds the lock");

        Assertions.assertTrue(
                granted.fencingToken().isEmpty(),
                () -> "the provider declares fencing NONE, but its grant has a token: " + granted);
    }

    @LockRule("6.7")
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule67_afterTokensWereRaisedEveryGrantHasAGreaterOne() {
        LockProvider provider = kit().provider();
        long first = growing(0, kit().visitor(provider, kit().newName()));
        long above = first + MUCH;
        try {
            Assertions.assertTrue(
                    provider.highestToken() >= first,
                    () -> "the highest token must not be below one that was given, " + first);
            LockProvider raising = kit().provider();
            Assertions.assertTrue(
                    raising.highestToken() >= first,
                    () -> "the highest token that one client tells must not be below one that another was given, "
                            + first);
            raising.raiseTokens(above);
            // Lasting: the store has it, and not the client that asked for it.
            raising.close();
            Assertions.assertTrue(
                    provider.highestToken() >= above,
                    () -> "the highest token must not be below the number to which tokens were raised, " + above);
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            growing(first, kit().visitor(kit().newName()));
            return;
        }

        String name = kit().newName();
        long second = growing(above, kit().visitor(name));
        // Both are less than that, but as a text the second one is more.
        provider.raiseTokens(first);
        provider.raiseTokens(9);
        growing(second, kit().visitor(name));
        growing(above, kit().visitor(kit().newName()));

        // By a client that has granted before it, and asks first: it may know what it was told then.
        long again = provider.highestToken() + MUCH;
        try {
            kit().provider().raiseTokens(again);
        } catch (LockConfigurationException refused) {
            // Other tests may have raised them to the limit.
            Kit.mustGiveAReason(refused);
            return;
        }
        growing(again, kit().visitor(provider, kit().newName()));
    }

    /** A store may forget what nobody has used for some seconds. */
    Duration IDLE = Duration.ofSeconds(10);

    @LockRule({"6.1", "6.3"})
    @Needs(Capability.FENCED)
    @Lengthy
    default void rule61_tokensGrowAfterALockWasIdle() {
        String name = kit().newName();
        long before = growing(0, kit().visitor(name));
        Pace.pass(IDLE);
        growing(before, kit().visitor(name));
    }

    @LockRule({"1.4", "6.7"})
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule67_tokensOfALongNameAreRaised() {
        LockProvider provider = kit().provider();
        // More bytes than characters: a store may keep it in another way.
        String name = kit().newName() + "\u20AC".repeat(900);
        long above;
        try {
            above = growing(0, kit().visitor(provider, name)) + MUCH;
            provider.raiseTokens(name, above);
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            Kit.mustGiveAReason(refused);
            return;
        }
        growing(above, kit().visitor(name));
    }

    @LockRule({"6.2", "6.7"})
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule62_aRaiseChangesNoTokenOfAHolder() {
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().tryingOnce(provider, kit().newName());
        long token = Tokens.of(holder.mustBeGranted("nobody holds the lock"));
        try {
            provider.raiseTokens(token + MUCH);
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            return;
        }
        Assertions.assertEquals(
                token,
                Tokens.of(holder.mustBeGranted("it holds the lock")),
                "the token of a claim that attempts again, after tokens were raised: that of its first grant");
        provider.holder(holder.name())
                .flatMap(LockHolder::fencingToken)
                .ifPresent(shown -> Assertions.assertEquals(
                        token, shown.value(), "the token that is shown of a holder, after tokens were raised"));
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

    @LockRule({"6.1", "6.7"})
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule67_aClaimThatWaitsWhileTokensAreRaisedIsGrantedAGreaterOne() {
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().make();
        long first = Tokens.of(holder.mustBeGranted("nobody holds the lock"));
        DrivenClaim waiter = kit().claim(provider, holder.name()).lasting().make();
        waiter.mustBeContended("the lock is held");
        long above = first + 1_000_000;
        try {
            kit().provider().raiseTokens(above);
        } catch (UnsupportedCapabilityException refused) {
            above = first;
        }
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        Tokens.mustBeNewer(
                Tokens.of(waiter.mustBeGranted("the holder has released it")),
                above,
                "tokens were raised above that while the claim waited");
    }

    @LockRule({"6.1", "6.7"})
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule67_aRaiseForOneNameLowersNoToken() {
        LockProvider provider = kit().provider();
        String name = kit().newName();
        String other = kit().newName();
        long ofName = growing(0, kit().visitor(provider, name));
        long ofOther = growing(0, kit().visitor(provider, other));
        try {
            provider.raiseTokens(name, ofName + MUCH);
            ofName = growing(ofName + MUCH, kit().visitor(name));
            // They are above it.
            provider.raiseTokens(other, 1);
            provider.raiseTokens(name, ofName - 500);
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            // They still grow.
        }
        growing(ofName, kit().visitor(name));
        growing(ofOther, kit().visitor(other));
    }

    @LockRule({"6.1", "6.7"})
    @Needs(
            value = {Capability.FENCED, Capability.LEASED_PER_CLAIM},
            hooks = Hook.DISPOSABLE)
    default void rule67_aRaiseOutlivesTheLeasesAfterIt() {
        LockProvider provider = kit().provider();
        String name = kit().newName();
        long above;
        try {
            above = provider.highestToken() + MUCH;
            provider.raiseTokens(above);
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            growing(0, kit().visitor(name));
            return;
        }
        DrivenClaim dead = kit().claim(provider, name).make();
        long first = Tokens.of(dead.mustBeGranted("nobody holds the lock"));
        Tokens.mustBeNewer(first, above, "the tokens were raised to that");
        Assertions.assertTrue(
                provider.highestToken() >= first,
                () -> "the highest token must not be below one that was given after a raise, " + first);
        dead.outlive(kit().longestLife().plus(Pace.SLACK));

        long second = Tokens.of(dead.mustBeGranted("its own lease has ended, and nobody holds the lock"));
        Tokens.mustBeNewer(second, first, "a claim whose lease had ended was granted the lock anew");
        dead.release();
        growing(second, kit().visitor(name));
    }

    private static long growing(long last, DrivenClaim claim) {
        long next = Tokens.of(claim.mustBeGranted("nobody holds the lock any more"));
        Tokens.mustBeNewer(next, last, "tokens grow with every grant");
        claim.release();
        return next;
    }
}
