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

/** What a batch of renewals is answered, and what it does to each of its claims: chapter 3. */
interface BatchAnswerRules extends Rules {

    /** The largest batch of these rules; {@link BatchSizeRules} have larger ones. */
    int MANY = 200;

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
        DrivenClaim between = kit().claim(provider, kit().newName()).lasting().makeGranted();
        Assertions.assertEquals(
                List.of("Held", "Held", "Lost"),
                answersTo(provider, List.of(holder, between, late)),
                "the answers for the same claims, with the holder of another lock between them");
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
                // Much longer than the others, which must not end with it, whether it is the first or the last.
                List<DrivenClaim> all = new ArrayList<>(holders);
                all.add(
                        leases.indexOf(longer) == 0 ? 0 : all.size(),
                        kit().claim(provider, kit().newName()).lasting().makeGranted());
                Pace.pass(brief.dividedBy(2));
                long calledAt = Pace.now();
                List<Renewal> renewals = kit().renewAll(provider, all);
                boolean held = renewals.stream().allMatch(Renewal.Held.class::isInstance);
                if (!held && Pace.now() - holders.get(0).calledAt() > brief.toNanos()) {
                    return false;
                }
                Assertions.assertTrue(held, "all claims are in force");
                for (int i = 0; i < renewals.size(); i++) {
                    Duration lease = all.get(i).lease();
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

    @LockRule({"2.5", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aLostClaimOfABatchTakesNoRenewalOfAnotherBack() throws Exception {
        for (int watched : List.of(0, 2)) {
            kit().conclusively(() -> {
                LockProvider provider = kit().provider();
                List<DrivenClaim> claims = kit().holders(provider, kit().lease(), 3);
                claims.get(1).release();
                Pace.pass(kit().lease().dividedBy(2));
                long calledAt = Pace.now();
                List<String> answers = answersTo(provider, claims);
                if (Pace.now() - claims.get(0).calledAt() > kit().lease().toNanos()) {
                    return false;
                }
                Assertions.assertEquals(
                        List.of("Held", "Lost", "Held"),
                        answers,
                        "the answers for three claims, one of which was released");
                return endsAtItsTime(claims.get(watched), calledAt, kit().lease());
            });
        }
    }

    /** Whether a claim was watched when its renewed lease ended, which was neither before nor long after its time. */
    private boolean endsAtItsTime(DrivenClaim holder, long renewedAt, Duration lease) {
        Duration left = lease.minus(Pace.since(renewedAt)).plus(kit().harness().expiryTolerance());
        return kit().endsNotBefore(
                        kit().claim(kit().watching(), holder.name()).make(),
                        left.isNegative() ? Duration.ZERO : left,
                        renewedAt + lease.toNanos(),
                        "the claim had been renewed, with others, for " + lease.toMillis() + " ms");
    }

    @LockRule({"2.1", "3.2"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule32_aBatchOfRenewalsRevivesNothing() {
        LockProvider provider = kit().provider();
        int batch = provider.renewalBatch();
        if (batch <= 2) {
            Assumptions.abort("not applicable: the provider declares a batch of " + batch);
        }
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
            kit().takingOver(
                            kit().visitor(gone.name()),
                            "a renewal with others does not bring back a claim that has gone");
        }
    }

    private List<String> answersTo(LockProvider provider, List<DrivenClaim> claims) {
        return kit().renewAll(provider, claims).stream()
                .map(renewal -> renewal.getClass().getSimpleName())
                .toList();
    }
}
