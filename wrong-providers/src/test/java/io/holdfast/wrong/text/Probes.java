package io.holdfast.wrong.text;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/** What tells one wrong text from the right one. Each is true of a right provider; none is as strict as the kit, which has to find out by itself. */
final class Probes implements AutoCloseable {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration TOLERANCE = Duration.ofMillis(900);
    private static final int FEW = 8;

    private final LockProvider first;
    private final LockProvider second;
    private final LockHarness harness;
    private final String name = "lock-" + UUID.randomUUID();

    Probes(LockHarness harness) {
        this.harness = harness;
        this.first = harness.open();
        this.second = harness.open();
    }

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    private static long since(long nanos) {
        return System.nanoTime() - nanos;
    }

    private Claim claim(LockProvider provider, String lock, String id, String owner, Duration lease, String thread) {
        ClaimRequest request =
                new ClaimRequest(lock, id, owner, lease, Intent.TRY_ONCE, new Claimant("host", 1, thread));
        return provider.newClaim(request, TestClaim.once(provider, lock));
    }

    private Claim claim(String id, String owner) {
        return claim(second, name, id, owner, LONG, "thread");
    }

    private static boolean granted(Claim claim) {
        return claim.attempt() instanceof Attempt.Granted;
    }

    /** Whether nobody else is granted the lock before its validity ends, and somebody soon after. */
    private boolean endsAt(long begun, Duration lease, String lock) {
        TestClaim rival = TestClaim.once(second, lock);
        long valid = lease.minus(lease.dividedBy(1000)).toNanos();
        long latest = lease.plus(TOLERANCE).toNanos();
        while (!rival.granted()) {
            if (since(begun) > latest) {
                return false;
            }
        }
        return since(begun) >= valid;
    }

    /** A lease of some odd length lasts from the call on, and not much longer. */
    boolean leaseOf(long... millis) {
        for (int i = 0; i < FEW; i++) {
            for (long each : millis) {
                String lock = name + i + "-" + each;
                long begun = System.nanoTime();
                if (!TestClaim.once(first, lock, ms(each)).granted() || !endsAt(begun, ms(each), lock)) {
                    return false;
                }
                if (each > 1000) {
                    return true;
                }
            }
        }
        return true;
    }

    /** After renewals in quick succession it ends one lease after the last. */
    boolean renewal(long millis, int times) {
        for (int i = 0; i < 3; i++) {
            String lock = name + i;
            TestClaim claim = TestClaim.once(first, lock, ms(millis));
            boolean held = claim.granted();
            Waits.letPass(ms(20));
            long begun = 0;
            for (int renewal = 0; renewal < times; renewal++) {
                begun = System.nanoTime();
                held &= claim.held();
            }
            if (!held || !endsAt(begun, ms(millis), lock)) {
                return false;
            }
        }
        return true;
    }

    boolean repeatedAttempt() {
        Claim claim = claim(first, name, "a", "owner with blanks", ms(600), "thread");
        Attempt.Granted once = (Attempt.Granted) claim.attempt();
        Waits.letPass(ms(300));
        long begun = System.nanoTime();
        Attempt.Granted again = (Attempt.Granted) claim.attempt();
        boolean sameTime = once.storeTime().isPresent()
                && Duration.between(
                                        once.storeTime().orElseThrow().time(),
                                        again.storeTime().orElseThrow().time())
                                .toMillis()
                        < 290;
        return once.fencingToken().equals(again.fencingToken()) && !sameTime && endsAt(begun, ms(600), name);
    }

    boolean secondGrantOfAClaim() {
        TestClaim claim = TestClaim.once(first, name, ms(50));
        long token = claim.token();
        Waits.letPass(ms(150));
        return claim.token() > token;
    }

    boolean secondClaimOfAnOwner() {
        TestClaim outer = TestClaim.owned(first, name, "o", LONG);
        long token = outer.token();
        TestClaim inner = TestClaim.owned(second, name, "o", LONG);
        boolean same = inner.token() == token;
        return same && inner.released() && !TestClaim.once(second, name).granted() && outer.released();
    }

    boolean shortClaimInALongOne(boolean renewed) {
        TestClaim outer = TestClaim.owned(first, name, "o", LONG);
        boolean granted = outer.granted();
        TestClaim inner = TestClaim.owned(second, name, "o", ms(200));
        granted &= inner.granted() && (!renewed || inner.held());
        Waits.letPass(ms(400));
        return granted && !TestClaim.once(second, name).granted() && outer.held();
    }

    /** The first claim dies; the second goes on, is renewed and released. */
    boolean longClaimAfterAShortOne() {
        TestClaim dying = TestClaim.owned(first, name, "o", ms(300));
        boolean granted = dying.granted();
        TestClaim lasting = TestClaim.owned(second, name, "o", LONG);
        granted &= lasting.granted() && lasting.held();
        TestClaim waiter = TestClaim.waiting(first, name);
        granted &= !waiter.granted();
        Waits.soon().until(() -> waiter.mayBeFree.get() == 1);
        Waits.letPass(ms(400));
        boolean ended = !TestClaim.once(first, name).granted() && !dying.held();
        return granted && ended && lasting.released() && woken(waiter);
    }

    boolean secondClaimEndsLater() {
        boolean granted = TestClaim.owned(first, name, "o", ms(200)).granted();
        TestClaim lasting = TestClaim.owned(second, name, "o", LONG);
        granted &= lasting.granted();
        Waits.letPass(ms(400));
        return granted && !TestClaim.once(first, name).granted() && lasting.held();
    }

    private static boolean woken(TestClaim waiter) {
        long begun = System.nanoTime();
        while (waiter.mayBeFree.get() < 2 && since(begun) < TimeUnit.SECONDS.toNanos(1)) {
            Waits.letPass(ms(5));
        }
        return waiter.mayBeFree.get() >= 2;
    }

    boolean wakesWaiters() {
        TestClaim holder = TestClaim.once(first, name);
        TestClaim waiter = TestClaim.waiting(second, name);
        boolean granted = holder.granted() && !waiter.granted();
        Waits.soon().until(() -> waiter.mayBeFree.get() == 1);
        return granted && holder.released() && woken(waiter);
    }

    boolean otherOwner(String holder, String rival) {
        return TestClaim.owned(first, name, holder, LONG).granted()
                && !TestClaim.owned(second, name, rival, LONG).granted();
    }

    boolean otherClaim(String holder, String rival) {
        boolean granted = granted(claim(first, name, holder, "owner-" + rival, LONG, "thread"));
        Claim other = claim(rival, "b");
        return granted
                && !granted(other)
                && other.renew() instanceof Renewal.Lost
                && other.release() == Release.NOT_HELD;
    }

    boolean otherName(String one, String other) {
        return TestClaim.once(first, name + one).granted()
                && TestClaim.once(second, name + other).granted();
    }

    boolean longTexts(int nameLength, int length) {
        return granted(claim(first, "n".repeat(nameLength), "a", "o".repeat(length), LONG, "t".repeat(length)))
                && harness.remover().isPresent();
    }

    boolean clockIsTold() {
        for (int i = 0; i < 3; i++) {
            TestClaim unused = TestClaim.once(first, name);
            Claim claim = claim(first, name + i, "a", "o", LONG, "t");
            Attempt.Granted grant = (Attempt.Granted) claim.attempt();
            if (!isNow(grant.storeTime().orElseThrow().time())) {
                return false;
            }
            Waits.letPass(ms(370));
            Renewal.Held renewal = (Renewal.Held) claim.renew();
            if (renewal.storeTime().isEmpty()
                    || !isNow(renewal.storeTime().orElseThrow().time())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNow(Instant told) {
        return Math.abs(Duration.between(told, Instant.now()).toMillis()) < 200;
    }

    boolean retryAfter() {
        TestClaim holder = TestClaim.once(first, name);
        return holder.granted()
                && TestClaim.once(second, name)
                                .refused()
                                .retryAfter()
                                .orElse(LONG)
                                .compareTo(LONG.plusMillis(2))
                        <= 0;
    }

    boolean months() {
        TestClaim holder = TestClaim.once(first, name, ms(1));
        boolean unused = holder.granted();
        Waits.letPass(ms(50));
        for (int days : List.of(30, 364)) {
            TestClaim claim = TestClaim.once(first, name, Duration.ofDays(days));
            if (!claim.granted() || TestClaim.once(second, name).granted() || !claim.held() || !claim.released()) {
                return false;
            }
        }
        return true;
    }

    /** Raises the tokens, and compares what is granted after that: by two providers, for many names, again after a lease. */
    boolean raise(long above) {
        first.raiseTokens(above);
        long last = above;
        for (int i = 0; i < 4; i++) {
            long token = TestClaim.once(i % 2 == 0 ? first : second, name + i, ms(50))
                    .token();
            if (token <= last || second.highestToken() < token) {
                return false;
            }
            last = token;
        }
        Waits.letPass(ms(200));
        long token = TestClaim.once(first, name).token();
        first.raiseTokens(1 + above / 2);
        return token > last && TestClaim.once(first, name + "-lowered").token() > token;
    }

    /** At the end of the numbers grants grow or fail. */
    boolean tokensAtTheEnd() {
        first.raiseTokens((1L << 53) - 4);
        long last = (1L << 53) - 4;
        for (int i = 0; i < FEW; i++) {
            try {
                long token = TestClaim.once(first, name + i).token();
                if (token <= last) {
                    return false;
                }
                last = token;
            } catch (LockStoreException exhausted) {
                return true;
            }
        }
        return true;
    }

    boolean raiseForManyNames(long above) {
        first.raiseTokens(above);
        for (int i = 0; i < 1500; i++) {
            if (TestClaim.once(first, name + i).token() <= above) {
                return false;
            }
        }
        return true;
    }

    boolean highestTokenOfAnIdleStore() {
        TestClaim claim = TestClaim.once(first, name);
        long token = claim.token();
        return claim.released() && first.highestToken() >= token;
    }

    boolean tokensOfTwoProviders() {
        long last = 0;
        for (int i = 0; i < FEW; i++) {
            TestClaim claim = TestClaim.once(i % 2 == 0 ? first : second, name);
            long token = claim.token();
            if (token <= last || !claim.released()) {
                return false;
            }
            last = token;
        }
        return true;
    }

    boolean lateRenewal() {
        TestClaim late = TestClaim.once(first, name, LONG);
        boolean granted = late.granted();
        harness.remover().orElseThrow().accept(name);
        long begun = System.nanoTime();
        granted &= TestClaim.once(second, name, ms(300)).granted();
        return granted && !late.held() && endsAt(begun, ms(300), name);
    }

    boolean batchOfLeases() {
        TestClaim lasting = TestClaim.once(first, name + 1, LONG);
        TestClaim dying = TestClaim.once(first, name + 2, ms(400));
        boolean granted = lasting.granted() && dying.granted();
        long begun = System.nanoTime();
        granted &=
                first.renewAll(List.of(lasting.claim, dying.claim)).stream().allMatch(Renewal.Held.class::isInstance);
        return granted
                && endsAt(begun, ms(400), name + 2)
                && !TestClaim.once(second, name + 1).granted();
    }

    boolean longClaimInABatch() {
        TestClaim lasting = TestClaim.once(first, name + 1, LONG);
        TestClaim dying = TestClaim.once(first, name + 2, ms(200));
        boolean granted = lasting.granted() && dying.granted();
        granted &= first.renewAll(List.of(lasting.claim, dying.claim)).size() == 2;
        Waits.letPass(ms(400));
        return granted && !TestClaim.once(second, name + 1).granted();
    }

    boolean fullBatch() {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < first.renewalBatch(); i++) {
            TestClaim claim = TestClaim.once(first, name + i);
            boolean unused = claim.granted();
            claims.add(claim.claim);
        }
        return first.renewAll(claims).stream().allMatch(Renewal.Held.class::isInstance);
    }

    boolean freeAtOnce() {
        for (int i = 0; i < 20; i++) {
            TestClaim claim = TestClaim.once(first, name);
            TestClaim next = TestClaim.once(second, name);
            if (!claim.granted() || !claim.released() || !next.granted() || !next.released()) {
                return false;
            }
        }
        return true;
    }

    boolean releaseOfAnEndedLock() {
        TestClaim claim = TestClaim.once(first, name, ms(50));
        boolean granted = claim.granted();
        Waits.letPass(ms(150));
        return granted && !claim.released();
    }

    boolean holderAfterADeadOne() {
        boolean granted = TestClaim.owned(first, name, "dead", ms(50)).granted();
        Waits.letPass(ms(150));
        granted &= TestClaim.owned(second, name, "alive", LONG).granted();
        return granted && first.holder(name).map(LockHolder::owner).orElse("").equals("alive");
    }

    boolean manyGrantsOverASecond() {
        for (int i = 0; i < 60; i++) {
            TestClaim claim = TestClaim.once(first, name + i);
            if (!claim.granted() || TestClaim.once(second, name + i).granted()) {
                return false;
            }
            Waits.letPass(ms(20));
        }
        return true;
    }

    /** Attempts at the same moment, for locks whose holders have just died: at most one is granted, and none fails. */
    boolean sameMoment(int rounds) {
        for (int round = 0; round < rounds; round++) {
            String lock = name + round;
            boolean dead = TestClaim.once(first, lock, ms(1)).granted();
            Waits.letPass(ms(5));
            List<Boolean> granted =
                    atOnce(FEW, provider -> TestClaim.once(provider, lock, LONG).granted());
            if (!dead || granted.stream().filter(Boolean::booleanValue).count() > 1) {
                return false;
            }
        }
        return true;
    }

    /** Hand-overs in quick succession: each holder has a greater token than the one before. */
    boolean tokensOfHandOvers(int grants) {
        long[] last = {0};
        List<Boolean> right = atOnce(FEW, provider -> {
            for (int i = 0; i < grants; i++) {
                TestClaim claim = TestClaim.once(provider, name);
                long token = claim.tokenOrZero();
                if (token > 0) {
                    if (token <= last[0]) {
                        return false;
                    }
                    last[0] = token;
                    if (!claim.released()) {
                        return false;
                    }
                }
            }
            return true;
        });
        return !right.contains(false);
    }

    private List<Boolean> atOnce(int threads, Function<LockProvider, Boolean> work) {
        CyclicBarrier start = new CyclicBarrier(threads);
        return Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                start.await();
                            } catch (Exception broken) {
                                throw new AssertionError(broken);
                            }
                            return work.apply(ThreadLocalRandom.current().nextBoolean() ? first : second);
                        },
                        task -> new Thread(task, "probe").start()))
                .limit(threads)
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    @Override
    public void close() {
        first.close();
        second.close();
        harness.close();
    }
}
