package io.holdfast.lock.tck;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Assertions;

/** A closed provider, and one that is closed while it is used. */
interface ClosedProviderRules extends Rules {

    /** The lease of what nobody can release: shorter than the patience of the kit. */
    Duration LEFT_BEHIND = Duration.ofSeconds(8);

    @LockRule("1.6")
    default void rule16_aClosedProviderAnswersNothingFromMemory() {
        LockProvider provider = kit().provider();
        DrivenClaim holder =
                kit().claim(provider, kit().newName()).leasing(leftBehind()).makeGranted();
        DrivenClaim rival = kit().claim(kit().newName()).lasting().makeGranted();
        // With a short lease: a store may not know yet that its client is closed, and grant it the lock that the rival leaves.
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
                        .map(ClosedProviderRules::knownOrThrown)
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
