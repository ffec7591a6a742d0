package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Fault;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A provider that is closed during a fault, or after one, leaves no thread behind: chapter 9. */
interface CloseUnderFaultRules extends Rules {

    @LockRule({"9.3", "9.5"})
    @Needs(hooks = Hook.OUTAGE)
    default void rule93_aCloseDuringAnOutageLeavesNoThread() throws Exception {
        Fault outage = kit().harness().faults().outage().orElseThrow();
        ExecutorService operator = Executors.newSingleThreadExecutor();
        try {
            // By a separate thread: what a harness starts for an outage is not the provider's.
            Runnable begin =
                    () -> CompletableFuture.runAsync(outage.begin(), operator).join();
            Runnable end =
                    () -> CompletableFuture.runAsync(outage.end(), operator).join();
            OwnThreads.mustEndWith(
                    () -> closeDuring(begin), end, "the provider was closed, during an outage that goes on");
        } finally {
            operator.shutdown();
        }
    }

    private void closeDuring(Runnable outage) {
        try (LockProvider closing = kit().harness().open()) {
            kit().claim(closing, kit().newName()).lasting().make().mustPass("nobody holds the lock");
            // A name that the kit does not inspect at the end: nobody can release this lock.
            DrivenClaim holder =
                    kit().claim(closing, "tck-" + UUID.randomUUID()).lasting().makeGranted();
            // The client listens, and tries to listen again during the outage.
            DrivenClaim waiter = kit().claim(closing, holder.name()).lasting().make();
            int unused = waiter.mustWait();
            outage.run();
            Trouble.mustFail(waiter::attempt);
            // Enough for a client to find that its connection is lost, and to begin with a new one.
            Pace.pass(kit().lease());
            waiter.abandon();
            holder.abandon();
        }
    }

    @LockRule({"9.3", "9.5"})
    @Needs(hooks = Hook.SESSION_END)
    default void rule93_aCloseAfterTheEndOfASessionLeavesNoThread() throws Exception {
        OwnThreads.mustEndWith(
                this::closeAfterTheEndOfASession, "the provider was closed, after a session of it had ended");
    }

    private void closeAfterTheEndOfASession() {
        try (LockProvider closing = kit().harness().open()) {
            kit().claim(closing, kit().newName()).lasting().make().mustPass("nobody holds the lock");
            kit().harness().faults().sessionEnd().orElseThrow().accept(closing);
            DrivenClaim next = kit().visitor(closing, kit().newName());
            boolean unused = Call.isAnswered(next::attempt);
            next.abandon();
        }
    }
}
