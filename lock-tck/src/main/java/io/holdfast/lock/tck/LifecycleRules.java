package io.holdfast.lock.tck;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** Chapter 9, life cycle, asked of the provider. */
interface LifecycleRules extends Rules {

    @LockRule("9.1")
    default void rule91_manyThreadsUseOneProviderForManyLocks() throws InterruptedException {
        LockProvider provider = kit().provider();
        Hammer threads = new Hammer(Duration.ofMillis(500));
        for (int i = 0; i < 8; i++) {
            String name = kit().newName();
            threads.add(() -> {
                while (!threads.isOver()) {
                    DrivenClaim alone = kit().claim(provider, name).lasting().makeGranted();
                    alone.mustRenew("it holds the lock");
                    alone.mustRelease(Release.RELEASED, "it holds the lock");
                }
            });
        }

        threads.run();
    }

    /** More than the connections that a server usually has for one client. */
    int MANY_THREADS = 200;

    @LockRule({"9.1", "9.5"})
    default void rule91_threadsThatComeAndGoUseNothingUp() {
        LockProvider provider = kit().provider();
        String name = kit().newName();
        for (int i = 0; i < MANY_THREADS; i++) {
            Crowd.together(Stream.of(() -> {
                DrivenClaim claim = kit().tryingOnce(provider, name);
                claim.mustBeGranted("nobody holds the lock");
                claim.mustRelease(Release.RELEASED, "it holds the lock");
            }));
        }
    }

    @LockRule("9.3")
    default void rule93_afterCloseNoThreadOfTheProviderRemains() throws InterruptedException {
        OwnThreads.mustEndWith(this::useAndClose, "the provider was closed");
    }

    @LockRule("9.3")
    default void rule93_closingAgainDoesNothing() {
        LockProvider provider = kit().provider();
        kit().claim(provider, kit().newName()).makeGranted().release();
        provider.close();

        Assertions.assertDoesNotThrow(provider::close, "closing a closed provider");
    }

    @LockRule("9.3")
    default void rule93_closingOneProviderDoesNotDisturbAnother() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        LockProvider other = kit().provider();
        DrivenClaim passing = kit().visitor(other, name);
        passing.mustBeContended("the lock is held");
        passing.release();
        other.close();

        holder.mustRenew("only another client was closed");
        kit().visitor(name).mustBeContended("only another client was closed");
    }

    @LockRule({"1.6", "9.5"})
    @Needs(hooks = Hook.OUTAGE)
    default void rule95_duringAnOutageEachCallFailsAndAfterItEachIsAnswered() {
        Fault outage = Trouble.outage(kit());
        ProviderCalls calls = new ProviderCalls(kit(), kit().longLease());
        outage.begin().run();
        try {
            Map<String, Call<Object>> running = new LinkedHashMap<>();
            calls.all().forEach((call, answer) -> running.put(call, Call.start(answer)));
            running.forEach((call, answer) -> answer.mustFailWith(
                    LockStoreException.class, call + " that cannot reach the store must throw, not answer"));
        } finally {
            outage.end().run();
        }

        calls.all()
                .forEach((call, answer) -> Assertions.assertTrue(
                        Pace.within(Pace.BACK_WITHIN, () -> Call.isAnswered(answer)),
                        () -> call + " must be answered within " + Pace.BACK_WITHIN + " of the end of an outage"));
    }

    @LockRule({"7.2", "9.5"})
    @Needs(value = Capability.PUSHED, hooks = Hook.OUTAGE)
    default void rule95_aReleaseAfterAnOutageWakesAWaitingClaim() throws Exception {
        Fault outage = Trouble.outage(kit());
        LockProvider waiting = kit().provider();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim listening = kit().claim(waiting, holder.name()).lasting().make();
        listening.mustWait();
        outage.begin().run();
        try {
            Call.start(listening::attempt).mustFailWith(LockStoreException.class, "the store cannot be reached");
        } finally {
            outage.end().run();
        }
        Trouble.answered("a release", listening::release);
        Trouble.answered("a release", holder::release);

        String name = kit().newName();
        DrivenClaim next = kit().claim(name).lasting().make();
        Trouble.answered("an attempt", next::attempt);
        DrivenClaim waiter = kit().claim(waiting, name).lasting().make();
        int hints = waiter.hints();
        Trouble.answered("an attempt", () -> waiter.mustBeContended("the lock is held"));
        Trouble.carriedOut("a release", () -> next.mustRelease(Release.RELEASED, "it holds the lock"));
        waiter.mustBeGrantedByHints(hints, "its client had an outage before it began to wait");
        Trouble.answered("a release", waiter::release);
    }

    @LockRule("9.3")
    @Needs(Capability.PUSHED)
    default void rule93_aClosedProviderReportsNoReleases() {
        LockProvider closing = kit().provider();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        FeedReports reports = new FeedReports();
        closing.releases(reports).ifPresent(feed -> {
            feed.subscribe(holder.name());
            Assertions.assertTrue(
                    Pace.within(Pace.LISTENS_WITHIN, () -> reports.count() > 0),
                    "a subscription that is new must be reported");
        });
        mustBeSilentOnceClosed(closing, holder, reports::count, "what the feed of a closed provider has reported");
    }

    @LockRule("9.3")
    @Needs(Capability.PUSHED)
    default void rule93_aClosedProviderWakesNoClaim() {
        LockProvider closing = kit().provider();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        // With a short lease: the store may grant it the lock, as it does not know yet that the client is closed.
        DrivenClaim waiter = kit().claim(closing, holder.name()).make();
        int unused = waiter.mustWait();
        waiter.abandon();
        mustBeSilentOnceClosed(closing, holder, waiter::hints, "how often a claim of a closed provider was woken");
    }

    /** Closes a provider, and releases a lock that another one holds, of which the closed one must hear nothing. */
    private static void mustBeSilentOnceClosed(
            LockProvider closing, DrivenClaim holder, IntSupplier heard, String what) {
        closing.close();
        Pace.pass(REPORTS_ON_THEIR_WAY);
        int before = heard.getAsInt();
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        Pace.pass(REPORTS_ON_THEIR_WAY);

        Assertions.assertEquals(before, heard.getAsInt(), what);
    }

    /** What was under way when a provider was closed. */
    Duration REPORTS_ON_THEIR_WAY = Duration.ofMillis(150);

    /** Does all that a provider may start a thread for: a grant, a renewal, a wait, a wake-up, and calls after the close. */
    private void useAndClose() {
        LockProvider provider = kit().provider();
        String name = kit().newName();
        DrivenClaim holder = kit().claim(provider, name).lasting().makeGranted();
        try (LockProvider rival = kit().harness().open()) {
            DrivenClaim waiter = kit().claim(rival, name).lasting().make();
            waiter.mustBeContended("the lock is held");
            holder.mustRenew("it holds the lock");
            holder.mustRelease(Release.RELEASED, "it holds the lock");
            waiter.takeOver(Duration.ZERO, "the holder has left");
            waiter.mustRelease(Release.RELEASED, "it holds the lock");
            // A thread that a message wakes after the close might end for that reason alone.
            Pace.pass(REPORTS_ON_THEIR_WAY);
        }
        if (Capability.FENCED.isMetBy(kit().capabilities())) {
            // It may take threads of its own.
            boolean unused = Tokens.highest(provider).isPresent();
        }
        provider.close();
        Assertions.assertThrows(LockException.class, () -> provider.holder(name), "the provider is closed");
        Assertions.assertThrows(LockException.class, holder::attempt, "the provider is closed");
        holder.abandon();
    }
}
