package io.holdfast.lock.tck;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** A closed provider, and one that is closed while it is used. */
interface ClosedProviderRules extends Rules {

    /** The lease of what nobody can release: shorter than the patience of the kit. */
    Duration LEFT_BEHIND = Duration.ofSeconds(8);

    @LockRule("1.6")
    @Lengthy
    default void rule16_aClosedProviderAnswersNothingFromMemory() {
        LockProvider provider = kit().provider();
        DrivenClaim holder =
                kit().claim(provider, kit().newName()).leasing(leftBehind()).makeGranted();
        DrivenClaim rival = kit().claim(kit().newName()).lasting().makeGranted();
        // With a short lease: the store may grant it the lock that the rival leaves, as it does
        // not know yet that the client is closed.
        DrivenClaim waiter = kit().claim(provider, rival.name()).make();
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
                        .map(Trouble::knownOrThrown)
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
        kit().visitor(closed.name())
                .mustBeGranted("a closed provider has answered to the release of its holder, and did not throw");
    }

    /**
     * A store may be told late that a client is closed, as a process that was just started still has its connection, but not each
     * time.
     */
    int ROUNDS_OF_CLOSES = 4;

    @LockRule("7.5")
    default void rule75_aWaiterOfAClosedClientIsNotGrantedTheLock() {
        boolean passedOver = Stream.generate(this::isPassedOverOnceClosed)
                .limit(ROUNDS_OF_CLOSES)
                .anyMatch(Boolean::booleanValue);
        Assertions.assertTrue(
                passedOver,
                "a waiting claim whose client is closed cannot use the lock, but in each of " + ROUNDS_OF_CLOSES
                        + " rounds it was granted the lock that was released after the close");
    }

    private boolean isPassedOverOnceClosed() {
        LockProvider closing = kit().provider();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim waiter = kit().claim(closing, holder.name()).make();
        waiter.mustBeContended("the lock is held");
        waiter.abandon();
        closing.close();
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        DrivenClaim next = kit().visitor(holder.name());
        Pace.Limit limit = new Pace.Limit(Pace.DEAD_WAITERS_GO_WITHIN);
        while (!next.isGranted()) {
            if (next.provider().holder(holder.name()).map(LockHolder::owner).equals(Optional.of(waiter.ownerId()))) {
                return false;
            }
            Assertions.assertFalse(
                    limit.isOver(),
                    () ->
                            "a lock was released for which only a claim of a closed client waits; another must have it within "
                                    + limit);
            Pace.pass(Duration.ofMillis(4));
        }
        return true;
    }

    @LockRule({"1.6", "9.3"})
    @Lengthy
    default void rule93_aCloseEndsTheCallsThatAreUnderWay() {
        LockProvider provider = kit().provider();
        List<DrivenClaim> holders = kit().holders(provider, leftBehind(), 2);
        DrivenClaim passing = kit().claim(provider, holders.get(1).name()).make();
        AtomicBoolean over = new AtomicBoolean();
        List<Call<?>> calling = List.of(
                Call.running(() -> callUntilItFails(holders.get(0)::renew, over)),
                Call.running(() -> callUntilItFails(passing::attempt, over)),
                Call.running(() ->
                        callUntilItFails(() -> provider.holder(holders.get(1).name()), over)));
        try {
            Pace.pass(Duration.ofMillis(30));
            // Closing a client library may itself take seconds.
            Call.running(provider::close).result();
            calling.forEach(
                    call -> Assertions.assertTrue(
                            Pace.within(Pace.GONE_WITHIN, call::isDone),
                            "a call of a provider that was closed meanwhile goes on answering: it must end with a LockException"));
        } finally {
            over.set(true);
        }
        calling.forEach(Call::result);
        passing.abandon();
        holders.forEach(DrivenClaim::abandon);
        holders.forEach(holder -> kit().harness().remover().ifPresent(remover -> remover.accept(holder.name())));
    }

    private static void callUntilItFails(Callable<Object> call, AtomicBoolean over) throws Exception {
        boolean answered = true;
        while (answered && !over.get()) {
            try {
                call.call();
            } catch (LockException closed) {
                answered = false;
            }
        }
    }

    @LockRule({"5.5", "9.3"})
    default void rule55_closingAClosedClientAgainTakesNothingFromALaterOne() {
        LockProvider closed = kit().provider();
        kit().tryingOnce(closed, kit().newName()).mustPass("nobody holds the lock");
        closed.close();
        // A client that comes later may have got a number that has become free.
        LockProvider later = kit().provider();
        DrivenClaim holder = kit().claim(later, kit().newName()).lasting().makeGranted();
        closed.close();

        String because = "only another client was closed, for the second time";
        kit().visitor(holder.name()).mustBeContended(because);
        holder.mustRenew(because);
        holder.mustRelease(Release.RELEASED, because);
    }

    @LockRule("9.3")
    default void rule93_closingManyTimesAndAtOnceDoesNothing() {
        LockProvider provider = kit().provider();
        LockProvider other = kit().provider();
        DrivenClaim used = kit().claim(provider, kit().newName()).makeGranted();
        used.release();
        List<Call<?>> closing = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            closing.add(Call.running(provider::close));
        }
        closing.forEach(Call::result);
        Assertions.assertThrows(LockException.class, used::attempt, "an attempt of a closed provider");
        used.abandon();

        Assertions.assertDoesNotThrow(provider::close, "closing a closed provider once more");
        String because = "only another client was closed, many times";
        Assertions.assertDoesNotThrow(
                () -> kit().claim(other, kit().newName()).lasting().makeGranted(), because);
    }
}
