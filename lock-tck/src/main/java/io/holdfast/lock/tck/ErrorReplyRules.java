package io.holdfast.lock.tck;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.faults.Fault;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Assertions;

/** What a provider makes of errors with which the store answers: they tell nothing of the lock, and nothing was done. */
interface ErrorReplyRules extends Rules {

    @LockRule({"1.6", "5.6"})
    @Needs(hooks = Hook.ERROR_REPLIES)
    default void rule16_anAttemptThatTheStoreAnswersWithAnErrorFails() throws Exception {
        for (Fault errors : errorsOfEachKind()) {
            LockProvider provider = Trouble.connected(kit());
            LockProvider other = Trouble.connected(kit());
            DrivenClaim waiting =
                    kit().claim(provider, kit().newName()).lasting().make();
            DrivenClaim once = kit().tryingOnce(provider, kit().newName());
            Trouble.during(errors, () -> {
                Trouble.mustFail(waiting::attempt);
                Trouble.mustFail(once::attempt);
                Trouble.mustFail(waiting::attempt);
            });
            Release unused = Trouble.answered("a release", waiting::release);

            kit().visitor(other, waiting.name()).mustPass("each attempt was answered with an error");
            kit().visitor(other, once.name()).mustPass("the only attempt was answered with an error");
            DrivenClaim next = kit().claim(provider, waiting.name()).lasting().make();
            Trouble.answered("an attempt", () -> next.mustPass("nobody holds the lock"));
        }
    }

    /** It may be granted by what the client can read, but for no longer than that is true. */
    @LockRule({"1.3", "1.6", "2.5"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.ERROR_REPLIES)
    default void rule25_aRepeatedAttemptThatChangesNothingIsNotValidAnew() throws Exception {
        Fault errors = Trouble.anError(kit());
        kit().conclusively(() -> {
            LockProvider provider = Trouble.connected(kit());
            LockProvider other = Trouble.connected(kit());
            DrivenClaim holder = kit().claim(provider, kit().newName()).makeGranted();
            Pace.pass(kit().lease().dividedBy(2));
            Optional<?>[] again = {Optional.empty()};
            Trouble.during(errors, () -> {
                boolean unused = Call.isAnswered(() -> again[0] = Optional.of(holder.attempt()));
            });
            if (!(again[0].orElse(null) instanceof Attempt.Granted granted)) {
                return true;
            }
            return kit().endsNotBefore(
                            kit().claim(other, holder.name()).make(),
                            kit().longestLife(),
                            holder.calledAt() + granted.validFor().toNanos(),
                            "a repeated attempt was valid until later, while the store answered each change with an error");
        });
    }

    @LockRule({"1.6", "3.3"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.ERROR_REPLIES)
    default void rule33_aRenewalThatTheStoreAnswersWithAnErrorIsNoLoss() throws Exception {
        for (Fault errors : errorsOfEachKind()) {
            LockProvider provider = Trouble.connected(kit());
            List<DrivenClaim> holders = kit().holders(provider, kit().longLease(), 3);
            Trouble.during(errors, () -> {
                Trouble.mustFail(holders.get(0)::renew);
                Trouble.mustAllFail(() -> kit().renewAll(provider, holders));
            });

            for (DrivenClaim holder : holders) {
                String because = "the store has answered renewals with errors, and the lease has not ended";
                Trouble.answered("a renewal", () -> holder.mustRenew(because));
                holder.mustRelease(Release.RELEASED, because);
            }
        }
    }

    @LockRule({"1.6", "5.3", "5.6"})
    @Needs(hooks = Hook.ERROR_REPLIES)
    default void rule53_aReleaseThatTheStoreAnswersWithAnErrorIsToBeRepeated() throws Exception {
        for (Fault errors : errorsOfEachKind()) {
            LockProvider other = Trouble.connected(kit());
            DrivenClaim holder = kit().claim(kit().newName()).outlastingFaults().makeGranted();
            Trouble.during(errors, () -> {
                Trouble.mustFail(holder::release);
                Trouble.mustFail(holder::release);
            });
            kit().visitor(other, holder.name()).mustBeContended("the store has carried out no release");

            Release release = Trouble.answered("a release", holder::release);
            Assertions.assertEquals(
                    Release.RELEASED,
                    release,
                    "the claim was in force, as the releases before were answered with errors");
            kit().visitor(other, holder.name()).mustBeGranted("its holder has released the lock");
        }
    }

    @LockRule({"7.2", "9.5"})
    @Needs(
            value = {Capability.PUSHED, Capability.LEASED_PER_CLAIM},
            hooks = Hook.ERROR_REPLIES)
    default void rule72_aReleaseThatFailedBeforeWakesAWaiterThatHasFailedToo() throws Exception {
        Fault errors = Trouble.anError(kit());
        LockProvider waiting = kit().provider();
        DrivenClaim holder = kit().claim(kit().newName()).outlastingFaults().makeGranted();
        DrivenClaim waiter = kit().claim(waiting, holder.name()).lasting().make();
        waiter.mustWait();
        Trouble.during(errors, () -> {
            Trouble.mustFail(holder::release);
            boolean unused = Call.isAnswered(waiter::attempt);
        });
        int hints = Trouble.answered("an attempt", waiter::mustWait);
        Release unused = Trouble.answered("a release", holder::release);

        waiter.mustBeGrantedByHints(hints, "a release before it was answered with an error");
        Trouble.answered("a release", waiter::release);
    }

    /** It fails, or it has an effect. */
    @LockRule({"1.6", "6.7"})
    @Needs(
            value = Capability.FENCED,
            hooks = {Hook.DISPOSABLE, Hook.ERROR_REPLIES})
    default void rule67_aRaiseThatTheStoreAnswersWithAnErrorIsNotTakenForOne() throws Exception {
        Fault errors = Trouble.anError(kit());
        LockProvider provider = Trouble.connected(kit());
        String name = kit().newName();
        OptionalLong highest = Tokens.highest(provider);
        if (highest.isEmpty()) {
            return;
        }
        // Further than most tests raise the tokens meanwhile: providers in memory of one JVM share them. Where another
        // test raises them further, this one sees nothing. It begins with what the provider says: a first raise to find
        // a number would be refused where another test has raised the tokens to the limit.
        long above = highest.getAsLong() + 1_000 * Tokens.MUCH;
        long[] raised = {0};
        Trouble.during(errors, () -> {
            if (hasRaised(() -> provider.raiseTokens(above))) {
                raised[0] = above;
            }
            if (hasRaised(() -> provider.raiseTokens(name, above + 1))) {
                raised[0] = above + 1;
            }
        });
        Attempt.Granted granted = Trouble.answered(
                "an attempt", () -> kit().tryingOnce(provider, name).mustPass("nobody holds the lock"));
        Tokens.mustBeNewer(
                Tokens.of(granted),
                raised[0],
                "a call has raised the tokens to that without a failure, while the store answered each change with an error");
    }

    private static boolean hasRaised(Runnable raise) {
        try {
            raise.run();
            return true;
        } catch (LockStoreException | UnsupportedCapabilityException | LockConfigurationException refused) {
            return false;
        }
    }

    private List<Fault> errorsOfEachKind() {
        return kit().harness().faults().errorReplies();
    }
}
