package io.holdfast.lock.tck;

import io.holdfast.lock.LockException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Fault;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Stream;

/** A provider that is closed during a fault, or after one, leaves nothing behind: chapter 9. */
interface CloseUnderFaultRules extends Rules {

    @LockRule({"9.3", "9.5"})
    @Needs(hooks = Hook.OUTAGE)
    default void rule93_aCloseDuringAnOutageLeavesNoThread() throws Exception {
        Fault outage = Trouble.outage(kit());
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

    /** So many that a connection left by each stands out. */
    int CLOSED_DURING_CALLS = 12;

    @LockRule({"9.3", "9.5"})
    @Needs(hooks = Hook.PAUSE)
    default void rule93_closesDuringCallsThatHangLeaveNoConnections() throws Exception {
        mustLeaveNothingWhenClosedDuringCalls(CloseUnderFaultRules::connectedOnly, "a call of theirs");
    }

    @LockRule({"9.3", "9.5"})
    @Needs(hooks = Hook.PAUSE)
    default void rule93_closesDuringFirstCallsThatHangLeaveNoConnections() throws Exception {
        mustLeaveNothingWhenClosedDuringCalls(kit -> kit.harness().open(), "their first call, for which they connect");
    }

    /** It has connected, and no claim of it has waited: it leaves no queue when it is closed, and so it closes sooner. */
    private static LockProvider connectedOnly(Kit kit) {
        LockProvider provider = kit.harness().open();
        kit.tryingOnce(provider, kit.newName()).mustPass("nobody holds the lock");
        return provider;
    }

    private void mustLeaveNothingWhenClosedDuringCalls(Function<Kit, LockProvider> opened, String call)
            throws Exception {
        // Kept, as some drivers close a connection that was left when the garbage collector finds it, which may be
        // never.
        List<LockProvider> closed = new ArrayList<>(closeDuringCalls(opened));
        try {
            Descriptors.mustNotRemain(
                    CLOSED_DURING_CALLS,
                    () -> closed.addAll(closeDuringCalls(opened)),
                    CLOSED_DURING_CALLS + " providers were closed while the store did not answer " + call);
        } finally {
            Reference.reachabilityFence(closed);
        }
    }

    private List<LockProvider> closeDuringCalls(Function<Kit, LockProvider> opened) throws Exception {
        List<LockProvider> closing = Stream.generate(() -> opened.apply(kit()))
                .limit(CLOSED_DURING_CALLS)
                .toList();
        List<Call<?>> calls = new ArrayList<>();
        List<Call<?>> closes = new ArrayList<>();
        Trouble.during(kit().harness().faults().pause().orElseThrow(), () -> {
            for (LockProvider provider : closing) {
                // A name that the kit does not inspect at the end: nobody can release this lock.
                DrivenClaim claim =
                        kit().claim(provider, "tck-" + UUID.randomUUID()).once().make();
                calls.add(Call.begun(begun -> {
                    begun.countDown();
                    try {
                        return claim.isGranted();
                    } catch (LockException closedOrUnknown) {
                        return false;
                    } finally {
                        claim.abandon();
                    }
                }));
            }
            // The calls are on their way by then; and the store answers them soon after the closes have begun.
            Pace.pass(Duration.ofMillis(50));
            closing.forEach(provider -> closes.add(Call.running(provider::close)));
            Pace.pass(Duration.ofMillis(50));
        });
        calls.forEach(call -> mustSucceed(call, "a call of a provider that was closed meanwhile"));
        closes.forEach(close -> mustSucceed(close, "a close during a call"));
        return closing;
    }

    private static void mustSucceed(Call<?> call, String what) {
        Trouble.mustEnd(call, what);
        Object unused = call.result();
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
