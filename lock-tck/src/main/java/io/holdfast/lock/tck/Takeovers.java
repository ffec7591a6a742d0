package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Locks whose holders act in the moment in which their leases end, while another claim takes over. An act that checks in one step
 * and changes in another meets the next holder in between.
 */
final class Takeovers {

    /** How long before the end of its lease each holder acts, in milliseconds. On a busy machine each of them is late. */
    private static final List<Integer> EARLY = List.of(16, 8, 4, 2, 1, 0);

    private final Kit kit;
    private final LockProvider holding;
    private final LockProvider waiting;

    Takeovers(Kit kit) {
        this.kit = kit;
        this.holding = kit.provider();
        this.waiting = kit.provider();
    }

    /** What a late holder does. */
    interface Act {
        Object by(DrivenClaim late);
    }

    /**
     * A lock that has changed hands.
     *
     * @param late the holder before
     * @param answer what the store answered it
     * @param next the holder now
     * @param takeover when it took over
     */
    record Change(DrivenClaim late, Object answer, DrivenClaim next, DrivenClaim.Takeover takeover) {}

    /** Lets each holder act at another moment shortly before the end of its lease, while another claim takes over. */
    List<Change> whenTheLeasesEnd(Act act) {
        List<Running> running = new ArrayList<>();
        for (int early : EARLY) {
            DrivenClaim late = kit.claim(holding, kit.newName()).makeGranted();
            DrivenClaim next =
                    kit.claim(waiting, late.name()).leasing(kit.longLease()).make();
            Duration life = kit.lease().minusMillis(early);
            Call<Object> acting = Call.start(() -> {
                late.outlive(life);
                return answerTo(act, late);
            });
            // Twice: the act may have prolonged the lease.
            Duration patience = kit.longestLife().multipliedBy(2);
            running.add(new Running(late, acting, next, Call.start(() -> next.takeOver(patience, "no lease is left"))));
        }
        return running.stream().map(Running::ended).toList();
    }

    /** A store may be too busy with the other claim to answer; then the exception is the answer. */
    private static Object answerTo(Act act, DrivenClaim late) {
        try {
            return act.by(late);
        } catch (LockStoreException unknown) {
            return unknown;
        }
    }

    private record Running(DrivenClaim late, Call<Object> acting, DrivenClaim next, Call<DrivenClaim.Takeover> taking) {
        Change ended() {
            return new Change(late, acting.result(), next, taking.result());
        }
    }
}
