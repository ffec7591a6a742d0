package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** Values between those that other rules try: leases, tokens and lengths that need another unit, more bits or more bytes. */
interface ValueRules extends Rules {

    /** Those at which a store may cut names, one more and one less. */
    List<Integer> LENGTHS =
            List.of(63, 64, 127, 128, 200, 249, 255, 256, 257, 511, 512, 513, 767, 768, 1000, 1023, 1024);

    /** More than a store may think enough for any lease. The other tests run meanwhile. */
    Duration SOME_SECONDS = Duration.ofSeconds(8);

    @LockRule({"2.1", "2.2", "2.5"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule22_aLeaseThatIsNoRoundNumberEndsAtItsTime() throws Exception {
        Stream<Pace.Body> granted = IntStream.of(1, 399, 1390)
                .mapToObj(more -> () ->
                        kit().conclusively(() -> endsAtItsTime(kit().lease().plusMillis(more), false)));
        Stream<Pace.Body> renewed = IntStream.of(99, 733, 1390)
                .mapToObj(more -> () ->
                        kit().conclusively(() -> endsAtItsTime(kit().lease().plusMillis(more), true)));
        Crowd.together(Stream.concat(granted, renewed));
    }

    private boolean endsAtItsTime(Duration lease, boolean renewed) {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).leasing(lease).make();
        Duration validFor = holder.mustBeGranted("nobody holds the lock").validFor();
        if (renewed) {
            Pace.pass(lease.dividedBy(3));
            validFor = holder.mustRenew("it holds the lock");
        }
        Duration promised = validFor;
        Assertions.assertTrue(
                promised.compareTo(lease) <= 0,
                () -> "a lease of " + lease.toMillis() + " ms cannot be valid for " + promised);
        DrivenClaim next = kit().claim(name).make();
        DrivenClaim.Takeover takeover = next.takeOver(
                lease.plus(kit().harness().expiryTolerance()),
                "the holder's lease of " + lease.toMillis() + " ms has ended");
        next.release();
        return takeover.notBefore(
                holder.calledAt() + lease.toNanos(),
                kit().lease().dividedBy(4),
                "the holder's lease of " + lease.toMillis() + " ms had not passed since it was "
                        + (renewed ? "renewed" : "granted"));
    }

    @LockRule({"2.2", "3.1"})
    default void rule22_leasesOfSecondsLast() {
        kit().reliesOnSessions();
        LockProvider provider = kit().provider();
        long begun = Pace.now();
        List<DrivenClaim> lasting = LongStream.of(30, 60, 100, 3600)
                .mapToObj(seconds -> kit().claim(provider, kit().newName())
                        .leasing(Duration.ofSeconds(seconds))
                        .makeGranted())
                .toList();
        Pace.pass(SOME_SECONDS);
        for (DrivenClaim holder : lasting) {
            String because = "it was granted for " + holder.lease().toSeconds() + " s, of which "
                    + Pace.since(begun).toMillis() + " ms have passed";
            LockProvider rival = kit().provider();
            kit().claim(rival, holder.name()).once().make().mustBeContended(because);
            DrivenClaim waiter =
                    kit().claim(rival, holder.name()).leasing(kit().longLease()).make();
            waiter.mustBeContended(because);
            holder.mustRenew(because);
            waiter.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
            holder.mustRelease(Release.RELEASED, because);
        }
    }

    @LockRule({"3.1", "3.4"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aLeaseMayBeRenewedManyTimes() throws Exception {
        Duration leases = kit().lease().multipliedBy(12);
        Duration time = leases.compareTo(SOME_SECONDS) > 0 ? leases : SOME_SECONDS;
        kit().conclusively(() -> {
            LockProvider provider = kit().provider();
            long begun = Pace.now();
            DrivenClaim renewed = kit().claim(provider, kit().newName()).makeGranted();
            int renewals = 0;
            while (Pace.since(begun).compareTo(time) < 0) {
                Pace.pass(kit().lease().dividedBy(3));
                if (Pace.now() - renewed.calledAt() > kit().lease().toNanos()) {
                    return false;
                }
                renewals++;
                renewed.mustRenew("its lease has not ended, and it was renewed " + renewals + " times");
            }
            return true;
        });
    }

    @LockRule({"2.2", "2.7", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule27_aLeaseOfManyDaysOutlivesAShortOneOrIsRefused() {
        LockProvider observer = kit().provider();
        LockProvider provider = kit().provider();
        List<DrivenClaim> held = new ArrayList<>();
        List<DrivenClaim> renewed = new ArrayList<>();
        longLeases().forEach(lease -> {
            granted(provider, lease).ifPresent(held::add);
            granted(provider, lease).ifPresent(claim -> {
                mustLast(claim.mustRenew("it was granted for " + lease + " just now"), lease, "renewed");
                renewed.add(claim);
            });
        });
        Pace.pass(kit().longestLife());

        held.addAll(renewed);
        for (DrivenClaim holder : held) {
            String because = "it was granted for " + holder.lease() + " just now, and nobody has released it";
            Attempt.Contended contended =
                    kit().claim(observer, holder.name()).once().make().mustBeContended(because);
            contended
                    .retryAfter()
                    .ifPresent(time -> Assertions.assertTrue(
                            time.compareTo(holder.lease().plus(kit().harness().expiryTolerance())) <= 0,
                            () -> "the holder has a lease of " + holder.lease() + ", but a claim is to ask again after "
                                    + time));
            Assertions.assertEquals(
                    Optional.of(holder.ownerId()),
                    observer.holder(holder.name()).map(LockHolder::owner),
                    "the owner that is shown: " + because);
            mustLast(holder.mustRenew(because), holder.lease(), "renewed");
            holder.mustRelease(Release.RELEASED, because);
        }
    }

    /** What overflows the integers in which a store may count: milliseconds, microseconds and seconds in 31, 32 and 16 bits. */
    private static Stream<Duration> longLeases() {
        long millis = 1L << Integer.SIZE;
        return LongStream.of(
                        millis / 2,
                        millis / 2 + 5,
                        millis,
                        millis + 1,
                        3 * millis + 1,
                        millis / 2 / 1000 + 1,
                        millis / 1000 + 1,
                        (1L << Short.SIZE) * 1000,
                        (1L << Short.SIZE) * 500,
                        Duration.ofDays(30).toMillis(),
                        LockOptions.MAX_LEASE.toMillis())
                .mapToObj(Duration::ofMillis);
    }

    /** A claim of a name that the kit does not inspect at the end. */
    private Optional<DrivenClaim> granted(LockProvider provider, Duration lease) {
        return kit().unlessRefused(() -> {
            DrivenClaim claim = kit().claim(provider, "tck-" + UUID.randomUUID())
                    .leasing(lease)
                    .make();
            mustLast(claim.mustBeGranted("nobody holds the lock").validFor(), lease, "granted");
            return claim;
        });
    }

    private void mustLast(Duration validFor, Duration lease, String what) {
        Assertions.assertTrue(
                validFor.compareTo(kit().longLease()) > 0 && validFor.compareTo(lease) <= 0,
                () -> "a lease of " + lease + " that was just " + what
                        + " must be valid for long, and not for longer than" + " it is, but it is valid for "
                        + validFor);
    }

    @LockRule({"2.1", "2.7"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule27_aLeaseOfSomeMillisecondsEnds() {
        LockProvider provider = kit().provider();
        LockProvider observer = kit().provider();
        List<DrivenClaim> brief = IntStream.of(2, 3, 5, 9, 10, 15, 49, 99)
                .mapToObj(millis -> attempted(provider, Duration.ofMillis(millis)))
                .flatMap(Optional::stream)
                .toList();
        for (DrivenClaim over : brief) {
            DrivenClaim next = kit().claim(observer, over.name()).make();
            next.takeOver(
                    over.lease().plus(kit().harness().expiryTolerance()),
                    "a lease of " + over.lease().toMillis() + " ms is over, and no lease is without end");
            next.release();
        }
    }

    /** Granted or not: so short a lease may be over before the answer comes. */
    private Optional<DrivenClaim> attempted(LockProvider provider, Duration lease) {
        return kit().unlessRefused(() -> {
            DrivenClaim claim =
                    kit().claim(provider, kit().newName()).leasing(lease).make();
            claim.attempt();
            return claim;
        });
    }

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
            // its other tests
            // draw their tokens from what is left.
            raiseAndGrow(provider, other, (1L << 53) + 1);
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            Kit.mustGiveAReason(refused);
        }
    }

    private void raiseAndGrow(LockProvider provider, LockProvider other, long above) {
        String name = kit().newName();
        provider.raiseTokens(name, above);
        long last = above;
        for (int i = 0; i < 5; i++) {
            LockProvider each = i % 2 == 0 ? provider : other;
            DrivenClaim claim =
                    kit().claim(each, name).leasing(kit().longLease()).make();
            long token = DrivenClaim.token(claim.mustBeGranted("nobody holds the lock"));
            DrivenClaim.mustBeNewer(token, last, "tokens were raised above " + above);
            Assertions.assertEquals(
                    token,
                    DrivenClaim.token(claim.mustBeGranted("the store has this very claim as granted")),
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
            DrivenClaim claim =
                    kit().claim(provider, name).leasing(kit().longLease()).make();
            claim.mustBeGranted("nobody holds a lock of this name of " + lengthOf(name)
                    + " and only names are held that are longer or shorter, or end with another character");
            return claim;
        });
    }
}
