package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** Leases between those that other rules try: of milliseconds, of odd numbers, of seconds and of days. */
interface LeaseValueRules extends Rules {

    /** More than a store may think enough for any lease. The other tests run meanwhile. */
    Duration SOME_SECONDS = Duration.ofSeconds(8);

    int MANY_RENEWALS = 140;
    int MANY_RELEASES = 60;
    int RENEWED_EACH = 2;

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
        return kit().endsNotBefore(
                        kit().claim(kit().watching(), name).make(),
                        lease.plus(kit().harness().expiryTolerance()),
                        holder.calledAt() + lease.toNanos(),
                        "the holder's lease of " + lease.toMillis() + " ms had not passed since it was "
                                + (renewed ? "renewed" : "granted"));
    }

    @LockRule({"2.2", "3.1"})
    @Lengthy
    default void rule22_leasesOfSecondsLast() {
        LockProvider provider = kit().provider();
        long begun = Pace.now();
        List<DrivenClaim> lasting = new ArrayList<>();
        // The engine asks for 30 s if nobody says otherwise; rule 2.7 allows a provider to refuse longer ones.
        LongStream leases = LongStream.concat(
                LongStream.of(LockOptions.DEFAULTS.leaseTime().toSeconds()), LongStream.of(60, 100, 3600));
        leases.boxed().flatMap(seconds -> Stream.of(seconds, seconds)).forEach(seconds -> {
            ClaimSpec claim = kit().claim(provider, kit().newName()).leasing(Duration.ofSeconds(seconds));
            kit().unlessRefused(claim::makeGranted).ifPresent(lasting::add);
        });
        // A renewal may give less than a grant.
        for (int i = 0; i < lasting.size(); i += 2) {
            lasting.get(i).mustRenew("it holds the lock");
        }
        Pace.pass(SOME_SECONDS);
        for (DrivenClaim holder : lasting) {
            String because = "it was granted for " + holder.lease().toSeconds() + " s, of which "
                    + Pace.since(begun).toMillis() + " ms have passed";
            LockProvider rival = kit().provider();
            kit().visitor(rival, holder.name()).mustBeContended(because);
            DrivenClaim waiter = kit().claim(rival, holder.name()).lasting().make();
            waiter.mustBeContended(because);
            holder.mustRenew(because);
            waiter.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
            holder.mustRelease(Release.RELEASED, because);
        }
    }

    /** A store may count the longer leases in a coarser unit. */
    @LockRule({"2.2", "2.5"})
    @Needs(Capability.LEASED_PER_CLAIM)
    @Lengthy
    default void rule22_aLeaseOfMoreThanTenSecondsLasts() throws Exception {
        Duration lease = Duration.ofMillis(10_900);
        kit().conclusively(() -> {
            Optional<DrivenClaim> granted =
                    kit().unlessRefused(kit().claim(kit().newName()).leasing(lease)::makeGranted);
            if (granted.isEmpty()) {
                return true;
            }
            DrivenClaim holder = granted.get();
            Pace.pass(Duration.ofMillis(10_300).minus(Pace.since(holder.calledAt())));
            Attempt attempt = kit().visitor(holder.name()).attempt();
            if (Pace.since(holder.calledAt()).compareTo(lease) > 0) {
                return false;
            }
            Assertions.assertInstanceOf(
                    Attempt.Contended.class, attempt, "the attempt for a lock whose lease of 10.9 s has not ended");
            return true;
        });
    }

    @LockRule({"3.1", "3.4"})
    @Needs(Capability.LEASED_PER_CLAIM)
    @Lengthy
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
            // A store may count them in a small number.
            for (int i = 0; i < MANY_RENEWALS; i++) {
                renewed.mustRenew("its lease has not ended, and it was renewed many times");
            }
            // A store may clean up now and then, by the age of what it has.
            for (int i = 0; i < MANY_RELEASES; i++) {
                kit().visitor(provider, kit().newName()).mustPass("nobody holds the lock");
                if (i % RENEWED_EACH == 0) {
                    if (Pace.now() - renewed.calledAt() > kit().lease().toNanos()) {
                        return false;
                    }
                    renewed.mustRenew("its lease has not ended; others were released meanwhile");
                }
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
        List<String> abandoned = new ArrayList<>();
        longLeases().forEach(lease -> {
            granted(provider, lease).ifPresent(held::add);
            granted(provider, lease).ifPresent(claim -> {
                mustLast(claim.mustRenew("it was granted for " + lease + " just now"), lease, "renewed");
                renewed.add(claim);
            });
            abandoned.add(abandonedLock(provider));
        });
        Pace.pass(kit().longestLife());
        // A store may write the lease of a lock that it takes from a dead holder in another way.
        List<Duration> leases = longLeases().toList();
        for (int i = 0; i < leases.size(); i++) {
            takenOver(provider, abandoned.get(i), leases.get(i)).ifPresent(held::add);
        }

        held.addAll(renewed);
        for (DrivenClaim holder : held) {
            String because = "it was granted for " + holder.lease() + " just now, and nobody has released it";
            DrivenClaim rival = kit().visitor(observer, holder.name());
            Attempt.Contended contended = rival.mustBeContended(because);
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
            rival.mustBeContended("it was refused a moment ago, and " + because);
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

    /** The name of a lock whose holder plays dead. It tries once: the rule does not rely on so short a lease. */
    private String abandonedLock(LockProvider provider) {
        DrivenClaim dead = kit().visitor(provider, kit().newName());
        dead.mustBeGranted("nobody holds the lock");
        dead.abandon();
        return dead.name();
    }

    /** A claim that is granted the lock of a dead holder. */
    private Optional<DrivenClaim> takenOver(LockProvider provider, String name, Duration lease) {
        return kit().unlessRefused(() -> {
            DrivenClaim claim = kit().claim(provider, name).leasing(lease).make();
            claim.takeOver(kit().longestLife().plus(Pace.GONE_WITHIN), "its holder is dead");
            return claim;
        });
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
}
