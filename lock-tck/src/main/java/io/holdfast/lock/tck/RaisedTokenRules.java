package io.holdfast.lock.tck;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import org.junit.jupiter.api.Assertions;

/** Chapter 6, fencing: tokens that an operator raises, asked of the provider. */
interface RaisedTokenRules extends Rules {

    @LockRule("6.7")
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule67_afterTokensWereRaisedEveryGrantHasAGreaterOne() {
        LockProvider provider = kit().provider();
        long first = Tokens.growing(0, kit().visitor(provider, kit().newName()));
        long above = first + Tokens.MUCH;
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
            Tokens.growing(first, kit().visitor(kit().newName()));
            return;
        }

        String name = kit().newName();
        long second = Tokens.growing(above, kit().visitor(name));
        // Both are less than that, but as a text the second one is more.
        provider.raiseTokens(first);
        provider.raiseTokens(9);
        raiseToLessThanNothing(provider, -1);
        // By a subtraction it is more than all.
        raiseToLessThanNothing(provider, Long.MIN_VALUE);
        Tokens.growing(second, kit().visitor(name));
        Tokens.growing(above, kit().visitor(kit().newName()));

        // By a client that has granted before it, and asks first: it may know what it was told then.
        long again = provider.highestToken() + Tokens.MUCH;
        try {
            kit().provider().raiseTokens(again);
        } catch (LockConfigurationException refused) {
            // Other tests may have raised them to the limit.
            Kit.mustGiveAReason(refused);
            return;
        }
        Tokens.growing(again, kit().visitor(provider, kit().newName()));
    }

    @LockRule({"1.4", "6.7"})
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule67_tokensOfALongNameAreRaised() {
        LockProvider provider = kit().provider();
        // More bytes than characters: a store may keep it in another way.
        String name = kit().newName() + "\u20AC".repeat(900);
        long above;
        try {
            above = Tokens.growing(0, kit().visitor(provider, name)) + Tokens.MUCH;
            provider.raiseTokens(name, above);
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            Kit.mustGiveAReason(refused);
            return;
        }
        Tokens.growing(above, kit().visitor(name));
    }

    @LockRule({"6.2", "6.7"})
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule62_aRaiseChangesNoTokenOfAHolder() {
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().tryingOnce(provider, kit().newName());
        long token = Tokens.of(holder.mustBeGranted("nobody holds the lock"));
        try {
            provider.raiseTokens(token + Tokens.MUCH);
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
        long ofName = Tokens.growing(0, kit().visitor(provider, name));
        long ofOther = Tokens.growing(0, kit().visitor(provider, other));
        try {
            provider.raiseTokens(name, ofName + Tokens.MUCH);
            ofName = Tokens.growing(ofName + Tokens.MUCH, kit().visitor(name));
            // They are above it.
            provider.raiseTokens(other, 1);
            provider.raiseTokens(name, ofName - 500);
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            // They still grow.
        }
        Tokens.growing(ofName, kit().visitor(name));
        Tokens.growing(ofOther, kit().visitor(other));
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
            above = provider.highestToken() + Tokens.MUCH;
            provider.raiseTokens(above);
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            Tokens.growing(0, kit().visitor(name));
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
        Tokens.growing(second, kit().visitor(name));
    }

    private static void raiseToLessThanNothing(LockProvider provider, long above) {
        try {
            provider.raiseTokens(above);
        } catch (LockConfigurationException refused) {
            Kit.mustGiveAReason(refused);
        }
    }
}
