package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.List;

/** Calls that fail, many at once and one after the other: none may keep something that later calls need. */
interface ManyFailuresRules extends Rules {

    /** Errors that come at the same time: more than the connections that a pool has by default. */
    int MANY_ERRORS = 20;

    @LockRule("9.5")
    @Needs(hooks = Hook.ERROR_REPLIES)
    default void rule95_manyErrorsUseNothingUp() throws Exception {
        Trouble.usesNothingUp(kit(), Trouble.anError(kit()), MANY_ERRORS);
    }

    /** More than a client may think enough. */
    int MANY_FAILURES = 100;

    @LockRule("9.5")
    @Needs(hooks = Hook.OUTAGE)
    default void rule95_manyFailuresOfAnOutageUseNothingUp() throws Exception {
        Trouble.usesNothingUp(kit(), Trouble.outage(kit()), MANY_FAILURES);
    }

    @LockRule({"3.4", "9.5"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.OUTAGE)
    default void rule95_manyRenewalsThatFailInAnOutageUseNothingUp() throws Exception {
        Fault outage = Trouble.outage(kit());
        LockProvider provider = Trouble.connected(kit());
        List<DrivenClaim> holders = Trouble.holders(kit(), provider, MANY_ERRORS);
        // Each may have a connection by then.
        Crowd.atOnce(holders, holder -> holder.mustRenew("it holds the lock"));
        Trouble.during(outage, () -> Crowd.atOnce(holders, holder -> Trouble.mustFail(holder::renew)));

        for (DrivenClaim holder : holders) {
            Trouble.answered(
                    "a renewal after an outage",
                    () -> holder.mustRenew("only renewals have failed, and its lease has not ended"));
        }
    }

    /** More than the calls that a provider may make at the same time. */
    int MANY_OUTAGES = 26;

    /** A store that notices an outage late has fewer of them. */
    Duration OUTAGES = Duration.ofSeconds(8);

    @LockRule({"3.4", "9.5"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.OUTAGE)
    default void rule95_manyOutagesUseNothingUp() throws Exception {
        Fault outage = Trouble.outage(kit());
        LockProvider provider = Trouble.connected(kit());
        DrivenClaim holder =
                kit().claim(provider, kit().newName()).outlastingFaults().makeGranted();
        String free = kit().newName();
        long start = Pace.now();
        for (int i = 0; i < MANY_OUTAGES && Pace.since(start).compareTo(OUTAGES) < 0; i++) {
            Trouble.during(outage, () -> Trouble.mustFail(holder::renew));
            Trouble.answered("a renewal after an outage", () -> holder.mustRenew("its lease has not ended"));
            DrivenClaim claim = kit().visitor(provider, free);
            Trouble.during(outage, () -> Trouble.mustFail(claim::attempt));
            // Where several servers vote, one may have missed the release before.
            Trouble.answered(
                    "an attempt after an outage",
                    () -> claim.takeOverAndLeave(Pace.BACK_WITHIN, "nobody holds the lock"));
        }
    }

    /** Most pools check a connection that was idle for so long before they lend it. */
    Duration IDLE = Duration.ofSeconds(6);

    /**
     * After so many rounds a pool that does not give back the places of lost connections has none left, even if it opened few
     * connections in each round.
     */
    int IDLE_TIMES = 4;

    @LockRule("9.5")
    @Needs(hooks = Hook.OUTAGE)
    @Lengthy
    default void rule95_connectionsThatWereCutWhileTheyWereIdleUseNothingUp() throws Exception {
        Fault outage = Trouble.outage(kit());
        LockProvider provider = Trouble.connected(kit());
        for (int i = 0; i < IDLE_TIMES; i++) {
            // Each may have a connection by then.
            Crowd.atOnce(
                    Trouble.tryingOnce(kit(), provider, MANY_ERRORS), claim -> claim.mustPass("nobody holds the lock"));
            Pace.pass(IDLE);
            Trouble.during(outage, () -> {});

            for (DrivenClaim claim : Trouble.tryingOnce(kit(), provider, MANY_ERRORS)) {
                Trouble.answered(
                        "an attempt after connections were cut while they were idle",
                        () -> claim.mustBeGranted("nobody holds the lock"));
                Release unused =
                        Trouble.answered("a release after connections were cut while they were idle", claim::release);
            }
        }
    }
}
