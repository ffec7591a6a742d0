package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Chapter 3, renewal, asked of the provider; {@link BatchAnswerRules} and {@link BatchSizeRules} have the batches. */
interface RenewalRules extends Rules {

    @LockRule("3.1")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aRenewedClaimIsInForceForItsWholeLeaseFromThen() throws Exception {
        LockProvider holding = kit().provider();
        kit().conclusively(() -> {
            String name = kit().newName();
            DrivenClaim holder = kit().claim(holding, name).makeGranted();
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

    @LockRule({"2.5", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule25_aRenewalSoonAfterTheGrantIsValidForAsLongAsItSays() throws Exception {
        mustBeValidWhenSentSoonAfterTheGrant(DrivenClaim::renew);
    }

    @LockRule({"1.3", "2.5"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule25_aRepeatedAttemptSoonAfterTheGrantIsValidForAsLongAsItSays() throws Exception {
        mustBeValidWhenSentSoonAfterTheGrant(DrivenClaim::attempt);
    }

    /** What comes soon after the last write may be answered without another. */
    private void mustBeValidWhenSentSoonAfterTheGrant(Function<DrivenClaim, Object> call) throws Exception {
        LockProvider holding = kit().provider();
        for (int part : List.of(4, 6, 12)) {
            Duration soon = kit().lease().dividedBy(part);
            kit().conclusively(() -> {
                DrivenClaim holder = kit().claim(holding, kit().newName()).makeGranted();
                Pace.pass(soon);
                long before = holder.calledAt();
                Object answer = call.apply(holder);
                return Pace.now() - before <= kit().lease().toNanos()
                        && kit().endsNotBefore(
                                        holder.name(),
                                        holder.calledAt() + validFor(answer).toNanos(),
                                        "a call " + soon.toMillis() + " ms after the grant of a claim was answered "
                                                + answer + ", valid from then");
            });
        }
    }

    private static Duration validFor(Object answer) {
        return answer instanceof Attempt.Granted granted
                ? granted.validFor()
                : Assertions.assertInstanceOf(
                                Renewal.Held.class, answer, "the answer to a call of a claim that is in force")
                        .validFor();
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

    @LockRule("3.2")
    default void rule32_renewOfAVanishedClaimSaysLostAndDoesNotRecreateIt() {
        String name = kit().newName();
        DrivenClaim late = kit().claim(name).makeGranted();
        late.outlive(kit().longestLife().plus(Pace.SLACK));

        late.mustBeLost("its lease has ended");
        kit().takingOver(kit().visitor(name), "the renewal of a claim that has vanished does not bring it back");
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

    @LockRule({"2.1", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_theRenewalsOfOneClaimProlongNoOtherOfItsClient() throws Exception {
        kit().conclusively(() -> {
            LockProvider provider = kit().provider();
            List<DrivenClaim> claims = kit().holders(provider, kit().lease(), 3);
            DrivenClaim dead = claims.get(1);
            dead.abandon();
            List<DrivenClaim> renewed = List.of(claims.get(0), claims.get(2));
            DrivenClaim next = kit().claim(dead.name()).make();
            Pace.Limit limit = new Pace.Limit(kit().longestLife());
            boolean last = false;
            while (!next.isGranted()) {
                Assertions.assertFalse(
                        last,
                        () -> "the lease of a claim that is not renewed must end within " + limit
                                + ", although its client renews two other claims with leases of the same length");
                if (Pace.now() - renewed.get(0).calledAt() > kit().lease().toNanos()) {
                    return false;
                }
                renewed.get(0).mustRenew("it holds the lock");
                List<Renewal> unused = kit().renewAll(provider, renewed);
                Pace.pass(kit().lease().dividedBy(6));
                last = limit.isOver();
            }
            return true;
        });
    }
}
