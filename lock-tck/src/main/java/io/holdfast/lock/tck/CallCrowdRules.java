package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Calls of many threads of one client at the same moment: a provider may send them to its store together. */
interface CallCrowdRules extends Rules {

    int CALLERS = 24;

    /** How long crowds come: which calls of one are sent together is chance. */
    Duration COMING = Duration.ofMillis(400);

    @LockRule({"1.1", "5.2"})
    default void rule11_eachCallOfACrowdHasAnAnswerOfItsOwn() {
        LockProvider crowded = kit().provider();
        List<String> free = Stream.generate(kit()::newName).limit(CALLERS / 2).toList();
        List<DrivenClaim> holders = kit().holders(kit().provider(), kit().longLease(), CALLERS / 2);
        long start = Pace.now();
        do {
            List<DrivenClaim> granted =
                    free.stream().map(name -> kit().tryingOnce(crowded, name)).toList();
            List<DrivenClaim> refused = holders.stream()
                    .map(holder -> kit().tryingOnce(crowded, holder.name()))
                    .toList();
            List<DrivenClaim> mixed = mixed(granted, refused);
            Crowd.atOnce(mixed, claim -> {
                if (granted.contains(claim)) {
                    claim.mustBeGranted("nobody holds the lock, whatever other threads are answered");
                } else {
                    claim.mustBeContended("the lock is held, whatever other threads are answered");
                }
            });
            Crowd.atOnce(
                    mixed,
                    claim -> claim.mustRelease(
                            granted.contains(claim) ? Release.RELEASED : Release.NOT_HELD,
                            granted.contains(claim) ? "it was granted its lock" : "it was refused"));
        } while (Pace.since(start).compareTo(COMING) < 0);
        holders.forEach(holder -> holder.mustRenew("it holds the lock, which others have asked for"));
    }

    private static List<DrivenClaim> mixed(List<DrivenClaim> some, List<DrivenClaim> others) {
        List<DrivenClaim> mixed = new ArrayList<>();
        for (int i = 0; i < some.size(); i++) {
            mixed.add(some.get(i));
            mixed.add(others.get(i));
        }
        return mixed;
    }

    @LockRule("6.1")
    @Needs(value = Capability.FENCED, hooks = Hook.DISPOSABLE)
    default void rule61_tokensThatACrowdIsGrantedGrowForEachOfItsNames() {
        LockProvider provider = kit().provider();
        // Where a clock no longer makes them greater.
        long above = Tokens.raisedMuch(kit(), provider);
        List<String> names = Stream.generate(kit()::newName).limit(CALLERS).toList();
        AtomicLongArray last = new AtomicLongArray(
                IntStream.range(0, CALLERS).mapToLong(name -> above).toArray());
        List<Integer> callers = IntStream.range(0, CALLERS).boxed().toList();
        long start = Pace.now();
        do {
            Crowd.atOnce(callers, caller -> {
                long token =
                        Tokens.of(kit().tryingOnce(provider, names.get(caller)).mustPass("nobody holds the lock"));
                Tokens.mustBeNewer(
                        token,
                        last.getAndSet(caller, token),
                        "it is for the same name, and " + CALLERS + " threads acquire a lock each at the same moment");
            });
        } while (Pace.since(start).compareTo(COMING) < 0);
    }
}
