package io.holdfast.lock.tck;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assertions;
import org.opentest4j.TestAbortedException;

/** What a call leaves behind: nothing at the store, nothing in the process, nothing that is told of the wrong claim. */
interface LeftoverRules extends Rules {

    /** Enough clients, or claims, that one thing left by each stands out. */
    int MANY_CLIENTS = 30;

    /** The lease of what nobody can release: shorter than the patience of the kit. */
    Duration LEFT_BEHIND = Duration.ofSeconds(8);

    @LockRule("1.5")
    default void rule15_aClaimThatNeverAttemptedHasNoPlace() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        List<DrivenClaim> idle = new ArrayList<>();
        idle.add(kit().claim(provider, name).leasing(kit().longLease()).make());
        DrivenClaim holder = kit().claim(name).leasing(kit().longLease()).make();
        holder.mustBeGranted("a claim that was only made does not come first");
        for (int i = 0; i < 3; i++) {
            idle.add(kit().claim(provider, name).leasing(kit().longLease()).make());
        }
        DrivenClaim waiter = kit().claim(name).leasing(kit().longLease()).make();
        waiter.mustBeContended("the lock is held");
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        waiter.mustBeGranted("it is the only claim that has attempted, and the holder has left");
        waiter.mustRelease(Release.RELEASED, "it holds the lock");

        kit().claim(name)
                .leasing(kit().longLease())
                .once()
                .make()
                .mustPass("claims that were only made are in nobody's way");
        idle.get(0).mustBeGranted("nobody holds the lock");
    }

    @LockRule("9.3")
    default void rule93_withdrawnWaitsLeaveNoThreads() throws InterruptedException {
        OwnThreads.mustEndWith(
                () -> {
                    try (LockProvider provider = kit().harness().open();
                            LockProvider holding = kit().harness().open()) {
                        DrivenClaim holder = kit().claim(holding, kit().newName())
                                .leasing(kit().longLease())
                                .makeGranted();
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
                    ? kit().claim(provider, name).once().make()
                    : kit().claim(provider, name).make();
            claim.mustBeContended("the lock is held");
            claim.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        }
    }

    @LockRule("9.3")
    default void rule93_closedProvidersLeaveNoDescriptors() {
        if (Descriptors.open().isEmpty()) {
            throw new TestAbortedException(
                    "not applicable: this operating system does not tell how many descriptors are open");
        }
        useAndClose(MANY_CLIENTS / 3);
        // Other tests open and close descriptors meanwhile: what is left by clients is left after each lot of them.
        for (int lot = 1; lot <= 3; lot++) {
            long before = Descriptors.open().orElseThrow();
            useAndClose(MANY_CLIENTS);
            if (Pace.within(Pace.GONE_WITHIN, () -> Descriptors.open().orElseThrow() < before + MANY_CLIENTS * 2 / 3)) {
                return;
            }
        }
        throw new AssertionError(
                "each time after " + MANY_CLIENTS
                        + " providers were opened, used and closed there were as many more open descriptors, such as sockets, as before");
    }

    private void useAndClose(int number) {
        String name = kit().newName();
        for (int i = 0; i < number; i++) {
            try (LockProvider provider = kit().harness().open()) {
                kit().claim(provider, name)
                        .leasing(kit().longLease())
                        .make()
                        .mustPass("the provider before has released the lock");
            }
        }
    }

    @LockRule("1.6")
    default void rule16_aClosedProviderAnswersNothingFromMemory() {
        LockProvider provider = kit().provider();
        DrivenClaim holder =
                kit().claim(provider, kit().newName()).leasing(leftBehind()).makeGranted();
        DrivenClaim rival =
                kit().claim(kit().newName()).leasing(kit().longLease()).makeGranted();
        DrivenClaim waiter =
                kit().claim(provider, rival.name()).leasing(kit().longLease()).make();
        waiter.mustBeContended("the lock is held");
        String free = kit().newName();
        Optional<LockHolder> unused = provider.holder(free);
        provider.close();

        Map<String, Callable<Object>> calls = new LinkedHashMap<>();
        calls.put("a repeated attempt", holder::attempt);
        calls.put("an attempt that was contended before", waiter::attempt);
        calls.put("a renewal", holder::renew);
        calls.put(
                "a renewal of several",
                () -> provider.renewAll(List.of(holder.claim())).stream()
                        .map(LeftoverRules::knownOrThrown)
                        .toList());
        calls.put("a question for the holder of a free lock", () -> provider.holder(free));
        calls.put("a question for its own hold", () -> provider.holder(holder.name()));
        calls.put("a question for the highest token", provider::highestToken);
        calls.put("a raise of the tokens", () -> {
            provider.raiseTokens(1);
            return "raised";
        });
        calls.forEach((call, answer) -> Assertions.assertThrows(
                LockException.class,
                answer::call,
                call + " of a closed provider must throw a LockException: it cannot know what the store would answer"));
        waiter.abandon();
        mustNotPretend(holder);
    }

    /** The lease of a hold that nobody can release: it ends while the kit still waits for the lock, or the remover ends it. */
    private Duration leftBehind() {
        return kit().harness().remover().isPresent() ? kit().longLease() : LEFT_BEHIND;
    }

    /** A closed provider cannot free a lock, but its store may have freed it at the close. */
    private void mustNotPretend(DrivenClaim closed) {
        try {
            Release unused = closed.release();
        } catch (LockException asExpected) {
            closed.abandon();
            kit().harness().remover().ifPresent(remover -> remover.accept(closed.name()));
            return;
        }
        kit().claim(closed.name())
                .once()
                .make()
                .mustBeGranted("a closed provider has answered to the release of its holder, and did not throw");
    }

    private static Object knownOrThrown(Renewal renewal) {
        if (renewal instanceof Renewal.Unknown unknown) {
            throw unknown.failure();
        }
        return renewal;
    }

    @LockRule({"1.6", "9.3"})
    default void rule93_aCloseEndsTheCallsThatAreUnderWay() {
        LockProvider provider = kit().provider();
        List<DrivenClaim> holders = kit().holders(provider, leftBehind(), 2);
        DrivenClaim passing = kit().claim(provider, holders.get(1).name()).make();
        List<Call<Boolean>> calling = List.of(
                Call.start(() -> endsByTheClose(holders.get(0)::renew)),
                Call.start(() -> endsByTheClose(passing::attempt)),
                Call.start(() ->
                        endsByTheClose(() -> provider.holder(holders.get(1).name()))));
        Pace.pass(Duration.ofMillis(30));
        Call.elsewhere(() -> {
            provider.close();
            return true;
        });

        for (Call<Boolean> call : calling) {
            Assertions.assertTrue(
                    call.result(),
                    "a call of a provider that was closed meanwhile must end with a LockException, not answer");
        }
        passing.abandon();
        holders.forEach(DrivenClaim::abandon);
        holders.forEach(holder -> kit().harness().remover().ifPresent(remover -> remover.accept(holder.name())));
    }

    private static boolean endsByTheClose(Callable<Object> call) throws Exception {
        Pace.Limit limit = new Pace.Limit(Pace.GONE_WITHIN);
        while (!limit.isOver()) {
            try {
                call.call();
            } catch (LockException ended) {
                return true;
            }
        }
        return false;
    }

    @LockRule("7.4")
    default void rule74_everyCallKeepsAnInterruptForItsCaller() {
        LockProvider provider = kit().provider();
        List<DrivenClaim> holders = kit().holders(provider, kit().longLease(), 4);
        DrivenClaim free = kit().claim(provider, kit().newName())
                .leasing(kit().longLease())
                .make();
        DrivenClaim passing =
                kit().claim(provider, holders.get(0).name()).once().make();
        Map<String, Callable<Object>> calls = new LinkedHashMap<>();
        calls.put("an attempt for a free lock", free::attempt);
        calls.put("an attempt for a held lock", passing::attempt);
        calls.put("a renewal", holders.get(0)::renew);
        calls.put(
                "a renewal of several",
                () -> provider.renewAll(List.of(holders.get(1).claim())));
        calls.put("a release", holders.get(2)::release);
        calls.put("a withdrawal", passing::release);
        calls.put(
                "a question for the holder",
                () -> provider.holder(holders.get(3).name()));
        LockProvider closing = Trouble.connected(kit());
        calls.put("a close", () -> {
            closing.close();
            return "closed";
        });
        calls.forEach((what, call) -> Assertions.assertTrue(
                Call.elsewhere(() -> keepsTheInterrupt(call)),
                () -> what + " must not swallow the interrupt of its caller"));

        kit().claim(provider, kit().newName())
                .make()
                .mustPass("nobody holds the lock, and no caller is interrupted now");
    }

    private static boolean keepsTheInterrupt(Callable<Object> call) throws Exception {
        Thread.currentThread().interrupt();
        try {
            call.call();
        } catch (LockStoreException interrupted) {
            // A call may end with the interrupt, if it leaves the thread interrupted.
            return Thread.interrupted();
        }
        return Thread.interrupted();
    }

    @LockRule("9.8")
    default void rule98_whatIsToldOfAHolderIsItsOwnAndDoesNotChange() {
        String name = kit().newName();
        LockProvider holding = kit().provider();
        LockProvider asking = kit().provider();
        Claimant first = new Claimant("host-of-the-first", 101, "thread-of-the-first");
        Claimant second = new Claimant("host-of-the-second", 202, "thread-of-the-second");
        DrivenClaim holder = kit().claim(holding, name)
                .from(first)
                .leasing(kit().longLease())
                .make();
        long firstCalled = Pace.now();
        Attempt.Granted granted = holder.mustBeGranted("nobody holds the lock");
        long firstReturned = Pace.now();
        DrivenClaim next = kit().claim(asking, name)
                .from(second)
                .leasing(kit().longLease().multipliedBy(40))
                .make();
        DrivenClaim passing = kit().claim(asking, name).from(second).once().make();
        passing.mustBeContended("the lock is held");
        passing.release();
        LockHolder atFirst = told(asking, holder, first);
        Pace.pass(Duration.ofMillis(1300));
        holder.mustRenew("it holds the lock");
        mustBeSame(atFirst, told(asking, holder, first), "what is told of a holder after its renewal");
        Attempt.Granted repeated = holder.mustBeGranted("it holds the lock, and its request comes again");
        Assertions.assertEquals(
                granted.fencingToken(), repeated.fencingToken(), "the token of a holder whose request comes again");
        mustBeSame(atFirst, told(asking, holder, first), "what is told of a holder after its request has come again");
        Optional<DrivenClaim> nested = nested(holder, second);
        mustBeSame(atFirst, told(asking, holder, first), "what is told of a holder after its owner has entered again");
        nested.ifPresent(inner -> inner.mustRelease(Release.RELEASED, "it is in force"));
        mustBeSame(atFirst, told(holding, holder, first), "what is told of a holder, as its own client asks");
        atFirst.fencingToken()
                .ifPresent(token -> Assertions.assertEquals(granted.fencingToken(), Optional.of(token), "its token"));
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        long secondCalled = Pace.now();
        next.mustBeGranted("the holder has left");
        long secondReturned = Pace.now();
        mustBeApart(
                atFirst,
                told(holding, next, second),
                Duration.ofNanos(secondCalled - firstReturned),
                Duration.ofNanos(secondReturned - firstCalled));
    }

    @LockRule({"1.3", "9.8"})
    default void rule98_aHolderWhoseThreadHasNoNameIsToldAsAnyOther() {
        // Virtual threads have none.
        Claimant unnamed = new Claimant("host", 505, "");
        DrivenClaim holder = kit().claim(kit().newName())
                .from(unnamed)
                .leasing(kit().longLease())
                .make();
        holder.mustBeGranted("nobody holds the lock");
        holder.mustBeGranted("the store has this very claim as granted");
        LockHolder unused = told(kit().provider(), holder, unnamed);
        holder.mustRelease(Release.RELEASED, "it holds the lock");
    }

    @LockRule("9.8")
    default void rule98_theHolderThatIsToldAfterATakeoverIsNotTheDeadOne() {
        LockProvider asking = kit().provider();
        Claimant dead = new Claimant("host-of-the-dead", 303, "thread-of-the-dead");
        Claimant alive = new Claimant("host-of-the-next", 404, "thread-of-the-next");
        DrivenClaim former = kit().claim(kit().newName()).from(dead).makeGranted();
        DrivenClaim next = kit().claim(former.name())
                .from(alive)
                .leasing(kit().longLease())
                .make();
        next.takeOver(kit().longestLife(), "the lease of the holder before has ended");
        LockHolder unused = told(asking, next, alive);
    }

    /** A further hold of the owner by another client, where the store counts them. */
    private Optional<DrivenClaim> nested(DrivenClaim holder, Claimant from) {
        if (!Capability.COUNTED_BY_STORE.isMetBy(kit().capabilities())) {
            return Optional.empty();
        }
        DrivenClaim inner = kit().claim(holder.name())
                .by(holder.ownerId())
                .from(from)
                .leasing(kit().longLease())
                .make();
        inner.mustBeGranted("the same owner holds the lock");
        return Optional.of(inner);
    }

    /** What is told must be as before. Only the time may be that of another server's clock, where a store has several. */
    private static void mustBeSame(LockHolder before, LockHolder now, String what) {
        Assertions.assertEquals(before.owner(), now.owner(), "the owner, " + what);
        Assertions.assertEquals(before.fencingToken(), now.fencingToken(), "the token, " + what);
        Assertions.assertEquals(before.since().isPresent(), now.since().isPresent(), "the time of the grant, " + what);
        before.since().ifPresent(since -> {
            Duration moved = Duration.between(since, now.since().orElseThrow()).abs();
            Assertions.assertTrue(
                    moved.compareTo(Duration.ofMillis(500)) < 0,
                    () -> "the time of the grant, " + what + ", has moved by " + moved.toMillis() + " ms");
        });
    }

    private static LockHolder told(LockProvider asking, DrivenClaim holder, Claimant process) {
        LockHolder told = asking.holder(holder.name())
                .orElseThrow(() -> new AssertionError("a holder must be shown while the lock is held"));
        Assertions.assertEquals(holder.ownerId(), told.owner(), "the owner that is told of the holder");
        told.host().ifPresent(host -> Assertions.assertEquals(process.host(), host, "the holder's host"));
        told.pid().ifPresent(pid -> Assertions.assertEquals(process.pid(), pid, "the holder's process"));
        told.thread().ifPresent(thread -> Assertions.assertEquals(process.thread(), thread, "the holder's thread"));
        return told;
    }

    /** The store's clock may show another time than this machine's, so only the time between two grants is compared. A store may count whole seconds. */
    private static void mustBeApart(LockHolder before, LockHolder after, Duration least, Duration most) {
        if (before.since().isEmpty() || after.since().isEmpty()) {
            return;
        }
        Duration apart =
                Duration.between(before.since().orElseThrow(), after.since().orElseThrow());
        Duration second = Duration.ofSeconds(1);
        Assertions.assertTrue(
                apart.compareTo(least.minus(second)) >= 0 && apart.compareTo(most.plus(second)) <= 0,
                () -> "two grants were from " + least.toMillis() + " to " + most.toMillis()
                        + " ms apart, but by what is told of their holders it was " + apart.toMillis() + " ms");
    }
}
