package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Chapter 3, renewal, asked of the provider. */
interface RenewalRules extends Rules {

    /** The largest batch of this chapter; {@link GrantRules} has larger ones. */
    int MANY = 200;

    @LockRule("3.1")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aRenewedClaimIsInForceForItsWholeLeaseFromThen() throws Exception {
        kit().conclusively(() -> {
            String name = kit().newName();
            DrivenClaim holder = kit().claim(name).makeGranted();
            Pace.pass(kit().lease().dividedBy(2));
            long before = holder.calledAt();
            Renewal renewal = holder.renew();
            if (Pace.now() - before > kit().lease().toNanos()) {
                return false;
            }
            Assertions.assertInstanceOf(Renewal.Held.class, renewal, "the renewal of a claim that is in force");
            return kit().endsNotBefore(
                            name,
                            holder.calledAt() + kit().lease().toNanos(),
                            "the claim had been renewed for " + kit().lease().toMillis() + " ms");
        });
    }

    @LockRule("3.1")
    default void rule31_aRenewalDoesNotAddToWhatIsLeftOfTheLease() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).makeGranted();
        // Their leases, one after the other, would end long after the limit.
        long renewals = 5 + kit().harness().expiryTolerance().dividedBy(kit().lease());
        for (int i = 0; i < renewals; i++) {
            holder.mustRenew("it holds the lock");
        }
        holder.abandon();

        kit().claim(name)
                .make()
                .takeOver(kit().longestLife(), renewals + " renewals in a row prolong a lease no more than one does");
    }

    @LockRule("3.1")
    default void rule31_aLateRenewalDoesNotProlongTheNextHoldersLease() {
        String name = kit().newName();
        DrivenClaim late = kit().claim(name).makeGranted();
        DrivenClaim holder = kit().claim(name).make();
        holder.takeOver(kit().longestLife(), "the first holder's lease has ended");
        holder.abandon();

        DrivenClaim next = kit().claim(name).make();
        Pace.Limit limit = new Pace.Limit(kit().longestLife());
        boolean last = false;
        while (!next.isGranted()) {
            Assertions.assertFalse(
                    last,
                    () -> "an unrenewed claim must end within " + limit + ", also while a late claim tries to renew");
            late.mustBeLost("its lease has ended and another claim is in force");
            Pace.pass(Duration.ofMillis(10));
            last = limit.isOver();
        }
    }

    @LockRule({"1.1", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    @ResourceLock(RaceRules.CORES)
    default void rule31_aRenewalDuringATakeoverHoldsNothingOfAnotherClaim() {
        for (int round = 0; round < 2; round++) {
            for (Takeovers.Change change : new Takeovers(kit()).whenTheLeasesEnd(DrivenClaim::renew)) {
                if (change.answer() instanceof Renewal.Held) {
                    change.takeover()
                            .notBefore(
                                    change.late().calledAt() + kit().lease().toNanos(),
                                    kit().lease(),
                                    "the claim had just been renewed for "
                                            + kit().lease().toMillis() + " ms");
                }
                change.next().release();
            }
        }
    }

    @LockRule({"3.1", "3.2"})
    @Needs(hooks = Hook.REMOVER)
    default void rule31_aBatchOfRenewalsIsAnsweredInOrder() {
        LockProvider provider = kit().provider();
        // As many as it declares: a store that can take fewer leaves out the last.
        int number = Math.max(5, Math.min(provider.renewalBatch(), MANY));
        // Names that the kit does not inspect at the end: so many would take longer than the rule itself.
        List<DrivenClaim> holders = Stream.generate(() -> kit().claim(provider, "tck-" + UUID.randomUUID())
                        .lasting()
                        .make())
                .limit(number)
                .toList();
        Crowd.inParts(holders, holder -> holder.mustBeGranted("nobody holds the lock"));
        Map<Integer, String> expected = new TreeMap<>();
        for (int removed : new int[] {1, number - 1}) {
            kit().remove(holders.get(removed).name());
            expected.put(removed, "Lost");
        }

        Map<Integer, String> notHeld = new TreeMap<>();
        List<String> answers = answersTo(provider, holders);
        for (int i = 0; i < number; i++) {
            if (!answers.get(i).equals("Held")) {
                notHeld.put(i, answers.get(i));
            }
        }
        Assertions.assertEquals(
                expected,
                notHeld,
                () -> "which of " + number + " claims, renewed at once, were not held: an operator has removed two");
        kit().visitor(holders.get(1).name()).mustBeGranted("a renewal does not bring back a lock that was removed");
    }

    @LockRule({"3.1", "3.2"})
    @Needs(hooks = Hook.REMOVER)
    default void rule31_aBatchOfRenewalsDistinguishesClaimsOfOneOwner() {
        LockProvider provider = kit().provider();
        String owner = "owner-" + UUID.randomUUID();
        List<DrivenClaim> holders = Stream.generate(() -> kit().claim(provider, kit().newName())
                        .by(owner)
                        .lasting()
                        .makeGranted())
                .limit(3)
                .toList();
        kit().remove(holders.get(0).name());

        Assertions.assertEquals(
                List.of("Lost", "Held", "Held"),
                answersTo(provider, holders),
                "the answers for three locks of one owner, the first of which an operator has removed");
    }

    @LockRule({"3.1", "5.2"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aBatchOfRenewalsDistinguishesHolderAndLateClaim() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        DrivenClaim late = kit().claim(provider, name).makeGranted();
        DrivenClaim holder = kit().claim(provider, name).lasting().make();
        holder.takeOver(kit().longestLife(), "the first holder's lease has ended");

        Assertions.assertEquals(
                List.of("Lost", "Held"),
                answersTo(provider, List.of(late, holder)),
                "the answers for a claim whose lease has ended and for the one that holds the same lock");
        Assertions.assertEquals(
                List.of("Held", "Lost"),
                answersTo(provider, List.of(holder, late)),
                "the answers for a claim that holds a lock and for one of the same lock whose lease has ended");
        holder.mustRenew("only a late claim of the same client has lost the lock");
    }

    /** A renewal that prolongs whatever lease is there changes nothing while that is the longer one. */
    @LockRule({"3.1", "5.2"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aLateClaimOfABatchProlongsNoLeaseOfTheNextHolder() throws Exception {
        kit().conclusively(() -> {
            String name = kit().newName();
            LockProvider provider = kit().provider();
            DrivenClaim late = kit().claim(provider, name).makeGranted();
            DrivenClaim holder = kit().claim(provider, name).make();
            holder.takeOver(kit().longestLife(), "the first holder's lease has ended");
            List<String> answers = answersTo(provider, List.of(late, holder));
            if (Pace.since(holder.calledAt()).compareTo(holder.lease()) > 0) {
                return false;
            }
            Assertions.assertEquals(
                    List.of("Lost", "Held"),
                    answers,
                    "the answers for a claim whose lease has ended and for the one that holds the same lock, for as long");
            return true;
        });
    }

    private List<String> answersTo(LockProvider provider, List<DrivenClaim> claims) {
        return kit().renewAll(provider, claims).stream()
                .map(renewal -> renewal.getClass().getSimpleName())
                .toList();
    }

    @LockRule("3.1")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aBatchOfRenewalsProlongsEachClaimByItsOwnLease() throws Exception {
        Duration brief = kit().lease();
        Duration longer = brief.multipliedBy(2);
        for (List<Duration> leases : List.of(List.of(brief, longer), List.of(longer, brief))) {
            kit().conclusively(() -> {
                LockProvider provider = kit().provider();
                List<DrivenClaim> holders = new ArrayList<>();
                for (Duration lease : leases) {
                    holders.add(kit().claim(provider, kit().newName())
                            .leasing(lease)
                            .makeGranted());
                }
                // Much longer than the others, which must not end with it.
                holders.add(kit().claim(provider, kit().newName()).lasting().makeGranted());
                Pace.pass(brief.dividedBy(2));
                long calledAt = Pace.now();
                List<Renewal> renewals = kit().renewAll(provider, holders);
                boolean held = renewals.stream().allMatch(Renewal.Held.class::isInstance);
                if (!held && Pace.now() - holders.get(0).calledAt() > brief.toNanos()) {
                    return false;
                }
                Assertions.assertTrue(held, "all claims are in force");
                for (int i = 0; i < renewals.size(); i++) {
                    Duration lease = holders.get(i).lease();
                    Duration validFor = ((Renewal.Held) renewals.get(i)).validFor();
                    Assertions.assertTrue(
                            validFor.compareTo(lease) <= 0,
                            () -> "a claim with a lease of " + lease + ", renewed with others, cannot be valid for "
                                    + validFor);
                }
                return endsAtItsTime(holders.get(leases.indexOf(brief)), calledAt, brief)
                        && endsAtItsTime(holders.get(leases.indexOf(longer)), calledAt, longer);
            });
        }
    }

    /** Whether a claim was watched when its renewed lease ended, which was neither before nor long after its time. */
    private boolean endsAtItsTime(DrivenClaim holder, long renewedAt, Duration lease) {
        Duration left = lease.minus(Pace.since(renewedAt)).plus(kit().harness().expiryTolerance());
        return kit().endsNotBefore(
                        kit().claim(holder.name()).make(),
                        left.isNegative() ? Duration.ZERO : left,
                        renewedAt + lease.toNanos(),
                        "the claim had been renewed, with others, for " + lease.toMillis() + " ms");
    }

    @LockRule("3.2")
    default void rule32_renewOfAVanishedClaimSaysLostAndDoesNotRecreateIt() {
        String name = kit().newName();
        DrivenClaim late = kit().claim(name).makeGranted();
        late.outlive(kit().longestLife().plus(Pace.SLACK));

        late.mustBeLost("its lease has ended");
        kit().visitor(name).mustBeGranted("the renewal of a claim that has vanished does not bring it back");
    }

    @LockRule({"2.1", "3.2"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule32_aBatchOfRenewalsRevivesNothing() {
        LockProvider provider = kit().provider();
        int batch = provider.renewalBatch();
        Assumptions.assumeTrue(batch > 2, "not applicable: the provider declares a batch of " + batch);
        DrivenClaim late = kit().claim(provider, kit().newName()).makeGranted();
        DrivenClaim released = kit().claim(provider, kit().newName()).lasting().makeGranted();
        DrivenClaim holder = kit().claim(provider, kit().newName()).lasting().makeGranted();
        released.mustRelease(Release.RELEASED, "it holds the lock");
        late.outlive(kit().longestLife().plus(Pace.SLACK));

        Assertions.assertEquals(
                List.of("Lost", "Lost", "Held"),
                answersTo(provider, List.of(late, released, holder)),
                "the answers for a claim whose lease has ended, a claim that was released, and a claim in force");
        for (DrivenClaim gone : List.of(late, released)) {
            kit().visitor(gone.name()).mustBeGranted("a renewal with others does not bring back a claim that has gone");
        }
    }

    @LockRule("3.2")
    default void rule32_renewOfAReleasedClaimSaysLostAndDoesNotRecreateIt() {
        String name = kit().newName();
        DrivenClaim released = kit().claim(name).lasting().makeGranted();
        released.mustRelease(Release.RELEASED, "it holds the lock");

        released.mustBeLost("it was released");
        kit().visitor(name).mustBeGranted("the renewal of a claim that was released does not bring it back");
    }

    @LockRule("3.2")
    @Needs(hooks = Hook.REMOVER)
    default void rule32_renewOfARemovedClaimSaysLostAndDoesNotRecreateIt() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        kit().remove(name);

        holder.mustBeLost("an operator has removed its record");
        kit().visitor(name).mustBeGranted("the renewal of a claim that was removed does not bring it back");
    }
}
