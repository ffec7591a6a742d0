package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;

/** What the store shows of a lock's holder: who it is, and since when. */
interface HolderRules extends Rules {

    @LockRule("9.8")
    default void rule98_whatIsToldOfAHolderIsItsOwnAndDoesNotChange() {
        String name = kit().newName();
        LockProvider holding = kit().provider();
        LockProvider asking = kit().provider();
        // What a store may write between the parts.
        Claimant first = new Claimant("host-of-the-first", 101, "|thread,of;the:first\\1 {2} \"3\"|\t4");
        // Windows gives its processes such numbers. Blanks at the ends are a part of the name.
        Claimant second = new Claimant("host-of-the-second", 4_294_967_292L, " thread-of-the-second \u2116 2 ");
        DrivenClaim holder =
                kit().claim(holding, name).owned().from(first).lasting().make();
        long firstCalled = Pace.now();
        Attempt.Granted granted = holder.mustBeGranted(ReservedTokenRules.WANTED, "nobody holds the lock");
        long firstReturned = Pace.now();
        // Another lease than the first: a time of the grant that is reckoned from the end of a
        // lease would be wrong by that.
        DrivenClaim next = kit().claim(asking, name)
                .from(second)
                .leasing(kit().longLease().plus(kit().longLease().dividedBy(2)))
                .make();
        DrivenClaim passing = kit().claim(asking, name).from(second).once().make();
        passing.mustBeContended("the lock is held");
        passing.release();
        LockHolder atFirst = told(asking, holder, first);
        Pace.pass(Duration.ofMillis(1300));
        holder.mustRenew("it holds the lock");
        mustBeSame(atFirst, told(asking, holder, first), "what is shown of a holder after its renewal");
        Attempt.Granted repeated = holder.mustBeGranted("it holds the lock, and its request comes again");
        Assertions.assertEquals(
                granted.fencingToken(), repeated.fencingToken(), "the token of a holder whose request comes again");
        mustBeSame(atFirst, told(asking, holder, first), "what is shown of a holder after its request has come again");
        Optional<DrivenClaim> nested = nested(holder, second);
        mustBeSame(atFirst, told(asking, holder, first), "what is shown of a holder after its owner has entered again");
        nested.ifPresent(inner -> {
            Renewal renewal = kit().renewAll(inner.provider(), List.of(inner)).get(0);
            Assertions.assertInstanceOf(Renewal.Held.class, renewal, "the renewal of a nested hold");
            mustBeSame(
                    atFirst,
                    told(asking, holder, first),
                    "what is shown of a holder after the renewal of a nested hold");
            inner.mustRelease(Release.RELEASED, "it is in force");
        });
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
        DrivenClaim holder =
                kit().claim(kit().newName()).from(unnamed).lasting().make();
        holder.mustBeGranted("nobody holds the lock");
        holder.mustBeGranted("the store has this very claim as granted");
        LockHolder unused = told(kit().provider(), holder, unnamed);
        holder.mustRelease(Release.RELEASED, "it holds the lock");
    }

    @LockRule({"1.6", "9.8"})
    default void rule98_aClaimantIsGrantedWhateverItsThreadIsCalled() {
        LockProvider provider = kit().provider();
        String name = kit().newName();
        for (String thread : List.of(
                "a NUL \u0000, as of a native client",
                "several\r\nlines",
                "quotes \" ' ` \\ % ? $1 {}",
                "half of a pair \uD83D",
                "a lock \uD83D\uDD12 and a turn \u202E",
                "\\".repeat(1_000),
                "x" + "\\".repeat(1_000),
                "long ".repeat(2_000))) {
            DrivenClaim claim = kit().claim(provider, name)
                    .from(new Claimant("host", 606, thread))
                    .lasting()
                    .make();
            claim.mustBeGranted("nobody holds the lock, and the name of a thread is any text");
            Optional<LockHolder> unused = provider.holder(name);
            claim.mustRelease(Release.RELEASED, "it holds the lock");
        }
    }

    @LockRule("9.8")
    default void rule98_theHolderThatIsToldAfterATakeoverIsNotTheDeadOne() {
        LockProvider asking = kit().provider();
        Claimant dead = new Claimant("host-of-the-dead", 303, "thread-of-the-dead");
        Claimant alive = new Claimant("host-of-the-next", 404, "thread-of-the-next");
        DrivenClaim former = kit().claim(kit().newName()).from(dead).makeGranted();
        DrivenClaim next = kit().claim(former.name()).from(alive).lasting().make();
        next.takeOver(kit().longestLife(), "the lease of the holder before has ended");
        LockHolder unused = told(asking, next, alive);
    }

    @LockRule("9.8")
    default void rule98_aBatchOfRenewalsChangesNoHolder() {
        LockProvider provider = kit().provider();
        LockProvider asking = kit().provider();
        Claimant one = new Claimant("host-of-one", 707, "thread-of-one");
        Claimant other = new Claimant("host-of-the-other", 808, "thread-of-the-other");
        DrivenClaim first =
                kit().claim(provider, kit().newName()).from(one).lasting().makeGranted();
        DrivenClaim second =
                kit().claim(provider, kit().newName()).from(other).lasting().makeGranted();
        List<LockHolder> before = List.of(told(asking, first, one), told(asking, second, other));
        // A store may count whole seconds.
        Pace.pass(Duration.ofMillis(1300));
        for (Renewal renewal : kit().renewAll(provider, List.of(first, second))) {
            Assertions.assertInstanceOf(Renewal.Held.class, renewal, "the renewal of a claim that is in force");
        }

        mustBeSame(before.get(0), told(asking, first, one), "what is shown of a holder after its renewal with others");
        mustBeSame(
                before.get(1), told(asking, second, other), "what is shown of a holder after its renewal with others");
    }

    /** A store may grant the lock to a waiting claim before that attempts again. */
    @LockRule({"6.2", "9.8"})
    default void rule98_aHolderThatHasWaitedIsToldWithItsOwnToken() {
        LockProvider asking = kit().provider();
        Claimant waiting = new Claimant("host-of-the-waiter", 606, "thread-of-the-waiter");
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim waiter = kit().claim(kit().provider(), holder.name())
                .from(waiting)
                .lasting()
                .make();
        int hints = waiter.mustWait();
        // A store may count whole seconds.
        Pace.pass(Duration.ofMillis(1300));
        LockHolder meanwhile = asking.holder(
                        kit().claim(kit().newName()).lasting().makeGranted().name())
                .orElseThrow(() -> new AssertionError("a holder must be shown while the lock is held"));
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        awaitHint(waiter, hints);
        Attempt.Granted granted = waiter.mustBeGranted("it is the only waiter, and the holder has left");

        LockHolder told = told(asking, waiter, waiting);
        mustNotBeBefore(meanwhile, told);
        told.fencingToken()
                .ifPresent(token -> Assertions.assertEquals(
                        granted.fencingToken(), Optional.of(token), "the token of a holder that has waited"));
    }

    /** The two may be told by different servers. */
    private static void mustNotBeBefore(LockHolder earlier, LockHolder later) {
        if (earlier.since().isEmpty() || later.since().isEmpty()) {
            return;
        }
        Duration before =
                Duration.between(later.since().orElseThrow(), earlier.since().orElseThrow());
        Assertions.assertTrue(
                before.compareTo(Duration.ofMillis(500)) < 0,
                () ->
                        "a lock is held since its grant and not since its holder began to wait, but the times that are shown say that it was granted "
                                + before.toMillis() + " ms before one that was granted earlier");
    }

    /** A further hold of the owner by another client, where the store counts them. */
    private Optional<DrivenClaim> nested(DrivenClaim holder, Claimant from) {
        if (!Capability.COUNTED_BY_STORE.isMetBy(kit().capabilities())) {
            return Optional.empty();
        }
        DrivenClaim inner = kit().claim(holder.name())
                .byOwnerOf(holder)
                .from(from)
                .lasting()
                .make();
        inner.mustBeGranted("the same owner holds the lock");
        return Optional.of(inner);
    }

    /** What is shown must be as before. Only the time may be that of another server's clock, where a store has several. */
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

    /**
     * The store's clock may show another time than this machine's, so only the time between two grants is compared. A store may
     * count whole seconds.
     */
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
