package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** Values between those that other rules try: tokens and lengths of names that need more bits or more bytes. */
interface ValueRules extends Rules {

    /** Those at which a store may cut names, one more and one less. */
    List<Integer> LENGTHS =
            List.of(63, 64, 127, 128, 200, 249, 255, 256, 257, 511, 512, 513, 767, 768, 1000, 1023, 1024);

    @LockRule({"6.1", "6.2", "6.7"})
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule67_tokensGrowAboveNumbersOfManyBits() {
        LockProvider provider = kit().provider();
        LockProvider other = kit().provider();
        try {
            for (int bits : new int[] {31, 32, 40, 48, 51, 52}) {
                raiseAndGrow(provider, other, (1L << bits) - 3);
                raiseAndGrow(provider, other, (1L << bits) + 1);
            }
            // A number with a fraction cannot tell odd ones from their neighbours. Not up to the limit of any store:
            // its other tests draw their tokens from what is left.
            raiseAndGrow(provider, other, (1L << 53) + 1);
            // The number of a token may be the sum of two, one of which is less.
            raiseAndGrow(provider, other, (1L << 56) + 3);
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            Kit.mustGiveAReason(refused);
        }
    }

    @LockRule("6.7")
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule67_aRaiseThatLeavesNoGreaterTokenIsRefused() {
        try {
            kit().provider().raiseTokens(Long.MAX_VALUE);
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            Kit.mustGiveAReason(refused);
            kit().claim(kit().newName()).make().mustBeGranted("a raise that is refused changes nothing");
            return;
        }
        throw new AssertionError("a raise above " + Long.MAX_VALUE + " must be refused, as no token is greater");
    }

    private void raiseAndGrow(LockProvider provider, LockProvider other, long above) {
        String name = kit().newName();
        provider.raiseTokens(name, above);
        long last = above;
        for (int i = 0; i < 5; i++) {
            LockProvider each = i % 2 == 0 ? provider : other;
            DrivenClaim claim = kit().claim(each, name).lasting().make();
            long token = Tokens.of(claim.mustBeGranted("nobody holds the lock"));
            Tokens.mustBeNewer(token, last, "tokens were raised above " + above);
            Assertions.assertEquals(
                    token,
                    Tokens.of(claim.mustBeGranted("the store has this very claim as granted")),
                    "the token of a claim that is granted again, above " + above);
            other.holder(name)
                    .flatMap(LockHolder::fencingToken)
                    .ifPresent(shown -> Assertions.assertEquals(
                            token, shown.value(), "the token that is shown for the holder, above " + above));
            claim.mustRelease(Release.RELEASED, "it holds the lock");
            last = token;
        }
    }

    @LockRule("1.4")
    default void rule14_namesOfAnyLengthAreKeptApart() {
        LockProvider provider = kit().provider();
        LockProvider observer = kit().provider();
        List<DrivenClaim> held = new ArrayList<>();
        // Of each character two: the last ones differ, and each name begins with all shorter ones.
        for (String character : List.of("x", "\u00E9", "\u20AC", "\uD83D\uDD12")) {
            String base = "tck-" + UUID.randomUUID();
            LENGTHS.stream()
                    .flatMap(length -> ofLength(base, character, length))
                    .distinct()
                    .forEach(name -> grantedUnlessRefused(provider, name).ifPresent(held::add));
        }
        grantedUnlessRefused(provider, longestThatCannotBeCompressed()).ifPresent(held::add);
        for (DrivenClaim holder : held) {
            Assertions.assertEquals(
                    Optional.of(holder.ownerId()),
                    observer.holder(holder.name()).map(LockHolder::owner),
                    () -> "the owner that is shown for a name of " + lengthOf(holder.name()));
        }
        for (DrivenClaim holder : held) {
            holder.mustRelease(
                    Release.RELEASED, "nobody has released this name of " + lengthOf(holder.name()) + " before");
        }
    }

    /** A store that compresses what it keeps takes more of other names than of this one. */
    private static String longestThatCannotBeCompressed() {
        StringBuilder name = new StringBuilder("tck-" + UUID.randomUUID());
        // Letters of three bytes each.
        new Random(14)
                .ints(0x4E00, 0x9FA6)
                .limit(DistributedLock.MAX_NAME_LENGTH - name.length())
                .forEach(name::appendCodePoint);
        return name.toString();
    }

    /** Names of a number of characters, and of as many bytes. */
    private static Stream<String> ofLength(String base, String character, int length) {
        int bytes = character.getBytes(StandardCharsets.UTF_8).length;
        return Stream.of(character.length(), bytes)
                .distinct()
                .map(size -> (length - base.length() - 1) / size)
                .flatMap(times -> Stream.of("1", "2").map(last -> base + character.repeat(times) + last));
    }

    private static String lengthOf(String name) {
        return name.length() + " characters, which is " + name.getBytes(StandardCharsets.UTF_8).length + " bytes,";
    }

    private Optional<DrivenClaim> grantedUnlessRefused(LockProvider provider, String name) {
        return kit().unlessRefused(() -> {
            DrivenClaim claim = kit().claim(provider, name).lasting().make();
            claim.mustBeGranted("nobody holds a lock of this name of " + lengthOf(name)
                    + " and only names are held that are longer or shorter, or end with another character");
            return claim;
        });
    }
}
