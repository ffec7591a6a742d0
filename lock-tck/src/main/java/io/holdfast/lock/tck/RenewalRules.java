package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;

/** Chapter 3, renewal, asked of the provider. */
interface RenewalRules extends Rules {

    @LockRule("3.1")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aRenewedClaimIsInForceForItsWholeLeaseFromThen() {
        kit().conclusively(() -> {
            String name = kit().newName();
            Contender holder = kit().bid(name).get();
            Pace.pass(kit().lease().dividedBy(2));
            long before = holder.calledAt();
            Renewal renewal = holder.renew();
            if (Pace.now() - before > kit().lease().toNanos()) {
                return false;
            }
            Assertions.assertInstanceOf(Renewal.Held.class, renewal, "the renewal of a claim that is in force");
            Contender next = kit().bid(name).enter();
            Contender.Takeover takeover = next.takeOver(kit().longestLife(), "the renewed lease has ended");
            next.release();
            return takeover.notBefore(
                    holder.calledAt() + kit().lease().toNanos(),
                    kit().lease().dividedBy(4),
                    "the claim had been renewed for " + kit().lease().toMillis() + " ms");
        });
    }

    @LockRule("3.1")
    default void rule31_aRenewalDoesNotAddToWhatIsLeftOfTheLease() {
        String name = kit().newName();
        Contender holder = kit().bid(name).get();
        for (int i = 0; i < 5; i++) {
            holder.mustRenew("it holds the lock");
        }
        holder.abandon();

        kit().bid(name)
                .enter()
                .takeOver(kit().longestLife(), "five renewals at once prolong a lease no more than one does");
    }

    @LockRule("3.1")
    default void rule31_aLateClaimsRenewalsDoNotProlongTheNextHolders() {
        String name = kit().newName();
        Contender late = kit().bid(name).get();
        Contender holder = kit().bid(name).enter();
        holder.takeOver(kit().longestLife(), "the first holder's lease has ended");
        holder.abandon();

        Contender next = kit().bid(name).enter();
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

    @LockRule("3.1")
    default void rule31_renewingManyAtOnceAnswersForEachInItsPlace() {
        LockProvider provider = kit().provider();
        String[] names = {kit().newName(), kit().newName(), kit().newName()};
        Contender first =
                kit().bid(provider, names[0]).leasing(kit().longLease()).get();
        Contender gone =
                kit().bid(provider, names[1]).leasing(kit().longLease()).get();
        Contender last =
                kit().bid(provider, names[2]).leasing(kit().longLease()).get();
        gone.release();

        List<Renewal> renewals = provider.renewAll(List.of(first.claim(), gone.claim(), last.claim()));

        Assertions.assertEquals(3, renewals.size(), "one answer for each claim");
        Assertions.assertInstanceOf(Renewal.Held.class, renewals.get(0), "the first claim is in force");
        Assertions.assertInstanceOf(Renewal.Lost.class, renewals.get(1), "the second claim was released");
        Assertions.assertInstanceOf(Renewal.Held.class, renewals.get(2), "the third claim is in force");
        Assertions.assertEquals(List.of(), provider.renewAll(List.of()), "no answers for no claims");
        kit().bid(names[1]).once().enter().mustBeGranted("a renewal does not bring a released lock back");
    }

    @LockRule("3.2")
    default void rule32_renewOfAVanishedClaimSaysLostAndDoesNotRecreateIt() {
        String name = kit().newName();
        Contender late = kit().bid(name).get();
        late.outlive(kit().longestLife().plus(Pace.SLACK));

        late.mustBeLost("its lease has ended");
        kit().bid(name).once().enter().mustBeGranted("the renewal of a claim that has vanished does not bring it back");
    }

    @LockRule("3.2")
    default void rule32_renewOfAReleasedClaimSaysLostAndDoesNotRecreateIt() {
        String name = kit().newName();
        Contender released = kit().bid(name).leasing(kit().longLease()).get();
        released.mustRelease(Release.RELEASED, "it holds the lock");

        released.mustBeLost("it was released");
        kit().bid(name).once().enter().mustBeGranted("the renewal of a claim that was released does not bring it back");
    }

    @LockRule("3.2")
    @Needs(hooks = Hook.REMOVER)
    default void rule32_renewOfARemovedClaimSaysLostAndDoesNotRecreateIt() {
        String name = kit().newName();
        Contender holder = kit().bid(name).leasing(kit().longLease()).get();
        kit().remove(name);

        holder.mustBeLost("an operator has removed its record");
        kit().bid(name).once().enter().mustBeGranted("the renewal of a claim that was removed does not bring it back");
    }
}
