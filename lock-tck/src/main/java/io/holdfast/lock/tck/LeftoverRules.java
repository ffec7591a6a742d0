package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assertions;

/** What a call leaves behind: nothing at the store, and nothing in the process. */
interface LeftoverRules extends Rules {

    /** Enough clients, or claims, that one thing left by each stands out. */
    int MANY_CLIENTS = 30;

    @LockRule("1.5")
    default void rule15_aClaimThatNeverAttemptedHasNoPlace() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        List<DrivenClaim> idle = new ArrayList<>();
        idle.add(kit().claim(provider, name).lasting().make());
        DrivenClaim holder = kit().claim(name).lasting().make();
        holder.mustBeGranted("a claim that was only made does not come first");
        for (int i = 0; i < 3; i++) {
            idle.add(kit().claim(provider, name).lasting().make());
        }
        DrivenClaim waiter = kit().claim(name).lasting().make();
        waiter.mustBeContended("the lock is held");
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        waiter.mustBeGranted("it is the only claim that has attempted, and the holder has left");
        waiter.mustRelease(Release.RELEASED, "it holds the lock");

        kit().claim(name).lasting().once().make().mustPass("claims that were only made are in nobody's way");
        idle.get(0).mustBeGranted("nobody holds the lock");
    }

    @LockRule("9.3")
    default void rule93_withdrawnWaitsLeaveNoThreads() throws InterruptedException {
        OwnThreads.mustEndWith(
                () -> {
                    try (LockProvider provider = kit().harness().open();
                            LockProvider holding = kit().harness().open()) {
                        DrivenClaim holder =
                                kit().claim(holding, kit().newName()).lasting().makeGranted();
                        withdraw(provider, holder.name(), MANY_CLIENTS / 3);
                        int before = Thread.activeCount();
                        withdraw(provider, holder.name(), MANY_CLIENTS);
                        Assertions.assertTrue(
                                Pace.within(Pace.GONE_WITHIN, () -> Thread.activeCount() < before + MANY_CLIENTS / 2),
                                () -> "after " + MANY_CLIENTS + " claims had waited and were withdrawn there are "
                                        + (Thread.activeCount() - before) + " threads more than before");
                        holder.mustRelease(Release.RELEASED, "it holds the lock");
                    }
                },
                "the provider, of which many claims had waited and were withdrawn, was closed");
    }

    private void withdraw(LockProvider provider, String name, int number) {
        for (int i = 0; i < number; i++) {
            DrivenClaim claim = i % 3 == 0
                    ? kit().visitor(provider, name)
                    : kit().claim(provider, name).make();
            claim.mustBeContended("the lock is held");
            claim.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        }
    }

    @LockRule("9.3")
    default void rule93_closedProvidersLeaveNoDescriptors() throws Exception {
        useAndClose(MANY_CLIENTS / 3);
        Descriptors.mustNotRemain(
                MANY_CLIENTS,
                () -> useAndClose(MANY_CLIENTS),
                MANY_CLIENTS + " providers were opened, used and closed");
    }

    private void useAndClose(int number) {
        String name = kit().newName();
        for (int i = 0; i < number; i++) {
            try (LockProvider provider = kit().harness().open()) {
                kit().claim(provider, name).lasting().make().mustPass("the provider before has released the lock");
            }
        }
    }

    /** More than a pool has connections. */
    int REFUSED_CALLS = 120;

    @LockRule({"1.6", "9.5"})
    default void rule95_refusedCallsUseUpNothing() {
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim gone = kit().claim(provider, kit().newName()).lasting().makeGranted();
        gone.mustRelease(Release.RELEASED, "it holds the lock");
        DrivenClaim passing = kit().visitor(provider, holder.name());
        Map<String, Callable<Object>> refused = Map.of(
                "refused attempts", passing::attempt,
                "renewals of what was released", gone::renew,
                "renewals of several", () -> provider.renewAll(List.of(gone.claim())),
                "releases of what was released", gone::release);
        refused.forEach((what, call) -> {
            boolean answered = true;
            for (int i = 0; i < REFUSED_CALLS && answered; i++) {
                answered = Call.isAnswered(call);
            }
            // Nothing disturbs the store: a provider that lost one answer because the machine is slow recovers.
            Assertions.assertTrue(
                    answered
                            || Pace.within(
                                    Pace.BACK_WITHIN, () -> Call.isAnswered(() -> provider.holder(holder.name()))),
                    () -> "after many " + what + " each call of the provider fails, for " + Pace.BACK_WITHIN.toSeconds()
                            + " s, though nothing disturbs the store");
        });
    }
}
