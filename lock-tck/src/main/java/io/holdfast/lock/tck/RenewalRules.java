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

/** Chapter 3, renewal, asked of the provider. */
interface RenewalRules extends Rules {

    /** The most claims that the kit renews at once. */
    int MANY = 200;

    @LockRule("3.1")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aRenewedClaimIsInForceForItsWholeLeaseFromThen() throws Exception {
        kit().conclusively(() -> {
            String name = kit().newName();
            DrivenClaim holder = kit().bid(name).get();
            Pace.pass(kit().lease().dividedBy(2));
            long before = holder.calledAt();
            Renewal renewal = holder.renew();
            if (Pace.now() - before > kit().lease().toNanos()) {
                return false;
            }
            Assertions.assertInstanceOf(Renewal.Held.class, renewal, "the renewal of a claim that is in force");
            DrivenClaim next = kit().bid(name).enter();
            DrivenClaim.Takeover takeover = next.takeOver(kit().longestLife(), "the renewed lease has ended");
            next.release();
            return takeover.notBefore(
                    holder.calledAt() + kit().lease().toNanos(),
                    kit().lease().dividedBy(4),
                    "the claim had been renewed for " + kit().lease().toMillis() + " ms");
        });
    }

    @LockRule("3.1")
    default void rule31_aRenewalDoesNotAddToWhatIsLeftOfTheLease() throws Exception {
        kit().undisturbed(() -> {
            String name = kit().newName();
            DrivenClaim holder = kit().bid(name).get();
            for (int i = 0; i < 5; i++) {
                holder.mustRenew("it holds the lock");
            }
            holder.abandon();

            kit().bid(name)
                    .enter()
                    .takeOver(kit().longestLife(), "five renewals at once prolong a lease no more than one does");
        });
    }

    @LockRule("3.1")
    default void rule31_aLateClaimsRenewalsDoNotProlongTheNextHolders() {
        String name = kit().newName();
        DrivenClaim late = kit().bid(name).get();
        DrivenClaim holder = kit().bid(name).enter();
        holder.takeOver(kit().longestLife(), "the first holder's lease has ended");
        holder.abandon();

        DrivenClaim next = kit().bid(name).enter();
        Pace.Limit limit = new Pace.Limit(kit().longestLife());
        while (!next.isGranted()) {
            late.mustBeLost("its lease has ended and another claim is in force");
            Assertions.assertFalse(
                    limit.isOver(),
                    () -> "a holder that does not renew must be gone within " + limit
                            + ", whatever a late claim renews");
            Pace.pass(Duration.ofMillis(10));
        }
    }

    @LockRule({"1.1", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aRenewalInTheMomentOfATakeoverHoldsNothingThatAnotherClaimHas() {
        for (int round = 0; round < 4; round++) {
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
    default void rule31_renewingManyAtOnceAnswersForEachInItsPlace() {
        LockProvider provider = kit().provider();
        // As many as it has declared: a store that can take fewer leaves out the last.
        int number = Math.max(5, Math.min(provider.renewalBatch(), MANY));
        // Names of which the kit does not know: to inspect so many afterwards would take longer than the rule.
        List<DrivenClaim> holders = Stream.generate(() -> kit().bid(provider, "tck-" + UUID.randomUUID())
                        .leasing(kit().longLease())
                        .get())
                .limit(number)
                .toList();
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
        kit().bid(holders.get(1).name())
                .once()
                .enter()
                .mustBeGranted("a renewal does not bring back a lock that was removed");
    }

    @LockRule({"3.1", "5.2"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_renewingManyAtOnceTellsAHolderFromALateOneOfTheSameLock() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        DrivenClaim late = kit().bid(provider, name).get();
        DrivenClaim holder =
                kit().bid(provider, name).leasing(kit().longLease()).enter();
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

    private List<String> answersTo(LockProvider provider, List<DrivenClaim> claims) {
        return kit().renewAll(provider, claims).stream()
                .map(renewal -> renewal.getClass().getSimpleName())
                .toList();
    }

    @LockRule("3.1")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_renewingManyAtOnceProlongsEachByItsOwnLease() throws Exception {
        Duration brief = kit().lease();
        Duration longer = brief.multipliedBy(2);
        for (List<Duration> leases : List.of(List.of(brief, longer), List.of(longer, brief))) {
            kit().conclusively(() -> {
                LockProvider provider = kit().provider();
                List<DrivenClaim> holders = new ArrayList<>();
                for (Duration lease : leases) {
                    holders.add(
                            kit().bid(provider, kit().newName()).leasing(lease).get());
                }
                Pace.pass(brief.dividedBy(2));
                long calledAt = Pace.now();
                List<Renewal> renewals = kit().renewAll(provider, holders);
                boolean held = renewals.stream().allMatch(Renewal.Held.class::isInstance);
                if (!held && Pace.now() - holders.get(0).calledAt() > brief.toNanos()) {
                    return false;
                }
                Assertions.assertTrue(held, "all claims are in force");
                for (int i = 0; i < renewals.size(); i++) {
                    Duration lease = leases.get(i);
                    Duration validFor = ((Renewal.Held) renewals.get(i)).validFor();
                    Assertions.assertTrue(
                            validFor.compareTo(lease) <= 0,
                            () -> "a claim with a lease of " + lease + ", renewed with others, cannot be valid for "
                                    + validFor);
                }
                return endsWith(holders.get(leases.indexOf(brief)), calledAt, brief)
                        && endsWith(holders.get(leases.indexOf(longer)), calledAt, longer);
            });
        }
    }

    /** Whether a claim was watched when its renewed lease ended, which was neither before nor long after its time. */
    private boolean endsWith(DrivenClaim holder, long renewedAt, Duration lease) {
        DrivenClaim next = kit().bid(holder.name()).enter();
        Duration left = lease.minus(Pace.since(renewedAt)).plus(kit().harness().expiryTolerance());
        DrivenClaim.Takeover takeover =
                next.takeOver(left.isNegative() ? Duration.ZERO : left, "the lease, renewed with others, has ended");
        next.release();
        return takeover.notBefore(
                renewedAt + lease.toNanos(),
                kit().lease().dividedBy(4),
                "the claim had been renewed, with others, for " + lease.toMillis() + " ms");
    }

    @LockRule("3.2")
    default void rule32_renewOfAVanishedClaimSaysLostAndDoesNotRecreateIt() {
        String name = kit().newName();
        DrivenClaim late = kit().bid(name).get();
        late.outlive(kit().longestLife().plus(Pace.SLACK));

        late.mustBeLost("its lease has ended");
        kit().bid(name).once().enter().mustBeGranted("the renewal of a claim that has vanished does not bring it back");
    }

    @LockRule("3.2")
    default void rule32_renewOfAReleasedClaimSaysLostAndDoesNotRecreateIt() {
        String name = kit().newName();
        DrivenClaim released = kit().bid(name).leasing(kit().longLease()).get();
        released.mustRelease(Release.RELEASED, "it holds the lock");

        released.mustBeLost("it was released");
        kit().bid(name).once().enter().mustBeGranted("the renewal of a claim that was released does not bring it back");
    }

    @LockRule("3.2")
    @Needs(hooks = Hook.REMOVER)
    default void rule32_renewOfARemovedClaimSaysLostAndDoesNotRecreateIt() {
        String name = kit().newName();
        DrivenClaim holder = kit().bid(name).leasing(kit().longLease()).get();
        kit().remove(name);

        holder.mustBeLost("an operator has removed its record");
        kit().bid(name).once().enter().mustBeGranted("the renewal of a claim that was removed does not bring it back");
    }
}
