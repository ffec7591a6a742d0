package io.holdfast.lock.tck;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assertions;

/** Chapters 2 and 3, expiry and renewal, asked of a client. */
interface ClientLeaseRules extends Rules {

    private LockOptions unrenewed() {
        return kit().shortOptions().withoutRenewal();
    }

    @LockRule("2.1")
    default void rule21_anUnrenewedHoldEndsWithItsLease() throws InterruptedException {
        String name = kit().newName();
        LockHandle held = kit().client().lock(name, unrenewed()).acquire();

        kit().claim(name).make().takeOver(kit().longestLife(), "the holder's lease was not renewed");
        Assertions.assertFalse(held.isHeld(), "another claim is in force");
        Assertions.assertFalse(held.renew(), "another claim is in force");
    }

    @LockRule({"2.2", "2.5"})
    default void rule25_remainingIsALowerBound() throws Exception {
        kit().conclusively(() -> {
            String name = kit().newName();
            LockHandle held =
                    Call.elsewhere(() -> kit().client().lock(name, unrenewed()).acquire());
            long asked = Pace.now();
            Duration remaining = held.remaining();
            Assertions.assertTrue(
                    remaining.compareTo(kit().lease()) <= 0
                            || !Capability.LEASED_PER_CLAIM.isMetBy(kit().capabilities()),
                    () -> "remaining() must not exceed the lease of " + kit().lease() + ", but was " + remaining);
            return kit().endsNotBefore(name, asked + remaining.toNanos(), "remaining() reached further");
        });
    }

    @LockRule("2.6")
    default void rule26_aGrantAfterALongWaitHasItsWholeLease() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        LockClient client = kit().client();
        // Read at once by the waiting thread: the time until another thread runs does not count.
        Call<Duration> waiting = Call.start(() -> {
                    try (LockHandle held = client.lock(name, unrenewed()).acquire()) {
                        return held.remaining();
                    }
                })
                .onceItWaits();
        Pace.pass(kit().lease().multipliedBy(3).dividedBy(2));
        holder.release();
        Duration remaining = waiting.result();
        Assertions.assertTrue(
                remaining.compareTo(kit().lease().dividedBy(4)) > 0,
                () -> "the lease counts from the grant, not from the start of the wait; of " + kit().lease() + ", "
                        + remaining + " was left");
    }

    @LockRule("2.7")
    default void rule27_leasesOutOfRangeAreRefused() {
        for (Duration lease : new Duration[] {
            Duration.ZERO, Duration.ofMillis(-1), Duration.ofNanos(999_999), LockOptions.MAX_LEASE.plusMillis(1)
        }) {
            LockConfigurationException refused = Assertions.assertThrows(
                    LockConfigurationException.class,
                    () -> LockOptions.DEFAULTS.withLeaseTime(lease),
                    () -> "a lease of " + lease);
            for (Duration limit : List.of(LockOptions.MIN_LEASE, LockOptions.MAX_LEASE)) {
                Assertions.assertTrue(
                        String.valueOf(refused.getMessage()).contains(limit.toString()),
                        () -> "the refusal of a lease of " + lease + " must name the limit " + limit + ", but says "
                                + refused.getMessage());
            }
        }
    }

    @LockRule("3.1")
    default void rule31_renewProlongsAHoldAndReportsAReleasedOne() throws InterruptedException {
        String name = kit().newName();
        LockHandle held = kit().client().lock(name, unrenewed()).acquire();
        Assertions.assertTrue(held.renew(), "the lock is held");
        Assertions.assertTrue(held.release(), "the lock is held");

        Assertions.assertFalse(held.renew(), "the handle was released");
        kit().visitor(name).mustBeGranted("a renewal does not revive a released lock");
    }

    /** So often a lock may be lost before its renewal is repeated: a busy machine may not run the client's threads for long. */
    int UNLUCKY = 2;

    @LockRule("3.3")
    default void rule33_aFailedRenewalLeavesTheEarlierDeadlineInForce() throws Exception {
        AtomicInteger lost = new AtomicInteger();
        kit().conclusively(() -> {
            EventLog log = new EventLog();
            Interposer network = new Interposer(kit().provider());
            LockClient client = kit().clientOver(network, log);
            network.renewalsTravel(Interposer.Network.REQUEST_LOST);
            long start = Pace.now();
            LockHandle held = Call.elsewhere(
                    () -> client.lock(kit().newName(), kit().shortOptions()).acquire());
            boolean failed = Pace.within(kit().lease(), () -> log.count("renewalFailed") > 0);
            network.renewalsTravel(Interposer.Network.WELL);
            boolean heldThen = held.isHeld();
            if (Pace.since(start).compareTo(kit().lease().multipliedBy(3).dividedBy(4)) > 0) {
                held.release();
                return false;
            }
            Assertions.assertTrue(failed, "a renewal that fails is reported to the listeners");
            Assertions.assertTrue(heldThen, "a renewal whose outcome is unknown leaves the earlier deadline in force");
            if (!Pace.within(kit().lease(), () -> log.count("renewed") > 0)) {
                Assertions.assertTrue(
                        lost.incrementAndGet() <= UNLUCKY,
                        () -> "a renewal that fails is repeated, but it was not in " + lost + " tries");
                held.release();
                return false;
            }
            Assertions.assertTrue(held.release(), "it was renewed, and holds the lock");
            return true;
        });
    }

    @LockRule("3.4")
    default void rule34_aLockIsHeldForAsLongAsItsHolderKeepsIt() throws Exception {
        kit().conclusively(() -> {
            String name = kit().newName();
            LockClient client = kit().client();
            LockHandle held =
                    Call.elsewhere(() -> client.lock(name, kit().shortOptions()).acquire());
            DrivenClaim rival = kit().claim(name).make();
            List<String> surprises = new ArrayList<>();
            for (long start = Pace.now();
                    Pace.since(start).compareTo(kit().lease().multipliedBy(4)) < 0; ) {
                if (rival.isGranted()) {
                    surprises.add("was granted to another claim");
                } else if (!held.isHeld()) {
                    surprises.add("is not held any more by its handle");
                }
                if (!surprises.isEmpty()) {
                    break;
                }
                Pace.pass(Duration.ofMillis(10));
            }
            Assertions.assertTrue(
                    surprises.isEmpty(),
                    () -> "a lock that its holder keeps, and that the engine renews, " + surprises);
            Assertions.assertTrue(held.release(), "nobody has released the lock before");
            return true;
        });
    }

    @LockRule("3.5")
    default void rule35_renewalsStopAtTheReleaseAndDoNotProlongTheNextHoldersLease() throws InterruptedException {
        String name = kit().newName();
        Interposer network = new Interposer(kit().provider());
        LockHandle held =
                kit().clientOver(network).lock(name, kit().shortOptions()).acquire();
        kit().premise(() -> network.renewals() > 0, "the engine renews the lease");
        held.release();
        int renewals = network.renewals();

        DrivenClaim next = kit().claim(name).makeGranted();
        next.abandon();
        kit().claim(name)
                .make()
                .takeOver(kit().longestLife(), "the holder before does not renew a lock that it has released");
        Assertions.assertEquals(renewals, network.renewals(), "renewals after the release");
    }

    @LockRule("3.6")
    default void rule36_aRenewalThatHangsDelaysNoOther() throws InterruptedException {
        CountDownLatch hang = new CountDownLatch(1);
        Interposer network = new Interposer(kit().provider());
        LockClient client = kit().clientOver(network);
        String stuckName = kit().newName();
        LockHandle stuck = client.lock(stuckName, kit().shortOptions()).acquire();
        LockHandle free = client.lock(kit().newName(), kit().shortOptions()).acquire();
        network.renewalsHang(stuckName, hang);
        Pace.pass(kit().longestLife().multipliedBy(2));
        boolean stillHeld = free.isHeld();
        boolean stillStuck = stuck.isHeld();
        hang.countDown();

        Assertions.assertTrue(stillHeld, "the renewal of one lock hangs, and that of another must not");
        Assertions.assertFalse(stillStuck, "a renewal that hangs does not hold a lock past its deadline");
        Assertions.assertTrue(free.release(), "the lock was renewed");
    }

    @LockRule("3.7")
    default void rule37_nestedHoldsCauseNoExtraRenewals() throws InterruptedException {
        Interposer network = new Interposer(kit().provider());
        LockClient client = kit().clientOver(network);
        String name = kit().newName();
        List<LockHandle> nested = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            nested.add(client.lock(name, kit().shortOptions()).acquire());
        }
        // On a slow machine each acquire may have renewed a lease that was about to end.
        int renewalsBefore = network.renewals();
        long start = Pace.now();
        Pace.pass(kit().lease().multipliedBy(2));
        for (LockHandle handle : nested) {
            Assertions.assertTrue(handle.release(), "each nested hold is released once");
        }
        long thirds = Pace.since(start).toNanos() / kit().lease().dividedBy(3).toNanos();
        int renewals = network.renewals();
        int meanwhile = renewals - renewalsBefore;

        Assertions.assertTrue(
                meanwhile <= 2 * (thirds + 1),
                () -> "ten nested holds are one claim, renewed about " + thirds + " times, not " + meanwhile);
        Pace.pass(kit().lease());
        Assertions.assertEquals(
                renewals, network.renewals(), "renewals after the last of the nested holds was released");
    }
}
