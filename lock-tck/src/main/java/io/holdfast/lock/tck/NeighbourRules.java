package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;

/**
 * What happens to one name touches no other, however close the names are: chapters 1, 2, 3, 5, 7 and 8. The kit does not inspect
 * these names at the end: so many would take longer than the rules.
 */
interface NeighbourRules extends Rules {

    /** How many names at the front of a family a store may take for a pattern of the others. */
    int DANGEROUS = 6;

    @LockRule({"1.4", "5.1"})
    @Lengthy
    default void rule51_aReleaseTouchesNoNeighbour() throws Exception {
        LockProvider provider = kit().provider();
        LockProvider observer = kit().provider();
        Crowd.together(Neighbours.all().map(family -> () -> {
            List<DrivenClaim> held = family.held(kit(), provider, kit().longLease());
            for (DrivenClaim holder : held) {
                mustBeShown(observer, holder, family);
            }
            for (int i = 0; i < held.size(); i++) {
                DrivenClaim released = held.get(i);
                released.mustRelease(Release.RELEASED, "it holds the lock " + TrickyNames.shown(released.name()));
                Assertions.assertEquals(
                        Optional.empty(),
                        observer.holder(released.name()),
                        () -> "the holder of " + TrickyNames.shown(released.name())
                                + ", which was released; only locks are held whose name " + family.kind());
                if (i < DANGEROUS) {
                    mustBeHeld(provider, without(held, released), released, "was released", family);
                }
                held.set(i, family.granted(kit(), provider, released.name(), kit().longLease()));
            }
            held.forEach(DrivenClaim::release);
        }));
    }

    @LockRule({"1.4", "7.2"})
    default void rule14_aLockNamedAsAPartOfAnotherIsALockOfItsOwn() {
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().tryingOnce(provider, kit().newName());
        holder.mustBeGranted("nobody holds the lock");
        DrivenClaim waiter = kit().claim(holder.name()).lasting().make();
        waiter.mustBeContended("the lock is held");
        String because = "nobody holds the lock %s; only the lock '" + holder.name() + "' has a holder and a waiter";
        List<DrivenClaim> parts = new ArrayList<>();
        for (String name : TrickyNames.partsOf(holder.name())) {
            kit().unlessRefused(() -> {
                        DrivenClaim part = kit().tryingOnce(provider, name);
                        part.mustBeGranted(because.formatted(TrickyNames.shown(name)));
                        return part;
                    })
                    .ifPresent(parts::add);
        }
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        waiter.takeOver(
                Pace.WOKEN_WITHIN,
                "its holder has released it; only locks are held that are named as its parts may be");
        for (DrivenClaim part : parts) {
            part.mustRelease(Release.RELEASED, "it holds the lock " + TrickyNames.shown(part.name()));
        }
        waiter.mustRenew("it holds the lock, and only others were released");
        waiter.release();
    }

    @LockRule({"2.1", "2.2", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule21_theLeasesOfNeighboursEndEachAtItsTime() throws Exception {
        LockProvider provider = kit().provider();
        LockProvider observer = kit().provider();
        // A pattern comes first in its family: it ends itself, and then it is among those that are renewed.
        Crowd.together(Neighbours.ofPatterns().map(family -> () -> oneOfManyEnds(provider, observer, family, 0)));
        Crowd.together(Neighbours.ofPatterns()
                .map(family -> () ->
                        oneOfManyEnds(provider, observer, family, family.names().size() - 1)));
    }

    /** Lets the lease of one name end while all others are renewed. */
    private void oneOfManyEnds(LockProvider provider, LockProvider observer, Neighbours family, int ending) {
        List<DrivenClaim> others = new ArrayList<>();
        for (String name : family.names()) {
            if (!name.equals(family.names().get(ending))) {
                kit().unlessRefused(() -> family.granted(kit(), provider, name, kit().longLease()))
                        .ifPresent(others::add);
            }
        }
        kit().unlessRefused(() -> family.granted(kit(), provider, family.names().get(ending), kit().lease()))
                .ifPresent(dead -> {
                    dead.abandon();
                    DrivenClaim next = kit().claim(observer, dead.name()).make();
                    Pace.Limit limit = new Pace.Limit(kit().longestLife());
                    boolean last = false;
                    while (!next.isGranted()) {
                        Assertions.assertFalse(
                                last,
                                () -> "the lease of " + TrickyNames.shown(dead.name()) + " must end within " + limit
                                        + "; only locks are renewed whose name " + family.kind());
                        mustBeHeld(provider, others, dead, "is held", family);
                        Pace.pass(kit().lease().dividedBy(6));
                        last = limit.isOver();
                    }
                    mustBeHeld(provider, others, dead, "has ended", family);
                    kit().visitor(observer, others.get(0).name())
                            .mustBeContended("only the lease of another name has ended");
                });
        others.forEach(DrivenClaim::release);
    }

    /** A client may know a dead holder by what stays the same since it looked for the first time, and keep that by the name. */
    @LockRule({"1.8", "2.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule21_theLocksOfDeadNeighboursAreAllHadByOneClient() throws Exception {
        LockProvider holding = kit().provider();
        LockProvider observer = kit().provider();
        Crowd.together(Neighbours.all().map(family -> () -> {
            List<DrivenClaim> dead = family.held(kit(), holding, kit().lease());
            Pace.Limit limit = new Pace.Limit(kit().longestLife());
            List<DrivenClaim> left = new ArrayList<>();
            for (DrivenClaim holder : dead) {
                holder.abandon();
                left.add(kit().claim(observer, holder.name()).make());
            }
            for (boolean last = false; !left.isEmpty(); last = limit.isOver()) {
                boolean over = last;
                left.forEach(next -> Assertions.assertFalse(
                        over,
                        () -> "the lease of " + TrickyNames.shown(next.name()) + " must end within " + limit
                                + "; the client that wants the lock attempts for others too, whose name "
                                + family.kind()));
                Pace.pass(kit().lease().dividedBy(6));
                left.removeIf(NeighbourRules::isHadAndLeft);
            }
        }));
    }

    private static boolean isHadAndLeft(DrivenClaim next) {
        boolean granted = next.isGranted();
        if (granted) {
            next.release();
        }
        return granted;
    }

    @LockRule({"8.1", "8.5"})
    @Needs(hooks = Hook.REMOVER)
    default void rule85_theRemovalOfALockIsNoLossOfItsNeighbours() throws Exception {
        LockProvider provider = kit().provider();
        Crowd.together(Neighbours.ofPatterns().map(family -> () -> {
            List<DrivenClaim> held = family.held(kit(), provider, kit().longLease());
            DrivenClaim first = held.remove(0);
            DrivenClaim last = held.remove(held.size() - 1);
            for (DrivenClaim removed : List.of(first, last)) {
                kit().remove(removed.name());
                removed.mustBeLost("an operator has removed the record of " + TrickyNames.shown(removed.name()));
                Pace.pass(LossRules.SIGNAL_WITHIN);
                mustBeHeld(provider, held, removed, "was removed by an operator", family);
                held.forEach(holder -> holder.mustNotHaveLost("only the lock " + TrickyNames.shown(removed.name())
                        + " was removed, whose name " + family.kind()));
            }
            held.forEach(DrivenClaim::release);
        }));
    }

    @LockRule("7.2")
    @Needs(Capability.PUSHED)
    @Lengthy
    default void rule72_aWaiterThatLeavesSilencesNoNeighbour() throws Exception {
        LockProvider holding = kit().provider();
        LockProvider waiting = kit().provider();
        Crowd.together(Neighbours.all().map(family -> () -> oneOfManyWaitersLeaves(holding, waiting, family)));
    }

    private void oneOfManyWaitersLeaves(LockProvider holding, LockProvider waiting, Neighbours family)
            throws InterruptedException {
        List<DrivenClaim> held = family.held(kit(), holding, kit().longLease());
        List<DrivenClaim> waiters = held.stream()
                .map(holder -> kit().claim(waiting, holder.name()).lasting().make())
                .toList();
        waiters.forEach(waiter -> waiter.mustBeContended("the lock is held"));
        // None, if the provider refuses all names of the family.
        waiters.stream()
                .limit(1)
                .forEach(waiter -> waiter.mustRelease(Release.NOT_HELD, "a contended claim holds nothing"));
        for (int i = 1; i < held.size(); i++) {
            DrivenClaim waiter = waiters.get(i);
            Call<Boolean> granted = waiter.waitingForHints(Pace.HANGS);
            held.get(i).mustRelease(Release.RELEASED, "it holds the lock");
            Assertions.assertTrue(
                    Rules.isWoken(granted),
                    () -> "the provider declares wake-up PUSH, but the release of "
                            + TrickyNames.shown(waiter.name())
                            + " woke no waiter, after a waiter had left whose name " + family.kind());
            waiter.release();
        }
        held.stream().limit(1).forEach(DrivenClaim::release);
    }

    private static void mustBeShown(LockProvider observer, DrivenClaim holder, Neighbours family) {
        Optional<String> shown = observer.holder(holder.name()).map(LockHolder::owner);
        if (shown.isEmpty()) {
            holder.mustBeLeased();
        }
        Assertions.assertEquals(
                Optional.of(holder.ownerId()),
                shown,
                () -> "the owner that is shown as the holder of " + TrickyNames.shown(holder.name())
                        + ", while locks are held whose name " + family.kind());
    }

    private void mustBeHeld(
            LockProvider provider, List<DrivenClaim> others, DrivenClaim touched, String change, Neighbours family) {
        List<Renewal> renewals = kit().renewAll(provider, others);
        for (int i = 0; i < renewals.size(); i++) {
            DrivenClaim other = others.get(i);
            if (renewals.get(i) instanceof Renewal.Lost) {
                other.mustBeLeased();
            }
            Assertions.assertInstanceOf(
                    Renewal.Held.class,
                    renewals.get(i),
                    () -> "the renewal of " + TrickyNames.shown(other.name()) + ", which nobody has released: only "
                            + TrickyNames.shown(touched.name()) + " " + change + ", whose name " + family.kind());
        }
    }

    private static List<DrivenClaim> without(List<DrivenClaim> held, DrivenClaim released) {
        return held.stream().filter(each -> each != released).toList();
    }
}
