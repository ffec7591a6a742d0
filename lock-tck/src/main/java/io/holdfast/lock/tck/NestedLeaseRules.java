package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** The leases of nested holds, where the store counts the holds of an owner: each ends by its time. */
interface NestedLeaseRules extends Rules {

    @LockRule("4.3")
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule43_aNestedHoldDoesNotShortenTheOuterLease() {
        String name = kit().newName();
        DrivenClaim outer = kit().claim(name).owned().lasting().makeGranted();
        DrivenClaim inner = kit().claim(name).byOwnerOf(outer).make();
        inner.mustBeGranted("the same owner holds the lock");
        inner.outlive(kit().longestLife().plus(Pace.SLACK));

        kit().visitor(name).mustBeContended("the outer hold has a longer lease than the nested one");
        outer.mustRenew("its own lease has not ended");
    }

    @LockRule({"2.5", "4.3"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule25_aNestedHoldIsValidForItsOwnLeaseAtMost() {
        DrivenClaim outer = kit().claim(kit().newName()).owned().lasting().makeGranted();
        DrivenClaim inner = kit().claim(outer.name()).byOwnerOf(outer).make();
        Duration granted = inner.mustBeGranted("the same owner holds the lock").validFor();
        Duration renewed = inner.mustRenew("it holds the lock");

        for (Duration validFor : List.of(granted, renewed)) {
            Assertions.assertTrue(
                    validFor.compareTo(inner.lease()) <= 0,
                    () -> "a nested hold with a lease of " + inner.lease() + " cannot be valid for " + validFor
                            + ", whatever lease the outer hold has");
        }
    }

    @LockRule({"2.2", "3.1", "4.3"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM, Capability.PUSHED})
    default void rule43_aNestedHoldThatWasRenewedAndDiedChangesNothingOfTheOuterOne() {
        String name = kit().newName();
        DrivenClaim outer = kit().claim(name).owned().lasting().makeGranted();
        DrivenClaim inner = deadWithin(outer);
        DrivenClaim renewing = kit().claim(kit().newName()).owned().lasting().makeGranted();
        DrivenClaim lost = deadWithin(renewing);
        inner.outlive(kit().longestLife().plus(Pace.SLACK));
        lost.outlive(kit().longestLife().plus(Pace.SLACK));

        for (DrivenClaim holder : List.of(outer, renewing)) {
            kit().visitor(holder.name()).mustBeContended("the outer hold has a longer lease than the nested one");
        }
        lost.mustBeLost("its own lease has ended, and the outer hold does not revive it");
        renewing.mustRenew("its own lease has not ended");
        DrivenClaim waiter = kit().claim(name).lasting().make();
        // Until it listens: a claim asks once more when it does.
        int hints = waiter.mustWait();
        outer.mustRelease(Release.RELEASED, "its own lease has not ended");
        Assertions.assertTrue(
                Pace.within(Pace.WOKEN_WITHIN, () -> waiter.hints() > hints),
                "the provider declares wake-up PUSH, but the release of the last hold in force woke no waiter; another hold"
                        + " of its owner had ended with its lease");
        waiter.release();
    }

    /** A nested hold with the kit's short lease, which was renewed once and is then left alone. */
    private DrivenClaim deadWithin(DrivenClaim outer) {
        DrivenClaim inner = kit().claim(outer.name()).byOwnerOf(outer).make();
        inner.mustBeGranted("the same owner holds the lock");
        inner.renew();
        inner.abandon();
        return inner;
    }

    @LockRule({"1.1", "1.3", "4.2", "4.6"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule46_aClaimThatAttemptsAgainAfterItsLeaseIsAHoldOfItsOwnerAgain() {
        String name = kit().newName();
        DrivenClaim outer = kit().claim(name).owned().lasting().makeGranted();
        DrivenClaim inner = kit().claim(name).byOwnerOf(outer).make();
        inner.mustBeGranted("its owner holds the lock");
        DrivenClaim visitor = kit().visitor(name);
        inner.outlive(kit().longestLife().plus(Pace.SLACK));

        inner.mustBeGranted("its owner holds the lock; an earlier grant of this claim has ended with its lease");
        inner.mustRenew("it was granted again");
        outer.mustRelease(Release.RELEASED, "its own lease has not ended");
        visitor.mustBeContended("one of two holds is left, that of the claim which was granted again after its lease");
        inner.mustRelease(Release.RELEASED, "it was granted again, and renewed");
        kit().visitor(name).mustBeGranted("both holds of its owner were released");
    }

    @LockRule({"3.1", "4.3"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule43_aNestedHoldOutlivesTheOuterLease() {
        String name = kit().newName();
        DrivenClaim outer = kit().claim(name).owned().makeGranted();
        DrivenClaim inner = kit().claim(name).byOwnerOf(outer).lasting().make();
        inner.mustBeGranted("the same owner holds the lock");
        inner.mustRenew("it holds the lock");
        outer.abandon();
        outer.outlive(kit().longestLife().plus(Pace.SLACK));

        kit().visitor(name).mustBeContended("the nested hold has a longer lease than the outer one");
        outer.mustBeLost("its own lease has ended, and only another claim of its owner was renewed");
        inner.mustRenew("its own lease has not ended");
        inner.mustRelease(Release.RELEASED, "its own lease has not ended");
        kit().visitor(name).mustBeGranted("the lease of the outer hold has ended");
    }

    @LockRule({"2.1", "2.2", "3.1", "4.3"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule43_aRenewedHoldLastsItsOwnLeaseWhateverOtherHoldsItsOwnerHad() throws Exception {
        kit().conclusively(() -> {
            DrivenClaim outer = kit().claim(kit().newName()).owned().lasting().makeGranted();
            DrivenClaim inner = kit().claim(outer.name()).byOwnerOf(outer).make();
            inner.mustBeGranted("the same owner holds the lock");
            Pace.pass(kit().lease().dividedBy(2));
            if (Pace.now() - inner.calledAt() > kit().lease().toNanos()) {
                return false;
            }
            Duration left = inner.mustRenew("its lease has not ended");
            long until = inner.calledAt() + left.toNanos();
            outer.mustRelease(Release.RELEASED, "its own lease has not ended");
            // The outer hold, whose lease was longer, was released.
            return kit().endsNotBefore(
                            kit().claim(kit().watching(), outer.name())
                                    .lasting()
                                    .make(),
                            kit().longestLife(),
                            until,
                            "the nested hold was renewed, while the outer one had a longer lease");
        });
    }

    @LockRule({"2.2", "4.2", "4.3"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule43_aReleasedHoldChangesTheEndOfNoOther() {
        DrivenClaim first = kit().claim(kit().newName()).owned().lasting().makeGranted();
        ClaimSpec more = kit().claim(first.name()).byOwnerOf(first);
        DrivenClaim brief = more.make();
        brief.mustBeGranted("the same owner holds the lock");
        DrivenClaim lasting = more.lasting().make();
        lasting.mustBeGranted("the same owner holds the lock");
        first.mustRelease(Release.RELEASED, "its own lease has not ended");
        brief.abandon();
        brief.outlive(kit().longestLife().plus(Pace.SLACK));

        kit().visitor(first.name()).mustBeContended("of three holds the last one has a lease that has not ended");
        lasting.mustRenew("its own lease has not ended");
    }

    @LockRule({"3.1", "3.2", "4.3"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM})
    default void rule43_aBatchOfRenewalsTreatsEachHoldOfAnOwnerByItself() {
        DrivenClaim outer = kit().claim(kit().newName()).owned().lasting().makeGranted();
        LockProvider provider = kit().provider();
        DrivenClaim inner = kit().claim(provider, outer.name()).byOwnerOf(outer).make();
        inner.mustBeGranted("the same owner holds the lock");
        DrivenClaim other = kit().claim(provider, kit().newName()).lasting().makeGranted();
        List<DrivenClaim> batch = List.of(inner, other);
        // The second time the provider knows by its own answer when they end.
        boolean wereHeld = Stream.of("first", "second")
                .flatMap(time -> kit().renewAll(provider, batch).stream())
                .allMatch(Renewal.Held.class::isInstance);
        if (!wereHeld && Pace.since(inner.calledAt()).compareTo(inner.lease()) > 0) {
            throw new InconclusiveError("the lease of a nested hold has ended before it was renewed");
        }
        Assertions.assertTrue(wereHeld, "a nested hold of another client, and a lock beside it, were renewed at once");
        inner.outlive(kit().longestLife().plus(Pace.SLACK));

        kit().visitor(outer.name())
                .mustBeContended(
                        "the outer hold has a longer lease than the nested one, which was renewed with others");
        Assertions.assertInstanceOf(
                Renewal.Lost.class,
                kit().renewAll(provider, batch).get(0),
                "the renewal, with others, of a nested hold whose lease has ended");
        outer.mustRenew("its own lease has not ended");
    }

    @LockRule({"4.3", "4.6", "6.2"})
    @Needs({Capability.COUNTED_BY_STORE, Capability.FENCED, Capability.LEASED_PER_CLAIM})
    default void rule43_aHoldKeepsItsTokenWhenTheClaimThatBeganItHasEnded() {
        String name = kit().newName();
        DrivenClaim first = kit().claim(name).owned().make();
        long token = Tokens.of(first.mustBeGranted("nobody holds the lock"));
        DrivenClaim second = kit().claim(name).byOwnerOf(first).lasting().make();
        second.mustBeGranted("its owner holds the lock");
        first.outlive(kit().longestLife().plus(Pace.SLACK));

        Assertions.assertEquals(
                Optional.of(first.ownerId()),
                kit().provider().holder(name).map(LockHolder::owner),
                "the owner that is shown, after the lease of the claim has ended that began its hold, and not that of another");
        DrivenClaim third = kit().claim(name).byOwnerOf(first).lasting().make();
        Assertions.assertEquals(
                token,
                Tokens.of(third.mustBeGranted("its owner holds the lock by another claim")),
                "the token of a nested hold, after the lease of the claim has ended that began the hold, and not that of another");
    }

    @LockRule({"4.1", "4.6"})
    @Needs(Capability.COUNTED_BY_STORE)
    default void rule46_aClaimThatWaitsIsLetInWhenItsOwnerHasTheLock() {
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        String owner = "owner-" + UUID.randomUUID();
        DrivenClaim first = kit().claim(holder.name()).by(owner).lasting().make();
        DrivenClaim second = kit().claim(holder.name()).by(owner).lasting().make();
        first.mustBeContended("the lock is held");
        second.mustBeContended("the lock is held");
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        first.takeOver(Pace.WOKEN_WITHIN, "its holder has left");

        second.mustBeGranted("its owner holds the lock by another claim");
        first.mustRelease(Release.RELEASED, "it holds the lock");
        second.mustRelease(Release.RELEASED, "it holds the lock");
    }
}
