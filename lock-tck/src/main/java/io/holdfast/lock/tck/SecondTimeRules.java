package io.holdfast.lock.tck;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assertions;

/** What works once has to work again: the same steps for the same lock, many times, and in another order. */
interface SecondTimeRules extends Rules {

    /** More than ten: a fault may come with the tenth of something. */
    int TIMES = 12;

    /** Less of a lease than that may be taken for none. */
    Duration HALF_A_SECOND = Duration.ofMillis(500);

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_everyReleaseWakesWhateverCameBeforeIt() {
        LockProvider waiting = kit().provider();
        LockProvider[] holding = {kit().provider(), waiting};
        List<Hold> holds = holds();
        Sleepers sleepers = new Sleepers();
        for (int time = 1; time <= TIMES; time++) {
            List<Callable<Release>> releases = new ArrayList<>();
            for (Hold hold : holds) {
                releases.add(hold.begins(kit(), holding[time % 2], waiting));
                DrivenClaim waiter = kit().claim(waiting, hold.name())
                        .leasing(kit().longLease())
                        .make();
                sleepers.add(waiter, "release number " + time + ", " + hold.what());
                if (hold.how() == How.WAITER_ASKS_AGAIN) {
                    waiter.mustBeContended("the lock is held");
                    Optional<LockHolder> unused = waiting.holder(hold.name());
                }
            }
            sleepers.settle();
            releases.forEach(SecondTimeRules::unchecked);
            sleepers.mustAllBeGranted(Pace.WOKEN_WITHIN);
        }
    }

    /** What happens between a grant and the release that must wake a waiter. */
    enum How {
        PLAIN("of a claim that did nothing else"),
        HOLDER_REPEATS_ITS_ATTEMPT("of a claim that had repeated its attempt"),
        HOLDER_RENEWS("of a claim that had been renewed"),
        HOLDER_NESTS("of the last of two nested holds"),
        HOLDER_REPEATS_WHILE_IT_IS_WAITED_FOR("of a claim that repeated its attempt while another one waited"),
        HOLDER_RENEWS_WHILE_IT_IS_WAITED_FOR("of a claim that was renewed while another one waited"),
        HOLDER_NESTS_WHILE_IT_IS_WAITED_FOR("of a claim that had a nested one for some time while another one waited"),
        WAITER_ASKS_AGAIN("of a claim whose waiter had asked several times"),
        ANOTHER_WAITER_LEAVES("of a claim for which another claim had waited and left"),
        ANOTHER_PASSES_BY("of a claim that another one had found held and not waited for");

        private final String what;

        How(String what) {
            this.what = what;
        }
    }

    /**
     * One lock that is held in one way, again and again.
     *
     * @param how the way
     * @param name the lock
     */
    record Hold(How how, String name) {

        String what() {
            return how.what;
        }

        /** Begins the hold. Returns what ends it. */
        Callable<Release> begins(Kit kit, LockProvider holding, LockProvider waiting) {
            DrivenClaim holder =
                    kit.claim(holding, name).leasing(kit.longLease()).make();
            holder.mustBeGranted("the holder before has released the lock");
            switch (how) {
                case HOLDER_REPEATS_ITS_ATTEMPT -> holder.mustBeGranted("the store has this very claim as granted");
                case HOLDER_RENEWS -> holder.mustRenew("it holds the lock");
                case HOLDER_NESTS -> {
                    DrivenClaim inner = nested(kit, holding, holder);
                    return () -> {
                        inner.mustRelease(Release.RELEASED, "it holds the lock");
                        return holder.release();
                    };
                }
                case HOLDER_REPEATS_WHILE_IT_IS_WAITED_FOR -> {
                    return () -> {
                        holder.mustBeGranted("the store has this very claim as granted");
                        return holder.release();
                    };
                }
                case HOLDER_RENEWS_WHILE_IT_IS_WAITED_FOR -> {
                    return () -> {
                        holder.mustRenew("it holds the lock");
                        return holder.release();
                    };
                }
                case HOLDER_NESTS_WHILE_IT_IS_WAITED_FOR -> {
                    return () -> {
                        nested(kit, holding, holder).mustRelease(Release.RELEASED, "it holds the lock");
                        return holder.release();
                    };
                }
                case ANOTHER_WAITER_LEAVES -> leave(kit.claim(waiting, name).make());
                case ANOTHER_PASSES_BY -> leave(kit.claim(waiting, name).once().make());
                default -> {
                    // Nothing else happens.
                }
            }
            return holder::release;
        }

        private DrivenClaim nested(Kit kit, LockProvider holding, DrivenClaim outer) {
            DrivenClaim inner = kit.claim(holding, name)
                    .by(outer.ownerId())
                    .leasing(kit.longLease())
                    .make();
            inner.mustBeGranted("the same owner holds the lock");
            return inner;
        }

        private static void leave(DrivenClaim claim) {
            claim.mustBeContended("the lock is held");
            claim.release();
        }
    }

    private List<Hold> holds() {
        List<Hold> holds = new ArrayList<>();
        for (How how : How.values()) {
            boolean nests = how == How.HOLDER_NESTS || how == How.HOLDER_NESTS_WHILE_IT_IS_WAITED_FOR;
            if (!nests || Capability.COUNTED_BY_STORE.isMetBy(kit().capabilities())) {
                holds.add(new Hold(how, kit().newName()));
            }
        }
        return holds;
    }

    private static <T> T unchecked(Callable<T> call) {
        try {
            return call.call();
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_aReleaseRightAfterAnotherWakes() throws InterruptedException {
        LockProvider holding = kit().provider();
        LockProvider waiting = kit().provider();
        String name = kit().newName();
        for (int time = 1; time <= TIMES; time++) {
            DrivenClaim first =
                    kit().claim(holding, name).leasing(kit().longLease()).makeGranted();
            DrivenClaim waiter =
                    kit().claim(waiting, name).leasing(kit().longLease()).make();
            Call<Boolean> woken = waiter.waitingForHints(Pace.WOKEN_WITHIN);
            first.mustRelease(Release.RELEASED, "it holds the lock");
            // Mostly faster than the waiter, which then needs the message of the second release.
            DrivenClaim faster =
                    kit().claim(holding, name).leasing(kit().longLease()).once().make();
            boolean unused = faster.isGranted();
            faster.release();

            Assertions.assertTrue(
                    woken.result(),
                    "the provider declares wake-up PUSH, but a claim that attempts after each wake-up, and at no other time,"
                            + " does not get a lock that was released twice in quick succession");
            waiter.release();
        }
    }

    @LockRule("7.2")
    @Needs({Capability.PUSHED, Capability.LEASED_PER_CLAIM})
    default void rule72_aReleaseShortlyBeforeTheEndOfALeaseWakes() throws Exception {
        kit().conclusively(() -> {
            List<DrivenClaim> holders = kit().holders(kit().provider(), kit().lease(), TIMES);
            LockProvider waiting = kit().provider();
            Sleepers sleepers = new Sleepers();
            for (DrivenClaim holder : holders) {
                sleepers.add(
                        kit().claim(waiting, holder.name())
                                .leasing(kit().longLease())
                                .make(),
                        "the release of a claim with less than half a second of its lease left");
            }
            boolean asleep = sleepers.fallAsleep();
            holders.get(0).outlive(kit().lease().minus(HALF_A_SECOND));
            boolean allReleased =
                    holders.stream().map(DrivenClaim::release).noneMatch(release -> release == Release.NOT_HELD);
            if (!asleep || !allReleased) {
                return false;
            }
            sleepers.mustAllBeGranted(Pace.WOKEN_WITHIN);
            return true;
        });
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    default void rule72_allWaitersOfSeveralLocksAndClientsAreWokenInTheEnd() {
        LockProvider[] clients = {kit().provider(), kit().provider(), kit().provider()};
        List<DrivenClaim> holders = kit().holders(kit().provider(), kit().longLease(), 3);
        Sleepers sleepers = new Sleepers();
        for (int i = 0; i < 2 * clients.length; i++) {
            for (DrivenClaim holder : holders) {
                sleepers.add(
                        kit().claim(clients[i % clients.length], holder.name())
                                .leasing(kit().longLease())
                                .make(),
                        "the release by the holder, or by the claim that was granted the lock before");
            }
        }
        sleepers.settle();
        holders.forEach(holder -> holder.mustRelease(Release.RELEASED, "it holds the lock"));

        sleepers.mustAllBeGranted(Pace.WOKEN_WITHIN);
    }

    @LockRule({"1.1", "1.8"})
    default void rule18_whatAClientSawBeforeDecidesNothing() {
        String name = kit().newName();
        LockProvider one = kit().provider();
        LockProvider other = kit().provider();
        for (int time = 0; time < TIMES; time++) {
            LockProvider holding = time % 2 == 0 ? one : other;
            LockProvider asking = time % 2 == 0 ? other : one;
            Assertions.assertEquals(Optional.empty(), asking.holder(name), "the holder of a lock that was released");
            DrivenClaim holder =
                    kit().claim(holding, name).leasing(kit().longLease()).makeGranted();
            if (time % 3 == 0) {
                mustShow(asking, holder);
            }
            kit().claim(asking, name)
                    .once()
                    .make()
                    .mustBeContended("another client has it, though this one saw it free before");
            mustShow(asking, holder);
            holder.mustRenew("nobody has released it");
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            if (time % 3 != 1) {
                Assertions.assertEquals(Optional.empty(), asking.holder(name), "the holder of a released lock");
            }
            kit().claim(asking, name)
                    .leasing(kit().longLease())
                    .once()
                    .make()
                    .mustPass("its holder has released it, though this client saw it held before");
        }
    }

    private static void mustShow(LockProvider asking, DrivenClaim holder) {
        Assertions.assertEquals(
                Optional.of(holder.ownerId()),
                asking.holder(holder.name()).map(LockHolder::owner),
                "the owner that is shown to a client that saw the lock free before");
    }

    @LockRule({"1.3", "3.1", "5.3", "5.4"})
    default void rule54_oneOwnerTakesAndLeavesOneLockManyTimes() {
        String name = kit().newName();
        String owner = "owner-" + UUID.randomUUID();
        LockProvider provider = kit().provider();
        LockProvider third = kit().provider();
        Optional<DrivenClaim> before = Optional.empty();
        for (int time = 0; time < TIMES; time++) {
            DrivenClaim claim = kit().claim(provider, name)
                    .by(owner)
                    .leasing(kit().longLease())
                    .make();
            Attempt.Granted granted = claim.mustBeGranted("its owner has released the lock");
            claim.mustRenew("it holds the lock");
            Assertions.assertEquals(
                    granted.fencingToken(),
                    claim.mustBeGranted("the store has this very claim as granted")
                            .fencingToken(),
                    "the token of a claim that is granted again after a renewal");
            claim.mustRenew("it holds the lock, and has repeated its attempt");
            before.ifPresent(gone -> {
                gone.mustBeLost("it was released; a later claim of the same owner holds the lock");
                gone.mustRelease(Release.NOT_HELD, "it was released; a later claim of the same owner holds the lock");
            });
            kit().claim(third, name).once().make().mustBeContended("nobody has released the claim that is in force");
            claim.mustRelease(Release.RELEASED, "it holds the lock");
            claim.mustRelease(Release.NOT_HELD, "it was released before");
            DrivenClaim passing =
                    kit().claim(third, name).leasing(kit().longLease()).make();
            // Where several servers vote, a vote may be split by what is still on its way to one of them.
            passing.takeOver(Pace.SLACK, "the only claim in force was released");
            passing.mustRelease(Release.RELEASED, "it holds the lock");
            before = Optional.of(claim);
        }
    }

    @LockRule({"1.3", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule31_aRenewalAfterARepeatedAttemptIsForTheWholeLease() throws Exception {
        kit().conclusively(() -> {
            DrivenClaim holder = kit().claim(kit().newName()).makeGranted();
            long first = holder.calledAt();
            Pace.pass(kit().lease().dividedBy(3));
            Attempt again = holder.attempt();
            Pace.pass(kit().lease().dividedBy(3));
            if (Pace.now() - first > kit().lease().toNanos()) {
                return false;
            }
            Assertions.assertInstanceOf(Attempt.Granted.class, again, "the store has this very claim as granted");
            holder.mustRenew("its lease has not ended");
            if (holder.calledAt() - first > kit().lease().toNanos()) {
                return false;
            }
            DrivenClaim next = kit().claim(holder.name()).make();
            DrivenClaim.Takeover takeover = next.takeOver(kit().longestLife(), "the renewed lease has ended");
            next.release();
            return takeover.notBefore(
                    holder.calledAt() + kit().lease().toNanos(),
                    kit().lease().dividedBy(4),
                    "the claim had repeated its attempt, and was then renewed for "
                            + kit().lease().toMillis() + " ms");
        });
    }

    @LockRule({"4.5", "5.2"})
    @Needs(hooks = Hook.REMOVER)
    default void rule45_anOwnerThatLosesALockAgainAndAgainHasOneClaimAtATime() {
        String name = kit().newName();
        String owner = "owner-" + UUID.randomUUID();
        LockProvider provider = kit().provider();
        LockProvider third = kit().provider();
        List<DrivenClaim> lost = new ArrayList<>();
        for (int time = 0; time < TIMES / 2; time++) {
            DrivenClaim claim = kit().claim(provider, name)
                    .by(owner)
                    .leasing(kit().longLease())
                    .make();
            claim.mustBeGranted("the claim before was removed by an operator");
            for (DrivenClaim gone : lost) {
                gone.mustBeLost("it was removed; a later claim of the same owner does not revive it");
                gone.mustRelease(Release.NOT_HELD, "it was removed; a later claim of the same owner holds the lock");
            }
            kit().claim(third, name).once().make().mustBeContended("only claims that were removed have been released");
            claim.mustRenew("only claims before it were removed");
            kit().remove(name);
            Assertions.assertEquals(Optional.empty(), provider.holder(name), "the holder of a lock that was removed");
            lost.add(claim);
        }
    }

    @LockRule("9.3")
    default void rule93_closingManyTimesAndAtOnceDoesNothing() {
        LockProvider provider = kit().provider();
        LockProvider other = kit().provider();
        DrivenClaim used = kit().claim(provider, kit().newName()).makeGranted();
        used.release();
        List<Call<Boolean>> closing = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            closing.add(Call.start(() -> {
                provider.close();
                return true;
            }));
        }
        closing.forEach(Call::result);
        Assertions.assertThrows(LockException.class, used::attempt, "an attempt of a closed provider");
        used.abandon();

        Assertions.assertDoesNotThrow(provider::close, "closing a closed provider once more");
        String because = "only another client was closed, many times";
        Assertions.assertDoesNotThrow(
                () -> kit().claim(other, kit().newName())
                        .leasing(kit().longLease())
                        .makeGranted(),
                because);
    }

    @LockRule({"1.6", "7.2", "9.5"})
    @Needs(hooks = Hook.OUTAGE)
    default void rule95_theThirdOutageIsAsTheFirst() {
        Fault outage = kit().harness().faults().outage().orElseThrow();
        LockProvider provider = kit().provider();
        LockProvider third = kit().provider();
        for (int time = 1; time <= 3; time++) {
            String during = "during outage number " + time + " a call that cannot reach the store must throw";
            DrivenClaim holder = kit().claim(provider, kit().newName())
                    .leasing(kit().longLease())
                    .makeGranted();
            DrivenClaim waiter = kit().claim(provider, holder.name())
                    .leasing(kit().longLease())
                    .make();
            DrivenClaim other = kit().claim(third, kit().newName())
                    .leasing(kit().longLease())
                    .make();
            waiter.mustBeContended("the lock is held");
            Map<String, Callable<Object>> calls = Map.of(
                    "attempt", waiter::attempt,
                    "renewal", holder::renew,
                    "attempt of another client", other::attempt,
                    "question for the holder", () -> provider.holder(holder.name()));
            outage.begin().run();
            try {
                List<Call<Object>> running =
                        calls.values().stream().map(Call::start).toList();
                running.forEach(call -> call.mustFailWith(LockStoreException.class, during));
            } finally {
                outage.end().run();
            }
            int number = time;
            calls.forEach((what, call) -> Assertions.assertTrue(
                    Pace.within(Pace.BACK_WITHIN, () -> Call.isAnswered(call)),
                    () -> "after outage number " + number + " the store must be reached again: " + what));
            Assertions.assertTrue(
                    Pace.within(Pace.BACK_WITHIN, () -> Call.isAnswered(holder::release)),
                    () -> "after outage number " + number + " the store must be reached again: release");
            waiter.takeOver(Pace.LISTENS_WITHIN, "the holder has released it after an outage");
            waiter.release();
            other.release();
        }
    }
}
