package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.util.ArrayList;
import java.util.List;

/** That claims wait for their own lock alone, however alike the names of others are. */
interface NeighbourLineRules extends Rules {

    @LockRule({"1.1", "1.4", "7.5"})
    @Lengthy
    default void rule14_claimsThatWaitForNeighboursKeepNoLock() throws Exception {
        LockProvider holding = kit().provider();
        LockProvider waiting = kit().provider();
        LockProvider third = kit().provider();
        Crowd.together(Neighbours.all().map(family -> () -> {
            List<DrivenClaim> held = family.held(kit(), holding, kit().longLease());
            List<DrivenClaim> waiters = waitersOf(waiting, held);
            for (int i = 0; i < held.size(); i++) {
                waiters.get(i).mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
                held.get(i).mustRelease(Release.RELEASED, "it holds the lock");
                DrivenClaim next = kit().tryingOnce(third, held.get(i).name());
                next.mustBeGranted("nobody holds the lock " + TrickyNames.shown(next.name()) + ", or waits for it; only"
                        + " locks have waiters whose name " + family.kind());
                held.set(i, next);
                waiters.set(i, waiterOf(waiting, next));
            }
            waiters.forEach(DrivenClaim::release);
            held.forEach(DrivenClaim::release);
        }));
    }

    @LockRule({"1.4", "7.5"})
    @Needs(Capability.ORDERED)
    default void rule75_aReleaseTakesNoPlaceOfANeighbour() throws Exception {
        // A store that waits for its first waiter waits for some time only.
        kit().reliesOnPace();
        LockProvider holding = kit().provider();
        LockProvider waiting = kit().provider();
        LockProvider third = kit().provider();
        Crowd.together(Neighbours.ofPatterns().map(family -> () -> {
            List<DrivenClaim> held = family.held(kit(), holding, kit().longLease());
            // A pattern comes first in its family, and what begins as all others do first or last.
            List<DrivenClaim> released = List.of(held.remove(held.size() - 1), held.remove(0));
            List<DrivenClaim> waiters = waitersOf(waiting, held);
            for (DrivenClaim each : released) {
                each.mustRelease(Release.RELEASED, "it holds the lock");
                kit().tryingOnce(third, each.name()).mustPass("nobody holds the lock, or waits for it");
            }
            for (int i = 0; i < held.size(); i++) {
                DrivenClaim passing = kit().tryingOnce(third, held.get(i).name());
                waiters.get(i).mustNotBeDue();
                Reservation reservation = kit().reservation();
                held.get(i).mustRelease(Release.RELEASED, "it holds the lock");
                reservation.asks(
                        () -> passing.mustBeContended("the provider declares ordering FIFO, and a claim waits for "
                                + TrickyNames.shown(passing.name()) + "; only locks were released whose name "
                                + family.kind()));
                passing.release();
                waiters.get(i).release();
            }
        }));
    }

    private List<DrivenClaim> waitersOf(LockProvider waiting, List<DrivenClaim> held) {
        List<DrivenClaim> waiters = new ArrayList<>();
        held.forEach(holder -> waiters.add(waiterOf(waiting, holder)));
        return waiters;
    }

    private DrivenClaim waiterOf(LockProvider waiting, DrivenClaim holder) {
        DrivenClaim waiter = kit().claim(waiting, holder.name()).lasting().make();
        waiter.mustBeContended("the lock is held");
        return waiter;
    }
}
